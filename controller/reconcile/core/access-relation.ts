import type { AccessUser } from './access-user';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { PROPAGATE_TO } from '../../../src/azure/annotations';
import { acceptsPropagation, propagationTargets, type PropagationSource } from '../../../src/azure/credential-propagation';

/** The facts about the objects that may act as an identity. */
export interface Relation {
  /** Absent: any identity in the namespace of the deleted object. */
  readonly identity?: KubernetesObject;
  /** The object that is being deleted, and may have to wait. */
  readonly deleted: KubernetesObject;
  /** Subjects that the identity trusts by federated credentials of its own namespace. */
  readonly trusted: readonly string[];
  /** See AccessView. */
  readonly sourcesOf: (namespace: string) => readonly PropagationSource[] | undefined;
}

/**
 * Whether an object other than the user itself confirms that the user acts as the identity, so that the deletion has to wait for it:
 *
 * - the user is in the namespace of the deleted object, which has one owner;
 * - the identity is in that namespace, and propagates to the user's credential Secret, or trusts the service account `aso-workload` of
 *   its namespace;
 * - the user's Namespace accepts the IDs of the identity. Teams cannot annotate Namespaces.
 *
 * A Namespace that is not known means an incomplete cache: in doubt the deletion waits.
 */
export function isProven({ key: { namespace }, secret }: AccessUser, { identity, deleted, trusted, sourcesOf }: Relation): boolean {
  const owner = deleted.metadata.namespace ?? '';
  if (namespace === owner) return true;
  const sources = sourcesOf(namespace);
  if (sources === undefined) return true;
  if (!identity) return sources.some((source) => source.namespace === owner);
  const { namespace: home = '', name, annotations } = identity.metadata;
  if (acceptsPropagation(sources, { namespace: home, name })) return true;
  if (home !== owner) return false;
  const targets = propagationTargets(annotations?.[PROPAGATE_TO] ?? '').entries;
  return targets.some((target) => target.kind === 'Secret' && target.namespace === namespace && target.name === secret)
    || trusted.includes(`system:serviceaccount:${namespace}:aso-workload`);
}
