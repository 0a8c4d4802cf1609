import { credentialFailureOf } from './credential';
import { boundedFailure, withFailedOperation } from './failed-resource';
import { errorEvent, fromClassification, warning, type Failure } from './failure';
import { act, finish, type Decision, type Observed, type Outcome } from './observed';
import { isOverdue, maySendAgain, overdue, waitingSince, withSentAgain, withWaiting } from './overdue';
import { foreignId } from './own-id';
import { actionError, afterRefresh, later, pollLater } from './success';
import { classify } from '../../../engine/arm/classify';
import { CONTRADICTION_CODE } from '../../../engine/arm/poll-operation';
import type { OperationRunning, OperationState } from '../../../engine/arm/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, withoutPoller } from '../../../engine/objects/annotations';
import { bodyOperation, operationOf, pollerOf, withPoller, type Poller } from '../../../engine/objects/poller';
import type { EventText } from '../../../runtime/events/event-text';
import { LATEST_GENERATION, RESOURCE_ID } from '../../../src/azure/annotations';

/** Polls that may fail in a row before the condition reports it. */
const QUIET_FAILURES = 3;

/** Polls a running operation, once a reconcile (docs/spec/reconcile.md#monitor). */
export function startMonitor(observed: Observed): Decision {
  const failure = credentialFailureOf(observed) ?? foreignId(observed);
  if (failure) return actionError(observed, failure);
  const poller = pollerOf(observed.object)!;
  if (poller.of === 'delete') {
    return actionError(
      observed,
      warning('Failed', 'the running operation of this object is a deletion, but the object is not being deleted'),
    );
  }
  return act(observed, { do: 'poll', state: operationOf(observed.object, observed.traits.armApiVersion) ?? ownState(observed), since: waitingSince(observed.object, 'put') });
}

/** A token that cannot be used says nothing, but the resource shows the state of its operation. */
function ownState(observed: Observed): OperationState {
  return bodyOperation(annotation(observed.object, RESOURCE_ID)!, observed.traits.armApiVersion);
}

export function afterPoll(observed: Observed, outcome: Extract<Outcome, { of: 'put' | 'poll' }>): Decision {
  if ('failed' in outcome) return endFailedOperation(observed, outcome.failed);
  const { step } = outcome;
  if (step.kind === 'succeeded') {
    const { existing } = outcome;
    if (existing) return afterRefresh(observed, existing);
    return act(observed, { do: 'read', armId: annotation(observed.object, RESOURCE_ID)!, purpose: 'refresh' });
  }
  const object = withWaiting({ object: following(observed, 'create', step.state), now: observed.now }, 'put');
  const followed: Observed = { ...observed, object };
  // The operation URL is gone, and the resource itself is watched instead: that is progress.
  if (step.transient && !hasTakenOver(observed, step.state)) return pollFailed(observed, waiting(step));
  const { transient } = step;
  const events: EventText[] = transient?.code === CONTRADICTION_CODE
    ? [{ type: 'Warning', reason: transient.code, message: `${transient.message}; the resource itself decides` }]
    : [];
  return isOverdue(followed, 'put') ? pollOverdue(followed, step.state) : pollLater(followed, { of: 'put', step, isNew: false }, ...events);
}

/**
 * The operation takes longer than any of its type. From now on the resource itself is watched, because Azure deletes the records of
 * operations, and the current spec is sent again from time to time.
 */
function pollOverdue(observed: Observed, state: OperationState): Decision {
  const watched = { ...observed, object: following(observed, 'create', ownState(observed)) };
  const sentGeneration = annotation(observed.object, LATEST_GENERATION);
  const isNewer = sentGeneration !== undefined && sentGeneration !== String(observed.object.metadata.generation ?? 0);
  if (!isNewer || !maySendAgain(watched, 'put')) return overdue(watched, 'put', state.state);
  return act({ ...watched, object: withSentAgain(watched, 'put'), sendsAgain: { state: state.state, sentGeneration } }, { do: 'resolve' });
}

/** The failure of a poll without an answer that tells the state. */
export function waiting(step: OperationRunning): Failure {
  const failure = fromClassification(classify(step.transient!));
  return step.retryAfterSeconds ? { ...failure, retryAfterSeconds: step.retryAfterSeconds } : failure;
}

/** Whether the operation is followed by another URL than before. */
function hasTakenOver(observed: Observed, state: OperationState): boolean {
  return following(observed, 'create', state) !== observed.object;
}

/** The object with the token of the operation. */
export function withOperation({ object, credential }: Observed, of: Poller['of'], state: OperationState): KubernetesObject {
  if ('failure' in credential) throw new Error('an operation was begun without a credential');
  return withPoller(object, of, state, credential.endpoint);
}

/** Returns the same object unless the URL has changed, to save a write. */
export function following(observed: Observed, of: Poller['of'], state: OperationState): KubernetesObject {
  const { object, traits } = observed;
  const next = withOperation(observed, of, state);
  const [old, now] = [operationOf(object, traits.armApiVersion), operationOf(next, traits.armApiVersion)];
  const same = old?.pollUrl === now?.pollUrl && old?.locationUrl === now?.locationUrl && old?.style === now?.style;
  return same ? object : next;
}

/** Azure had begun the operation of a PUT, and it has failed. */
export function endFailedOperation(observed: Observed, failure: Failure): Decision {
  const object = withFailedOperation({ ...observed, object: withoutPoller(observed.object) });
  const ended: Observed = { ...observed, object };
  const sent = annotation(object, LATEST_GENERATION);
  if (sent !== undefined && sent !== String(object.metadata.generation ?? 0)) {
    // The failed operation is of an older spec: the newer one is sent at once, and no condition reports the failure.
    return later(ended, undefined, errorEvent('CreateOrUpdateActionError', failure));
  }
  return actionError(ended, boundedFailure(ended, failure));
}

/**
 * One poll request failed. The operation goes on in Azure, so its token stays (ASO drops it and sends a new PUT); a condition reports the
 * failure only when it repeats.
 */
function pollFailed(observed: Observed, failure: Failure): Decision {
  if (observed.failures + 1 < QUIET_FAILURES) return finish(observed, { kind: 'failure', failure });
  return actionError(observed, failure);
}
