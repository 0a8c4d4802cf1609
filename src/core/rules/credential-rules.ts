import type { ObjectSet } from './object-set';
import { FoundAt, Rule, setRule } from './rule';
import { RECONCILE_POLICY } from '../../azure/annotations';
import { firstOf } from '../../util/words';
import { evaluate, Evaluation } from '../credentials/scopes/evaluate';
import { CredentialVerdict } from '../credentials/scopes/facts';

/** As many actions as a message names. */
const MOST_ACTIONS = 4;

/** Whether credentials suffice for what they are used for, as far as their roles are known: an app that says nothing of them hears nothing. */
export const CREDENTIAL_RULES: readonly Rule[] = [
  setRule('credential-role-too-narrow', 'warning', 'Azure refuses what no role gives (AuthorizationFailed); an object whose deletion is refused stays for ever', (set) =>
    evaluationOf(set).resources.flatMap(({ object, verdict, missingActions, principal, secret }): FoundAt[] => {
      if (verdict !== CredentialVerdict.TOO_NARROW) return [];
      const deletesOnly = missingActions.every((action) => /\/delete$/i.test(action));
      const fix = deletesOnly
        ? `give it a role that has the action, or annotate ${RECONCILE_POLICY}: detach-on-delete`
        : 'give it a role that has them in this scope, or declare the one that it has: grantedRoles of the AsoCredential';
      return [{ object, message: `the credential ${secret} acts as ${principal}, whose roles do not give ${firstOf(missingActions, MOST_ACTIONS)}`, fix }];
    })),
  setRule('credential-subscription', 'warning', 'the controller stops with SubscriptionMismatch after its first reconcile', (set) =>
    evaluationOf(set).resources.flatMap(({ object, subscriptions, secret }): FoundAt[] => {
      if (!subscriptions) return [];
      const { resource, credential } = subscriptions;
      return [{ object, field: 'spec.owner', message: `is in subscription ${resource}, its credential ${secret} is for ${credential}`, fix: `give it a credential for ${resource}` }];
    })),
  setRule('credential-federation', 'warning', 'Entra refuses the token, so the controller can do nothing for the object', (set) =>
    evaluationOf(set).resources.flatMap(({ object, trustProblem }): FoundAt[] => (trustProblem ? [{ object, ...trustProblem }] : []))),
];

const evaluations = new WeakMap<ObjectSet, Evaluation>();

function evaluationOf(set: ObjectSet): Evaluation {
  const known = evaluations.get(set);
  if (known) return known;
  const made = evaluate(set, { ...set.credentials, onlyKnown: true });
  evaluations.set(set, made);
  return made;
}
