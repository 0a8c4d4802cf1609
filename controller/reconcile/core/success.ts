import { readyOf, withReady, type ReadyState } from './conditions';
import { withLearnt } from './drift';
import { stateFailure } from './failed-resource';
import { absence, errorEvent, readyStateOf, warning, type Failure } from './failure';
import { act, finish, type Decision, type Existing, type Observed, type Outcome } from './observed';
import { pollDelayMs } from './poll-delay';
import { succeededState } from './repeated-drift';
import type { OperationRunning } from '../../../engine/arm/types';
import type { ResourceState } from '../../../engine/kinds/resource-state';
import { annotation, withAnnotations, withoutPoller } from '../../../engine/objects/annotations';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import type { Operation } from '../../../engine/objects/waiting';
import type { EventText } from '../../../runtime/events/event-text';
import { LATEST_GENERATION, RESOURCE_ID } from '../../../src/azure/annotations';

/** After PUT, after polling, and in the refresh-only path (docs/spec/reconcile.md#success): the status as Azure has it. */
export function afterRefresh(observed: Observed, existing: Existing | undefined): Decision {
  if (!existing) return absent(observed);
  const { status, state } = existing;
  if (state.outcome === 'failed') return failedInAzure({ ...observed, object: withStatus(observed.object, status) }, state);
  const isFollowed = allowsModification(observed.policy) || state.outcome !== 'running';
  const seen: Observed = isFollowed ? observed : { ...observed, busy: true };
  const { object, events } = withLearnt(observed, existing);
  return act({ ...seen, object: withStatus(object, status), azureState: state }, { do: 'complete' }, ...events);
}

/** Azure says that the resource does not work: the object is not Ready, however its last request ended. */
function failedInAzure(observed: Observed, state: ResourceState): Decision {
  const ended: Observed = { ...observed, object: withoutPoller(observed.object) };
  return isSpecNewer(ended) ? finish(ended, { kind: 'requeue' }) : actionError(ended, stateFailure(ended, state));
}

function absent(observed: Observed): Decision {
  const armId = annotation(observed.object, RESOURCE_ID)!;
  if (!allowsModification(observed.policy)) {
    return actionError(observed, absence(`"${armId}" does not exist in Azure, and the reconcile policy keeps this controller from creating it`));
  }
  const failure = warning('Failed', `error updating status: "${armId}" was not found in Azure after it had been created or updated`);
  // Reads may lag behind writes in Azure: the next reconcile reads again, and sends a PUT only if the resource is still absent.
  return actionError({ ...observed, object: withoutPoller(observed.object) }, failure, { afterPut: true });
}

/** Conditions stay: they are not part of Azure's status, and their times would change with every sync. */
export function withStatus(object: Observed['object'], status: Readonly<Record<string, unknown>>): Observed['object'] {
  const conditions = object.status?.conditions;
  return { ...object, status: conditions ? { ...status, conditions } : { ...status } };
}

/** Checks, exports and hooks are done. */
export function afterComplete(observed: Observed, outcome: Extract<Outcome, { of: 'complete' }>): Decision {
  const refreshed = outcome.status ? withStatus(observed.object, outcome.status) : observed.object;
  const object = withoutPoller(outcome.annotations ? withAnnotations(refreshed, outcome.annotations) : refreshed);
  // A newer spec came while the operation ran: it is sent next.
  if (isSpecNewer({ ...observed, object })) return finish({ ...observed, object }, { kind: 'requeue' });
  const state = succeededState({ ...observed, object });
  const ready = { ...observed, object: withReady(object, state, observed.now) };
  const events = warningEvents(observed, state);
  const { correctionDueAt, now, syncPeriod = Infinity } = observed;
  // Other drift is still checked once a sync period.
  if (correctionDueAt !== undefined) return finish(ready, { kind: 'requeue', delay: Math.min(correctionDueAt - now, syncPeriod) }, ...events);
  return finish(ready, { kind: 'success', ...remaining(observed) }, ...events);
}

