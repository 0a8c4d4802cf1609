import { DELETING, RECONCILING, withoutFatal, withReady } from './conditions';
import { finish, type Decision, type Observed, type Result, type ParentLockState } from './observed';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, hasFinalizer } from '../../../engine/objects/annotations';
import { pollerOf } from '../../../engine/objects/poller';
import { RESOURCE_ID } from '../../../src/azure/annotations';

/**
 * The work that runs in Azure when a reconcile ends: nothing, an operation (`begun`: started by this reconcile), or one without a sign
 * during this reconcile (`silence`).
 */
export type Remains = 'nothing' | 'begun' | 'operation' | 'silence';

/** A waiting object is woken; this delay is for a wake-up that was lost. Milliseconds. A reconcile that waits sends no request to Azure. */
export const ASKS_AGAIN = 5 * 60_000;

/** Whether the lock must be acquired before a request is sent. */
export function mustAcquireLock({ parentLock }: Observed): boolean {
  return parentLock !== undefined && parentLock.kind !== 'held';
}

/** Ends the reconcile: another object's write comes first. No failure, and no request was sent to Azure. */
export function waitForLock(observed: Observed, { before, parent }: Extract<ParentLockState, { kind: 'waits' }>): Decision {
  const { kind, namespace, name } = before;
  const message = `Waiting for its turn: ${kind} ${namespace}/${name} comes first, and Azure takes one write at a time below "${parent}"`;
  const state = observed.object.metadata.deletionTimestamp === undefined ? RECONCILING : DELETING;
  const object = withReady(withoutFatal(observed.object), { ...state, message }, observed.now);
  return finish({ ...observed, object }, { kind: 'requeue', delay: ASKS_AGAIN, waits: true });
}

/**
 * Whether Azure still processes the object's request when a reconcile ends, so that the object keeps the lock. Not if no reconcile
 * follows the operation: under `skip` none would see its end.
 */
export function remainsOf(observed: Observed, result: Result, actions: readonly string[]): Remains {
  const { object, parentLock } = observed;
  if (result.kind === 'done') return 'nothing';
  if (observed.busy && result.kind === 'failure') return 'operation';
  const poller = pollerOf(object);
  // The deletion does not follow the earlier operation; it has acquired the lock, and keeps it until it is complete.
  if (poller?.of === 'create' && object.metadata.deletionTimestamp !== undefined) return actions.includes('acquireLock') ? 'silence' : 'nothing';
  const last = actions.at(-1);
  if (poller && result.kind === 'requeue') return last === 'put' || last === 'delete' ? 'begun' : 'operation';
  if (poller) return actions.includes('poll') ? 'silence' : 'nothing';
  // Azure was deleting the resource already: there is no poll token.
  const isGoing = object.metadata.deletionTimestamp !== undefined && parentLock?.kind === 'held' && result.kind === 'requeue';
  return isGoing ? 'operation' : 'nothing';
}

/**
 * Whether a request of an earlier process may be in progress in Azure: the object has a poll token, or it is not in sync, so that a PUT
 * or a DELETE may have been sent whose answer was not stored.
 */
export function mayBeWriting(object: KubernetesObject, isUnsettled: boolean): boolean {
  if (!hasFinalizer(object) || annotation(object, RESOURCE_ID) === undefined) return false;
  return isUnsettled || object.metadata.deletionTimestamp !== undefined || pollerOf(object) !== undefined;
}
