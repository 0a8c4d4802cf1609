import { dependOnCredential } from './object-credential';
import { ownPolicyOf } from './own-policy';
import type { ArmClient } from '../../../engine/arm/types';
import type { ResolvedCredential } from '../../../engine/credentials/types';
import { findOrUnknown, UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import type { Priority } from '../../../runtime/work-queue';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { ThrottledError } from '../../budget';
import type { AzureAction } from '../actions/action-context';
import { ReconcileActions } from '../actions/reconcile-actions';
import type { Outcome } from '../core/observed';
import { fencedArmClient, fencedCredential } from '../fence';
import { requestAnswered, requestInDoubt } from '../last-write-knowledge';
import type { ObjectReconcile, Preemption, ReconcileProgress } from '../object-reconcile';
import { lockedClient } from './parent-lock';
import { namedOwner, ownerState } from '../observe';
import { isUnsettled } from '../triggers';

/** Prepares the actions of one reconcile. Its requests wait in the budget, in the order of their priority. */
export function startActions(
  reconcile: ObjectReconcile, credential: ResolvedCredential | undefined, preemption: Preemption,
): ReconcileActions {
  const { key, object, version, lookup, external, options } = reconcile;
  const { signal } = preemption;
  return new ReconcileActions({
    version,
    lookup,
    client: credential && fencedArmClient(lockedClient(reconcile, budgetedClient(reconcile, credential, preemption)), options.fence, key),
    credential: () => fencedCredential(credential ?? options.credentials.resolve(object), options.fence, key),
    ...(options.fence ? { fence: () => options.fence?.(key) } : {}),
    external,
    exporter: options.exporter,
    signal,
    now: () => options.clock.now(),
    timeScale: options.delayScale,
    onInDoubt: () => requestInDoubt(reconcile),
    onAnswered: () => requestAnswered(reconcile),
  });
}

function budgetedClient(reconcile: ObjectReconcile, credential: ResolvedCredential, { onThrottled, onWait }: Preemption): ArmClient {
  const { key, object, priority, options: { budget, dependencies }, state: { parentLocks } } = reconcile;
  if (!budget) return credential.client;
  const isOutdated = whetherOutdated(reconcile);
  return budget.clientFor(credential, {
    key,
    namespace: key.namespace,
    priority: urgencyOf(object, priority),
    rank: dependencies.rankOf(key),
    onThrottled,
    isOutdated: () => isOutdated() || !parentLocks.resume(key),
    onWait: () => {
      const goOn = onWait?.();
      parentLocks.pause(key);
      return () => {
        parentLocks.goOn(key);
        goOn?.();
      };
    },
  });
}

/** A look in the cache, while a request waits for its turn: whether the object is not to be treated any more as it was at the beginning. */
function whetherOutdated({ key, object, options }: ObjectReconcile): () => boolean {
  const { uid, deletionTimestamp } = object.metadata;
  const { policy } = ownPolicyOf(object, options);
  return () => {
    const now = options.cluster.lastSeen(key);
    if (!now || now.metadata.uid !== uid || now.metadata.deletionTimestamp !== deletionTimestamp) return true;
    const found = findOrUnknown(() => ownPolicyOf(now, options));
    return found instanceof UnknownStateError || found.policy !== policy;
  };
}

/** An object that is not in sync is more urgent than a check of one that is, whatever triggered the reconcile (polls come by timer). */
function urgencyOf(object: KubernetesObject, priority: Priority): Priority {
  return object.metadata.deletionTimestamp !== undefined || isUnsettled(object) ? 'fresh' : priority;
}

/** Carries out an action in Azure, and keeps what the next decisions need of its outcome. */
export async function carryOut(
  actions: ReconcileActions, reconcile: ObjectReconcile, progress: ReconcileProgress, action: AzureAction, signal: AbortSignal,
): Promise<Outcome> {
  const { key, memory, sent, options, state: { ids, created, lost } } = reconcile;
  const armId = annotation(progress.observed.object, RESOURCE_ID) ?? '';
  if (action.do === 'resolve' || action.do === 'ensure') renewDependencies(reconcile);
  if (action.do === 'put') {
    created.sending(armId);
    memory.absentAt = undefined;
  }
  if (action.do === 'delete') created.forget(key);
  let outcome: Outcome;
  try {
    outcome = await actions.carryOut(action, progress.observed);
  } catch (error) {
    // The reconcile ends without a record of its requests.
    if (!(signal.reason instanceof ThrottledError)) memory.knowledge = 'uncertain';
    else if (action.do === 'put' && progress.observed.isNew) created.notSent(armId);
    throw error;
  }
  if (outcome.of === 'read') {
    sent.hasLooked = true;
    if (!outcome.existing && memory.absentAt === undefined && wasThere(progress)) lost.notFound(armId);
    memory.absentAt = outcome.existing ? undefined : options.clock.now();
    if (!outcome.existing) created.forget(key);
  }
  if (outcome.of === 'resolve') {
    const { armId: id } = outcome.desired;
    ids.set(key, id);
    const isShared = ids.hasOther(key, id);
    progress.observed = { ...progress.observed, isShared, isNew: !isShared && isNew(reconcile, progress, id) };
  }
  if (outcome.of === 'put' && 'step' in outcome) {
    const { uid = '' } = reconcile.object.metadata;
    const { traits: { armType = '' }, isNew: wasNew = false } = progress.observed;
    created.accepted(key, { uid, armId, armType, status: outcome.status ?? 0, wasNew });
  }
  return outcome;
}

/** Whether Azure has accepted a PUT of the object, which is not being deleted. */
function wasThere({ observed: { object } }: ReconcileProgress): boolean {
  return object.metadata.deletionTimestamp === undefined && lastAppliedOf(object)?.answered === true;
}

/** Whether the owner is an object whose resource this process has just made, so that there is no child with this id yet. */
function isNew({ key, version, object, state: { created } }: ObjectReconcile, { observed }: ReconcileProgress, armId: string): boolean {
  const { owner } = observed;
  const named = owner.kind === 'ready' ? namedOwner(object, version) : undefined;
  if (owner.kind !== 'ready' || !named) return false;
  return created.isNew({ group: named.group, kind: named.kind, namespace: key.namespace, name: named.name }, owner.reference.uid, armId);
}

/** The action reads the spec anew, and with it all objects that this one depends on. */
function renewDependencies(reconcile: ObjectReconcile): void {
  const { key, object, version, lookup, options: { cluster, dependencies } } = reconcile;
  dependencies.reset(key);
  dependOnCredential(reconcile);
  ownerState(object, version, cluster, lookup);
}
