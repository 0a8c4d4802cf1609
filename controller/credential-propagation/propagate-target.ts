import type { PropagationWrite } from './contents';
import { decidePropagation, type Verdict } from './decide';
import { managedByOf } from './managed-by';
import { isManagedBy, reportRefusal, type PropagationContext } from './propagation-context';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { propagationTargetText, type PropagationTarget } from '../../src/azure/credential-propagation';
import type { WatchedType } from '../reconcile/cluster';

/** Writes the IDs of the identity into a target. `revoked`: one of the two sides does not consent (any more). */
export async function propagate(
  context: PropagationContext, identity: KubernetesObject, target: PropagationTarget,
): Promise<'wanted' | 'revoked'> {
  const { client, cache, reports } = context;
  const owner = managedByOf(identity);
  const type = cache.typeOf(target.kind);
  const unreadable = cache.unreadable(target, type, identity);
  if (unreadable) {
    reports.report(owner, identity, target, unreadable.isFinal ? 'refused' : 'waiting', unreadable.why);
    return 'wanted';
  }
  const watched = type!;
  try {
    const verdict = await carryOut(context, watched, identity, target, await cache.existing(target, watched))
      .catch(async (error: unknown) => {
        // The cached target is out of date. A service account is checked again when its event comes.
        if (!isOutOfDate(error) || target.kind === 'ServiceAccount') throw error;
        return carryOut(context, watched, identity, target, await client.get(watched.type, target.name, target.namespace));
      });
    return verdict.do === 'refuse' && verdict.isRevoked ? 'revoked' : 'wanted';
  } catch (error) {
    if (!isEndOfNamespace(error)) throw reportRefusal(reports, identity, target, error);
    const message = `${propagationTargetText(target)} waits: namespace ${target.namespace} is not there, or is being deleted`;
    reports.report(owner, identity, target, 'waiting', message);
    return 'wanted';
  }
}

async function carryOut(
  { client, cache, reports }: PropagationContext,
  watched: WatchedType,
  identity: KubernetesObject,
  target: PropagationTarget,
  existing: KubernetesObject | undefined,
): Promise<Verdict> {
  const owner = managedByOf(identity);
  const verdict = decidePropagation({
    identity,
    target,
    existing,
    isWatched: cache.isWatched(target.namespace),
    namespace: cache.namespace(target.namespace),
    isWantedBy: (other) => cache.isWantedBy(other, target),
  });
  if (verdict.do === 'wait') {
    reports.report(owner, identity, target, 'waiting', verdict.why, verdict.isUsual);
    return verdict;
  }
  if (verdict.do === 'refuse') {
    // A target that was written before is taken back now, and reported.
    if (!verdict.isRevoked || !isManagedBy(existing, owner)) reports.report(owner, identity, target, 'refused', verdict.why);
    return verdict;
  }
  const written = await write(client, watched, target, verdict);
  if (written) watched.updateLocal(written);
  reports.report(owner, identity, target, 'propagated', `${propagationTargetText(target)} has the ids of this identity`, written === undefined);
  return verdict;
}

async function write(
  client: KubernetesClient, { type }: WatchedType, { name, namespace }: PropagationTarget, wanted: PropagationWrite,
): Promise<KubernetesObject | undefined> {
  switch (wanted.do) {
    case 'create': return client.create(type, wanted.object);
    case 'replace': return client.replace(type, wanted.object);
    case 'patch': return client.patch(type, name, namespace, wanted.patch, 'application/merge-patch+json');
    case 'none': return undefined;
  }
}

function isOutOfDate(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 409 || error.status === 404);
}

/** The status of Kubernetes has no reason for it. */
function isEndOfNamespace(error: unknown): boolean {
  return error instanceof KubernetesError && ((error.status === 403 && /being terminated/.test(error.message)) || error.status === 404);
}
