import type { ReadyState } from './conditions';
import type { Classification, RetryClass } from '../../../engine/arm/types';
import { TEXT_LIMITS, truncate } from '../../../engine/text-limits';

/** Why a reconcile did not reach its end, as the Ready condition shows it, and when the next reconcile comes. */
export interface Failure {
  readonly severity: 'Warning' | 'Error';
  readonly reason: string;
  /** The text of the cause. Never holds a secret. */
  readonly message: string;
  /** Of a Warning; an Error waits for a trigger or the next sync. */
  readonly retry: RetryClass;
  /** Seconds that Azure asks to wait; takes the place of the retry class. */
  readonly retryAfterSeconds?: number;
  /** Azure may just not know everywhere yet what it knows already: a new identity, its trust, its role. */
  readonly mayPropagate?: boolean;
  /** Azure's inner details: for events, which are read once. Conditions keep to ASO's text. */
  readonly details?: string;
}

export function warning(reason: string, message: string, retry: RetryClass = 'slow'): Failure {
  return { severity: 'Warning', reason: reasonOf(reason), message: messageOf(message), retry };
}

export function fatal(reason: string, message: string): Failure {
  return { severity: 'Error', reason: reasonOf(reason), message: messageOf(message), retry: 'slow' };
}

/** What nobody has classified: Warning `Failed`, retried. */
export function unclassified(error: unknown): Failure {
  return warning('Failed', error instanceof Error ? error.message : String(error));
}

/** Codes of Azure that a principal or role of the last minutes gets, and one that will never work. */
const PROPAGATING: ReadonlySet<string> = new Set(['AuthorizationFailed', 'LinkedAuthorizationFailed', 'PrincipalNotFound']);

export function mayPropagate(code: string): boolean {
  return PROPAGATING.has(code);
}

export function fromClassification(classification: Classification): Failure {
  const { code, message, severity, retry, retryAfterSeconds, details } = classification;
  return {
    severity,
    reason: reasonOf(code),
    message: messageOf(message),
    retry,
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    ...(mayPropagate(code) ? { mayPropagate: true } : {}),
    ...(details ? { details: messageOf(details) } : {}),
  };
}

/** What others say is cut before anything looks at it: redaction, comparison with the condition that there is, the log. */
function messageOf(text: string): string {
  return truncate(text, TEXT_LIMITS.message);
}

function reasonOf(text: string): string {
  return truncate(text, TEXT_LIMITS.reason);
}

/** Deleting never gives up: what would be fatal is retried. */
export function asWarning(failure: Failure): Failure {
  return failure.severity === 'Warning' ? failure : { ...failure, severity: 'Warning', retry: 'slow' };
}

export function readyStateOf(failure: Failure): ReadyState {
  return { status: 'False', severity: failure.severity, reason: failure.reason, message: failure.message };
}

const RETRY_NAMES: Record<RetryClass, string> = { fast: 'Fast', slow: 'Slow', verySlow: 'VerySlow' };

/** The text of the event that goes with a failure (docs/spec/conditions.md#events). */
export function eventTextOf(failure: Failure): string {
  const retry = failure.severity === 'Error' ? 'None' : RETRY_NAMES[failure.retry];
  return `Reason: ${failure.reason}, Severity: ${failure.severity}, RetryClassification: ${retry}, Cause: ${failure.message}${failure.details ? ` [${failure.details}]` : ''}`;
}