/** Whether the spec has changed since the last PUT. */
function isSpecNewer({ object, policy }: Observed): boolean {
  const sent = annotation(object, LATEST_GENERATION);
  return allowsModification(policy) && sent !== undefined && sent !== String(object.metadata.generation ?? 0);
}

/** A warning of Azure is an event when it is new. */
function warningEvents({ object, azureState }: Observed, { message }: ReadyState): EventText[] {
  const isNews = azureState !== undefined && azureState.warnings.length > 0 && readyOf(object)?.message !== message;
  return isNews ? [{ type: 'Warning', reason: 'AzureWarning', message }] : [];
}

/** A sync without a comparison does not postpone the next one. */
function remaining(observed: Observed): { period?: number } {
  const record = lastAppliedOf(observed.object);
  if (observed.inSync) return {};
  if (observed.syncPeriod === undefined || !record || !allowsModification(observed.policy)) return {};
  const left = Date.parse(record.at) + observed.syncPeriod - observed.now;
  return left < observed.syncPeriod ? { period: Math.max(left, 1000) } : {};
}

/** An action was not possible. */
export function applyFailed(observed: Observed, outcome: Extract<Outcome, { of: 'failure' }>): Decision {
  const refreshed = outcome.status ? withStatus(observed.object, outcome.status) : observed.object;
  const object = outcome.annotations ? withAnnotations(refreshed, outcome.annotations) : refreshed;
  const seen: Observed = { ...observed, object };
  switch (outcome.during) {
    case 'resolve':
      // Failures of the claim make no event; those of a claimed object do.
      return annotation(object, RESOURCE_ID) ? actionError(seen, outcome.failure) : fail(seen, outcome.failure);
    case 'complete':
      return actionError(seen, outcome.failure, { afterPut: true });
    case 'read':
      if (outcome.purpose === 'recover' || outcome.purpose === 'adopt' || outcome.purpose === 'compare') {
        return actionError(seen, outcome.failure);
      }
      return actionError(
        seen,
        { ...outcome.failure, reason: 'Failed', message: `error updating status: ${outcome.failure.message}` },
        { afterPut: true },
      );
    default:
      return actionError(seen, outcome.failure);
  }
}

/** Ends the reconcile with a failure that is also an event. */
export function actionError(observed: Observed, failure: Failure, more: { afterPut?: boolean } = {}): Decision {
  return fail(observed, failure, more, 'CreateOrUpdateActionError');
}

export function fail(observed: Observed, failure: Failure, more: { afterPut?: boolean } = {}, eventReason?: string): Decision {
  const object = withReady(observed.object, readyStateOf(failure), observed.now);
  const events: EventText[] = eventReason ? [errorEvent(eventReason, failure)] : [];
  return finish({ ...observed, object }, { kind: 'failure', failure, ...more }, ...events);
}

interface RunningOperation {
  readonly of: Operation;
  readonly step: Pick<OperationRunning, 'retryAfterSeconds'>;
  /** Whether Azure has just accepted the request. */
  readonly isNew: boolean;
}

/** Ends the reconcile of an object whose operation runs; the next one polls it. */
export function pollLater(
  observed: Observed, { of, step: { retryAfterSeconds }, isNew }: RunningOperation, ...events: EventText[]
): Decision {
  const delay = pollDelayMs(observed, of, retryAfterSeconds, isNew);
  return finish(observed, { kind: 'requeue', ...(delay ? { delay } : {}) }, ...events);
}

/** Ends the reconcile; the next one comes at Azure's `Retry-After`, or with the queue's own delay. */
export function later(observed: Observed, retryAfterSeconds?: number, ...events: EventText[]): Decision {
  return finish(observed, { kind: 'requeue', ...(retryAfterSeconds ? { delay: retryAfterSeconds * 1000 } : {}) }, ...events);
}
