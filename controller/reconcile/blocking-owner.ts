import type { Cluster } from './cluster';
import { isReady } from './core/conditions';
import { namedOwner } from './observe';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { versionOf } from '../../engine/resolve/kind-of';
import { RESOURCE_ID } from '../../src/azure/annotations';
import type { ObjectId } from '../../src/object-id';

/**
 * The owner for which the object has to wait before anything can be done for it, as the cache shows it: only by that the object's place in
 * the queue is chosen, so that a doubt answers undefined.
 */
export function blockingOwnerOf(object: KubernetesObject, cluster: Pick<Cluster, 'lastSeen' | 'stateOf'>): ObjectId | undefined {
  const { deletionTimestamp, namespace = '' } = object.metadata;
  // A resource that Azure may have already is looked after at once.
  if (deletionTimestamp !== undefined || annotation(object, RESOURCE_ID) !== undefined) return undefined;
  const version = versionOf(object);
  const owner = version && namedOwner(object, version);
  if (!owner) return undefined;
  const { group, kind, name } = owner;
  const key = { group, kind, namespace, name };
  const found = cluster.lastSeen(key);
  if (found) return isReady(found) ? undefined : key;
  return cluster.stateOf(group, kind, namespace).state === 'whole' ? key : undefined;
}
