import { withoutAnnotations } from './contents';
import { managedByText, type ManagedBy } from './managed-by';
import { isManagedBy, reportRefusal, type PropagationContext } from './propagation-context';
import type { PropagationIndex } from './propagation-index';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER } from '../../src/azure/annotations';
import { propagationTargetText, type PropagationTarget } from '../../src/azure/credential-propagation';
import type { WatchedType } from '../reconcile/cluster';
import type { CredentialUsers } from '../reconcile/credential-users';

export interface TakeBackContext extends PropagationContext {
  readonly index: PropagationIndex;
  readonly users: CredentialUsers;
  readonly enqueue: (identity: ManagedBy) => void;
  /** Enqueues an identity again when more objects may be listed. */
  readonly enqueueAfterListing: (identity: ManagedBy) => void;
}

/**
 * No identity propagates to the target any more. A Secret that objects use as their credential stays until the last of them is gone.
 * Without it their resources could not be deleted in Azure, or the controller would try with its own credential.
 */
export async function takeBack(
  context: TakeBackContext, owner: ManagedBy, target: PropagationTarget, identity: KubernetesObject | undefined,
): Promise<void> {
  const { client, cache, reports, index, users, enqueue, enqueueAfterListing } = context;
  const watched = cache.typeOf(target.kind);
  const existing = watched && (await cache.metadataOf(target, watched));
  if (!watched || !existing || !isManagedBy(existing, owner)) return;
  const heir = index
    .concernedBy(target)
    .find((other) => managedByText(other) !== managedByText(owner) && cache.isWantedBy(other, target));
  if (heir) return enqueue(heir);
  if (target.kind === 'Secret') {
    const isForeign = cache.isForeign(target.namespace);
    if (!isForeign && cache.isListingUsers(target.namespace)) return enqueueAfterListing(owner);
    // Of a namespace that another replica looks after, the finalizer says whether there are users: it is set before the first one is sent.
    const isUsed = isForeign ? existing.metadata.finalizers?.includes(CREDENTIAL_FINALIZER) : users.areThere({ group: '', ...target });
    if (isUsed) {
      const why = `${propagationTargetText(target)} is no longer written, and stays until no object of its namespace uses it as its credential`;
      return reports.report(owner, identity ?? existing, target, 'kept', why);
    }
  }
  if (existing.metadata.deletionTimestamp) return;
  try {
    await remove(client, watched, owner, target, existing);
    const done = target.kind === 'ServiceAccount' ? 'cleared' : 'deleted';
    reports.report(owner, identity ?? existing, target, 'taken', `${propagationTargetText(target)} is no longer written, and was ${done}`);
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return;
    throw identity ? reportRefusal(reports, identity, target, error) : error;
  }
}

/** Deletes the target; a service account belongs to others, and only loses the annotations of the identity. */
async function remove(
  client: KubernetesClient, watched: WatchedType, owner: ManagedBy, target: PropagationTarget, existing: KubernetesObject,
): Promise<void> {
  const { uid, resourceVersion } = existing.metadata;
  if (target.kind === 'ServiceAccount') {
    const patch = withoutAnnotations(owner, existing);
    watched.updateLocal(await client.patch(watched.type, target.name, target.namespace, patch, 'application/merge-patch+json'));
  } else {
    await client.delete(watched.type, target.name, target.namespace, { uid, resourceVersion });
  }
}
