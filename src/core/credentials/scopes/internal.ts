import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { RuleManifest } from '../../rules/set-object';
import type { CredentialScopesOptions } from '../credential-scopes-options';
import { evaluate, Evaluation } from './evaluate';
import { credentialKnowledgeIn, declaredRole } from './knowledge-in';
import { elementAt } from '../../../util/elements';
import { ObjectSet } from '../../rules/object-set';

export type { Evaluation } from './evaluate';
export { renderCredentials } from './render';
export { plainResource } from './render/plain';

/** Evaluates the objects at and below a construct. */
export function evaluateScope(
  scope: IConstruct,
  { roles = [], subscriptionId, strictWorkloadIdentity }: CredentialScopesOptions,
): Evaluation {
  const objects = scope.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  const known = credentialKnowledgeIn(scope);
  const set = ObjectSet.ofManifests(objects.map((object) => object.toJson() as RuleManifest));
  return evaluate(set, {
    ...known,
    roles: [...(known.roles ?? []), ...roles.map(declaredRole)],
    subscriptionId,
    workloadMode: strictWorkloadIdentity === undefined ? undefined : strictWorkloadIdentity ? 'strict' : 'relaxed',
    constructPathOf: ({ index }) => elementAt(objects, index).node.path,
  });
}
