import { waitForCache } from './wait-for-cache';
import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesError } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { ThrottledError } from '../../budget';
import { withReady } from '../core/conditions';
import { readyStateOf, warning } from '../core/failure';
import { restoreKnowledge } from '../last-write-knowledge';
import type { ReconcileEnd, ReconcileRequest } from '../object-reconcile';
import { isRefusal, refusedWriteMessage } from '../refused-writes';

/** Ends a reconcile that has thrown: it waits for an unknown object; with any other error it rejects, and the queue retries it. */
export async function afterError(request: ReconcileRequest, error: unknown): Promise<ReconcileEnd> {
  const { key, cached, sent, state: { memories, parentLocks } } = request;
  if (error instanceof UnknownStateError) {
    parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(cached, RESOURCE_ID));
    return waitForCache(request, error);
  }
  // Only a reconcile that has sent no write yet is throttled; it comes back for its turn, and no request is in doubt.
  if (error instanceof ThrottledError) restoreKnowledge(memories.get(key), sent);
  else parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(cached, RESOURCE_ID));
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
