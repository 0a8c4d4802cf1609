import { prepareCredential } from './object-credential';
import { isOurs, ownPolicyOf } from './own-policy';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { hasFinalizer } from '../../../engine/objects/annotations';
import { allowsDeletion } from '../../../engine/objects/reconcile-policy';
import type { CredentialState } from '../core/observed';
import type { ObjectReconcile, ReconcileProgress } from '../object-reconcile';
import { credentialOf, namedOwner } from '../observe';
import { triggersReconcile } from '../triggers';

/** Whether the next decision may claim the object, or remove its finalizer: the objects that it rests on are confirmed first. */
export function needsConfirmation({ object, options }: ObjectReconcile): boolean {
  return isOurs(object, options) && (isNew(object) || isEnding(object));
}

/**
 * Confirms with the API server the objects on which the first decision rests.
 * @throws UnknownStateError when the API server does not answer
 */
export function confirmBasis(reconcile: ObjectReconcile): Promise<void> {
  const { object, memory, state } = reconcile;
  return isNew(object) ? state.freshness.confirmSurroundings(object, memory.since, false) : confirmEnd(reconcile);
}

/** Before the finalizer is removed without a request to Azure, the API server confirms the objects on which that decision rests. */
async function confirmEnd({ object, version, external, memory: { since }, options, state: { freshness } }: ObjectReconcile): Promise<void> {
  if (!allowsDeletion(ownPolicyOf(object, options).policy)) return freshness.confirmSurroundings(object, since);
  const owner = external ? namedOwner(object, version) : undefined;
  // Where the owner is gone, so are the resources in it.
  const { namespace = 'default' } = object.metadata;
  if (owner) await freshness.confirm({ group: owner.group, kind: owner.kind, namespace, name: owner.name }, since);
}

/** Just before a change in Azure: confirms that policy, credential and object are still those of the decision. */
export async function isDecisionCurrent(
  { key, object, memory, options, state: { freshness } }: ObjectReconcile, { observed, stored }: ReconcileProgress,
): Promise<boolean> {
  // This reconcile has just written the object, so it is current.
  const isOwn = stored.metadata.resourceVersion !== object.metadata.resourceVersion;
  await Promise.all([freshness.confirmSurroundings(object, memory.since), isOwn ? undefined : freshness.confirmOwn(stored)]);
  const now = options.cluster.find(key);
  if (!now || triggersReconcile({ type: 'MODIFIED', object: now, previous: stored })) return false;
  if (ownPolicyOf(now, options).policy !== observed.policy) return false;
  await prepareCredential(options, now);
  const { state, unknown } = credentialOf(now, options.credentials);
  if (unknown) throw unknown;
  return isSameCredential(observed.credential, state);
}

/** Whether requests would be sent with the same credential; two failures count as the same. */
export function isSameCredential(before: CredentialState, now: CredentialState): boolean {
  if ('failure' in now || 'failure' in before) return 'failure' in now === 'failure' in before;
  return now.source === before.source && now.subscriptionId === before.subscriptionId;
}

/** Whether no decision about the object was made yet. */
function isNew(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp === undefined && !hasFinalizer(object);
}

function isEnding(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object);
}
