import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { Result } from '../core/observed';
import type { ObjectReconcile, ReconcileEnd, ReconcileProgress } from '../object-reconcile';
import { SHORTEST_DELAY_MS } from '../requeue-delay';
import { leftBehind } from '../sent-requests';

/** The result is written. The lock of the parent goes on, or stays with an object whose request still runs in Azure. */
export function endReconcile(reconcile: ObjectReconcile, progress: ReconcileProgress, result: Result): ReconcileEnd {
  return end(reconcile, progress, sinceDecision(reconcile, progress, result), progress.observed.object);
}

/** A delay begins with the answer of Azure that it follows, however long the API server takes to store the result. */
function sinceDecision({ options: { clock } }: ObjectReconcile, { observed }: ReconcileProgress, result: Result): Result {
  if (result.kind !== 'requeue' || !result.delay) return result;
  return { ...result, delay: Math.max(result.delay - Math.max(clock.now() - observed.now, 0), SHORTEST_DELAY_MS) };
}

/** The state on which the decision rests has changed: nothing is written, and the object is reconciled again at once. */
export function endWithOutdatedDecision(reconcile: ObjectReconcile, progress: ReconcileProgress): ReconcileEnd {
  return end(reconcile, progress, { kind: 'requeue', delay: SHORTEST_DELAY_MS, waits: true }, progress.stored);
}

/** The object is gone. */
export function endWithoutObject({ key, memory, state }: ObjectReconcile, { observed, actions }: ReconcileProgress): ReconcileEnd {
  state.parentLocks.reconciled(key, 'nothing', undefined);
  return { result: { kind: 'done' }, object: observed.object, actions, memory };
}

function end(reconcile: ObjectReconcile, progress: ReconcileProgress, result: Result, object: KubernetesObject): ReconcileEnd {
  const { key, memory, sent, state: { parentLocks } } = reconcile;
  const { observed, actions } = progress;
  parentLocks.reconciled(key, leftBehind(observed, result, actions, sent), annotation(observed.object, RESOURCE_ID));
  return { result, object, actions, memory };
}
