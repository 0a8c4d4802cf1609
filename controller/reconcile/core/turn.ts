import { DELETING, RECONCILING, withoutFatal, withReady } from './conditions';
import { finish, type Decision, type Observed, type Result, type Turn } from './observed';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, hasFinalizer } from '../../../engine/objects/annotations';
import { pollerOf } from '../../../engine/objects/poller';
import { RESOURCE_ID } from '../../../src/azure/annotations';

/** What is on its way when a reconcile ends: nothing, an operation (`begun`: that this reconcile has begun), or one of which this reconcile has heard nothing. */
export type Remains = 'nothing' | 'begun' | 'operation' | 'silence';

/**
 * Whoever waits is called; this is for the case that nobody calls because something went wrong. Milliseconds. A reconcile that waits asks nothing of
 * Azure.
 */
export const ASKS_AGAIN = 5 * 60_000;

/** Whether nothing may be sent before the turn was asked for. */
export function mustAcquireLock({ turn }: Observed): boolean {
  return turn !== undefined && turn.kind !== 'mine';
}

/** Ends the reconcile: somebody else's write comes first. No failure, and nothing was asked of Azure. */
export function waitForLock(observed: Observed, { before, parent }: Extract<Turn, { kind: 'others' }>): Decision {
  const { kind, namespace, name } = before;
  const message = `Waiting for its turn: ${kind} ${namespace}/${name} comes first, and Azure takes one write at a time below "${parent}"`;
  const state = observed.object.metadata.deletionTimestamp === undefined ? RECONCILING : DELETING;
  const object = withReady(withoutFatal(observed.object), { ...state, message }, observed.now);
  return finish({ ...observed, object }, { kind: 'requeue', delay: ASKS_AGAIN, waits: true });
}

/**
 * Whether Azure is still at what the object has sent when a reconcile ends, so that the turn stays with it. Not when nobody followed the operation:
 * under `skip` nobody would see its end.
 */
export function remainsOf(observed: Observed, result: Result, actions: readonly string[]): Remains {
  const { object, turn } = observed;
  if (result.kind === 'done') return 'nothing';
  if (observed.busy && result.kind === 'failure') return 'operation';
  const poller = pollerOf(object);
  // The deletion does not follow what was sent before it; it has asked for its turn, and goes on until it is through.
  if (poller?.of === 'create' && object.metadata.deletionTimestamp !== undefined) return actions.includes('turn') ? 'silence' : 'nothing';
  const last = actions.at(-1);
  if (poller && result.kind === 'requeue') return last === 'put' || last === 'delete' ? 'begun' : 'operation';
  if (poller) return actions.includes('poll') ? 'silence' : 'nothing';
  // Azure was at the deletion already: there is no token of it.
  const isGoing = object.metadata.deletionTimestamp !== undefined && turn?.kind === 'mine' && result.kind === 'requeue';
  return isGoing ? 'operation' : 'nothing';
}

/**
 * Whether something of a process before this one may be on its way to Azure for the object: it has an operation's token, or it is not in sync
 * with its spec, so that a PUT or a DELETE may have been sent of which no answer was stored.
 */
export function mayBeWriting(object: KubernetesObject, isUnsettled: boolean): boolean {
  if (!hasFinalizer(object) || annotation(object, RESOURCE_ID) === undefined) return false;
  return isUnsettled || object.metadata.deletionTimestamp !== undefined || pollerOf(object) !== undefined;
}
