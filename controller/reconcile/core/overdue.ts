import { readyOf, wholeSeconds, withReady } from './conditions';
import type { Failure } from './failure';
import { finish, type Decision, type Observed } from './observed';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { waitingOf, type Operation } from '../../../engine/objects/waiting';
import type { EventText } from '../../../runtime/events/event-text';
import { RESOURCE_ID, WAITING } from '../../../src/azure/annotations';

const HOUR = 60 * 60_000;
/** Checks of an overdue operation within each timeout. */
const LOOKS = 12;

export const OVERDUE = 'OperationOverdue';

/** The input of changes to the annotation: the object, and the time. */
type Waiter = Pick<Observed, 'object' | 'now'>;

/** The time since which the object waits for the end of an operation; undefined: not known. */
export function waitingSince(object: KubernetesObject, operation: Operation): number | undefined {
  return waitingOf(object, operation)?.since;
}

/** Starts the wait for the end of an operation, unless the object waits for it already. */
export function withWaiting(waiter: Waiter, operation: Operation): KubernetesObject {
  return waitingOf(waiter.object, operation) ? waiter.object : withNewWaiting(waiter, operation);
}

/** Starts the wait for the end of a new operation. */
export function withNewWaiting({ object, now }: Waiter, operation: Operation): KubernetesObject {
  return withAnnotations(object, { [WAITING]: `${operation} ${wholeSeconds(now)}` });
}

/** Records that the request was sent again. */
export function withSentAgain({ object, now }: Waiter, operation: Operation): KubernetesObject {
  const since = waitingOf(object, operation)?.since ?? now;
  return withAnnotations(object, { [WAITING]: `${operation} ${wholeSeconds(since)} ${wholeSeconds(now)}` });
}

function operationTimeoutMsOf({ traits }: Pick<Observed, 'traits'>, operation: Operation): number {
  return traits.operationTimeoutMs?.[operation] ?? HOUR;
}

/** Whether the operation takes longer than any known one of its type. */
export function isOverdue(observed: Observed, operation: Operation): boolean {
  const waiting = waitingOf(observed.object, operation);
  return waiting !== undefined && observed.now - waiting.since >= operationTimeoutMsOf(observed, operation);
}

/**
 * Whether the request of an overdue operation (the DELETE, or the PUT of a newer spec) may be sent again: at once the first time, then
 * after each timeout.
 */
export function maySendAgain(observed: Observed, operation: Operation): boolean {
  const sentAgain = waitingOf(observed.object, operation)?.sentAgain;
  return sentAgain === undefined || observed.now - sentAgain >= operationTimeoutMsOf(observed, operation);
}

/**
 * Ends a reconcile of an object whose operation is overdue: a Warning reports since when, and Azure is checked regularly, without an end.
 * @param state provisioning state in Azure
 * @param refusal Azure's answer to the repeated request
 */
export function overdue(observed: Observed, operation: Operation, state: string | undefined, refusal?: Failure): Decision {
  const { object, now } = observed;
  const timeoutMs = operationTimeoutMsOf(observed, operation);
  const message = textOf(observed, operation, state);
  const ready = withReady(object, { status: 'False', severity: 'Warning', reason: OVERDUE, message }, now);
  const isNews = readyOf(object)?.message !== message || refusal !== undefined;
  const text = refusal ? `${message}. Azure answered ${refusal.reason}: ${refusal.message}` : message;
  const events: EventText[] = isNews ? [{ type: 'Warning', reason: OVERDUE, message: text, ...(refusal?.answer ? { answer: refusal.answer } : {}) }] : [];
  return finish({ ...observed, object: ready }, { kind: 'requeue', delay: Math.round(timeoutMs / LOOKS) }, ...events);
}

function textOf(observed: Observed, operation: Operation, state: string | undefined): string {
  const { since, sentAgain } = waitingOf(observed.object, operation) ?? { since: observed.now };
  const what = operation === 'delete' ? 'deleting' : 'working on';
  const minutes = Math.round(operationTimeoutMsOf(observed, operation) / 60_000);
  const wish = operation === 'delete' ? 'DELETE' : 'newer spec';
  const again = sentAgain === undefined ? '' : `; the ${wish} was sent again at ${wholeSeconds(sentAgain)}`;
  return `Azure has been ${what} "${annotation(observed.object, RESOURCE_ID) ?? ''}" since ${wholeSeconds(since)}${state ? ` (state ${state})` : ''}, `
    + `longer than the ${minutes} minutes after which operations of this type are overdue${again}. It is looked at again every few minutes; `
    + 'if it does not end, ask Azure support';
}
