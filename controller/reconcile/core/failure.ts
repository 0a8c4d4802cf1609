import type { ReadyState } from './conditions';
import type { AnswerId, Classification, RetryClass } from '../../../engine/arm/types';
import { TEXT_LIMITS, truncate } from '../../../engine/text-limits';
import type { EventText } from '../../../runtime/events/event-text';

/** Why a reconcile did not succeed, as the Ready condition shows it, and when the next reconcile comes. */
export interface Failure {
  readonly severity: 'Warning' | 'Error';
  readonly reason: string;
  /** The text of the cause. Never holds a secret. */
  readonly message: string;
  /** Retry class of a Warning. An Error waits for a trigger or the next sync; its event names the class of the reason, as ASO's does. */
  readonly retry: RetryClass;
  /** Seconds to wait as requested by Azure; replaces the retry class. */
  readonly retryAfterSeconds?: number;
  /** The cause may be that a new identity, its trust or its role is not known everywhere in Azure yet. */
  readonly mayPropagate?: boolean;
  /** The object that it waits for wakes it: it is only retried at the longest interval of its class. */
  readonly isWoken?: boolean;
  /** There is no such resource in Azure, and the object may not create it: the delays of further reads grow to the sync period. */
  readonly isAbsence?: boolean;
  /** Azure's inner details, for events only. Conditions keep to ASO's text. */
  readonly details?: string;
  /** The answer of Azure that it is about, for events only: the request id changes with every try. */
  readonly answer?: AnswerId;
}

export function warning(reason: string, message: string, retry: RetryClass = 'slow'): Failure {
  return { severity: 'Warning', reason: reasonOf(reason), message: messageOf(message), retry };
}

/** There is no such resource in Azure, and the object may not create it. */
export function absence(message: string): Failure {
  return { ...warning('AzureResourceNotFound', message), isAbsence: true };
}

/** @param retry class that the event names; an Error waits for a trigger or the next sync */
export function fatal(reason: string, message: string, retry: RetryClass = 'slow'): Failure {
  return { severity: 'Error', reason: reasonOf(reason), message: messageOf(message), retry };
}

/** An error without a classification: Warning `Failed`, retried. */
export function unclassified(error: unknown): Failure {
  return warning('Failed', error instanceof Error ? error.message : String(error));
}

/** Azure's error codes both for a principal or role that was just created, and for one that will never work. */
const PROPAGATING: ReadonlySet<string> = new Set(['AuthorizationFailed', 'LinkedAuthorizationFailed', 'PrincipalNotFound']);

export function mayPropagate(code: string): boolean {
  return PROPAGATING.has(code);
}

export function fromClassification(classification: Classification): Failure {
  const { code, message, severity, retry, retryAfterSeconds, details, answer } = classification;
  return {
    severity,
    reason: reasonOf(code),
    message: messageOf(message),
    retry,
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    ...(mayPropagate(code) ? { mayPropagate: true } : {}),
    ...(details ? { details: messageOf(details) } : {}),
    ...(answer ? { answer } : {}),
  };
}

/** Truncates texts of third parties before any further work: redaction, comparison with the stored condition, the log. */
function messageOf(text: string): string {
  return truncate(text, TEXT_LIMITS.message);
}

function reasonOf(text: string): string {
  return truncate(text, TEXT_LIMITS.reason);
}

/** A deletion never gives up: a fatal failure is retried. */
export function asWarning(failure: Failure): Failure {
  return failure.severity === 'Warning' ? failure : { ...failure, severity: 'Warning', retry: 'slow' };
}

export function readyStateOf(failure: Failure): ReadyState {
  return { status: 'False', severity: failure.severity, reason: failure.reason, message: failure.message };
}

/** ASO's words (v2/pkg/genruntime/retry). */
const RETRY_NAMES: Record<RetryClass, string> = { fast: 'RetryFast', slow: 'RetrySlow', verySlow: 'RetryVerySlow' };

/** The event that goes with a failure (docs/spec/conditions.md#events). */
export function errorEvent(reason: string, failure: Failure): EventText {
  return { type: 'Warning', reason, message: eventTextOf(failure), ...(failure.answer ? { answer: failure.answer } : {}) };
}

export function eventTextOf(failure: Failure): string {
  const { reason, severity, retry, message, details } = failure;
  return `Reason: ${reason}, Severity: ${severity}, RetryClassification: ${RETRY_NAMES[retry]}, Cause: ${message}${details ? ` [${details}]` : ''}`;
}
