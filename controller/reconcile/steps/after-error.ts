import { waitForCache } from './wait-for-cache';
import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesError } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { ThrottledError } from '../../budget';
import { DELETING, RECONCILING, withReady } from '../core/conditions';
import { readyStateOf, warning } from '../core/failure';
import { restoreKnowledge } from '../last-write-knowledge';
import type { ReconcileEnd, ReconcileRequest } from '../object-reconcile';
import { isRefusal, refusedWriteMessage } from '../refused-writes';
import { isUnsettled } from '../triggers';
import { isOurs } from './own-policy';

/** Ends a reconcile that has thrown: it waits for an unknown object; with any other error it rejects, and the queue retries it. */
export async function afterError(request: ReconcileRequest, error: unknown): Promise<ReconcileEnd> {
  const { key, cached, sent, state: { memories, parentLocks } } = request;
  if (error instanceof UnknownStateError) {
    parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(cached, RESOURCE_ID));
    return waitForCache(request, error);
  }
  if (error instanceof ThrottledError) {
    // Only a reconcile that has sent no write yet is throttled; it comes back for its turn, and no request is in doubt.
    restoreKnowledge(memories.get(key), sent);
    parentLocks.reconciled(key, 'throttled', annotation(cached, RESOURCE_ID));
    if (error.isLong) await reportThrottled(request, error);
  } else {
    parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(cached, RESOURCE_ID));
  }
  if (isRefusal(error)) await reportRefusal(request, error);
  throw error;
}

/** Reports a write that the API server refuses, on the object and as an event. */
async function reportRefusal({ key, watched, options, state }: ReconcileRequest, error: KubernetesError): Promise<void> {
  const object = watched.store.get(key.namespace, key.name);
  if (!object) return;
  const failure = warning('KubernetesWriteRefused', refusedWriteMessage(error));
  options.events.record(object, { type: 'Warning', reason: failure.reason, message: failure.message });
  const reported = withReady(object, readyStateOf(failure), options.clock.now());
  // If the API server refuses even this status, the log has the error.
  await state.writer.writeStatus(watched, object, reported).catch(() => undefined);
}

/** Sets the condition of an object that is not in sync: it says what its request waits for, unless an earlier failure says more. */
async function reportThrottled({ key, watched, cached, options, state }: ReconcileRequest, { limit }: ThrottledError): Promise<void> {
  const object = watched.store.get(key.namespace, key.name) ?? cached;
  if (!isOurs(object, options) || !(isUnsettled(object) || object.metadata.deletionTimestamp !== undefined)) return;
  const message = `Waiting for Azure: its limit for ${limit} has no room now. The request is sent as soon as there is`;
  const waits = object.metadata.deletionTimestamp === undefined ? RECONCILING : DELETING;
  const reported = withReady(object, { ...waits, message }, options.clock.now());
  // The reconcile comes back in any case.
  await state.writer.writeStatus(watched, object, reported).catch(() => undefined);
}
