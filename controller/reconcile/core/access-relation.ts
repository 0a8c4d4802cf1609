import type { AccessUser } from './access-user';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { PROPAGATE_TO } from '../../../src/azure/annotations';
import { acceptsPropagation, propagationTargets, type PropagationSource } from '../../../src/azure/credential-propagation';

/** What is known of who may act as an identity. */
export interface Relation {
  /** Absent: any of the namespace of what is being deleted. */
  readonly identity?: KubernetesObject;
  /** What is being deleted, and would have to wait. */
  readonly deleted: KubernetesObject;
  /** Subjects that the identity trusts by federated credentials of its own namespace. */
  readonly trusted: readonly string[];
  /** See AccessView. */
  readonly sourcesOf: (namespace: string) => readonly PropagationSource[] | undefined;
}

/**
 * Whether somebody else than the user itself says that it acts as the identity, so that its needs count for what is being deleted:
 *
 * - it is in the namespace of what is deleted, where all of it is in one hand;
 * - the identity is in that namespace, and propagates to its credential Secret, or trusts the service account `aso-workload` of its namespace;
 * - its Namespace takes the ids of the identity. Teams cannot annotate Namespaces.
 *
 * A Namespace that is not known is a cache that is not whole: in doubt the deletion waits.
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
