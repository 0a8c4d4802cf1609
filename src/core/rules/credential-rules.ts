import type { ObjectSet } from './object-set';
import { FoundAt, ofSet } from './rule';
import { PROPAGATE_TO, RECONCILE_POLICY } from '../../azure/annotations';
import { UUID } from '../../azure/uuid';
import { member } from '../../util/records';
import { firstOf } from '../../util/words';
import { evaluate, Evaluation } from '../credentials/scopes/evaluate';
import { CredentialVerdict } from '../credentials/scopes/facts';

/** The maximum number of actions in a message. */
const MOST_ACTIONS = 4;

/**
 * The roles of the credential that applies to an object do not allow all actions that it needs: reading, writing, deleting (unless its
 * policy keeps it), reading the keys that it exports, joining the resources that it references. Only if a role assignment of the set gives
 * a role to the credential's principal, or the credential declares its roles (`grantedRoles`); a role with unknown actions may allow
 * anything. [Which roles suffice](credentials.md#which-roles-suffice).
 */
export const credentialRoleTooNarrow = ofSet((set) =>
  evaluationOf(set).resources.flatMap(({ object, verdict, missingActions, principal, secret }): FoundAt[] => {
    if (verdict !== CredentialVerdict.TOO_NARROW) return [];
    const deletesOnly = missingActions.every((action) => /\/delete$/i.test(action));
    const fix = deletesOnly
      ? `give it a role that has the action, or annotate ${RECONCILE_POLICY}: detach-on-delete`
      : 'give it a role that has them in this scope, or declare the one that it has: grantedRoles of the AsoCredential';
    return [
      {
        object,
        message: `the credential ${secret} acts as ${principal}, whose roles do not give ${firstOf(missingActions, MOST_ACTIONS)}`,
        fix,
      },
    ];
  }),
);

/** An object is in another subscription than its credential. */
export const credentialSubscription = ofSet((set) => {
  if (!mayKnowCredentials(set)) return [];
  return evaluationOf(set).resources.flatMap(({ object, subscriptions, secret }): FoundAt[] => {
    // A placeholder may become the same id.
    if (!subscriptions || !UUID.test(subscriptions.resource) || !UUID.test(subscriptions.credential)) return [];
    const { resource, credential } = subscriptions;
    return [
      {
        object,
        field: 'spec.owner',
        message: `is in subscription ${resource}, its credential ${secret} is for ${credential}`,
        fix: `give it a credential for ${resource}`,
      },
    ];
  });
});

/** The mode of the controller determines whose tokens it exchanges, and no federated credential of the identity trusts those. */
export const credentialFederation = ofSet((set) =>
  evaluationOf(set).resources.flatMap(({ object, trustProblem }): FoundAt[] => (trustProblem ? [{ object, ...trustProblem }] : [])));

/** Whether the set may say anything about a credential. Most apps do not: it is in the cluster already. */
function mayKnowCredentials({ objects, kinds, credentials }: ObjectSet): boolean {
  return credentials.declared !== undefined || objects.some(({ group, kind }) => group === '' && kind === 'Secret')
    || (kinds.get('managedidentity.azure.com/UserAssignedIdentity') ?? []).some(({ annotations, spec }) =>
      member(annotations, PROPAGATE_TO) !== undefined || member(spec.operatorSpec, 'secrets') !== undefined);
}

const evaluations = new WeakMap<ObjectSet, Evaluation>();

function evaluationOf(set: ObjectSet): Evaluation {
  const known = evaluations.get(set);
  if (known) return known;
  const made = evaluate(set, { ...set.credentials, onlyKnown: true });
  evaluations.set(set, made);
  return made;
}
