import type { Failure } from './failure';
import type { Result } from './observed';
import type { RetryClass } from '../../../engine/arm/types';
import {
  DEFAULT_SYNC_PERIOD_MS,
  exponential,
  jittered,
  pollDelayMs,
  PROPAGATION_CAP_MS,
  PROPAGATION_TRIES,
  RETRY_CAP_MS,
} from '../../../engine/schedule';

/** Delays between reconciles (docs/spec/errors.md#intervals). All in milliseconds. */
const SECOND = 1000;

/** The retry counters of one object. */
export interface RetryCounters {
  /** Failed reconciles in a row. */
  readonly failures: number;
  /** Reconciles in a row that only asked to be called again. */
  readonly requeues: number;
  /** Retry class of the last failure. */
  readonly retry?: RetryClass;
}

export const NO_RETRIES: RetryCounters = { failures: 0, requeues: 0 };

export interface NextReconcile {
  /** Undefined: no timer, a trigger has to come. */
  readonly delay?: number | undefined;
  readonly counters: RetryCounters;
}

export interface BackoffSettings {
  /** Undefined: `never`. */
  readonly syncPeriod?: number | undefined;
}

/** When the next reconcile of an object comes, and what its counters are then. `random`: uniform in [0, 1). */
export function nextReconcile(result: Result, counters: RetryCounters, settings: BackoffSettings, random: number): NextReconcile {
  switch (result.kind) {
    case 'done':
      return { counters: NO_RETRIES };
    case 'success':
      return { delay: periodOf(result.period ?? settings.syncPeriod, random), counters: NO_RETRIES };
    case 'requeue':
      if (result.waits) return { delay: result.delay, counters };
      if (result.delay) return { delay: result.delay, counters: NO_RETRIES };
      return { delay: pollDelayMs(counters.requeues), counters: { failures: 0, requeues: counters.requeues + 1 } };
    case 'failure':
      // ASO sets no timer. But the cause may be fixed in Azure without an event; one retry per sync period costs next to nothing.
      if (result.failure.severity === 'Error') return { delay: periodOf(settings.syncPeriod, random), counters: NO_RETRIES };
      return afterFailure(result.failure, counters, settings, random);
  }
}

function afterFailure(failure: Failure, counters: RetryCounters, settings: BackoffSettings, random: number): NextReconcile {
  const { retry, retryAfterSeconds, mayPropagate = false, isWoken = false, isAbsence = false } = failure;
  // The failures while the object waited for others say nothing about the retries against Azure.
  const failures = counters.retry === 'fast' && retry === 'slow' ? 0 : counters.failures;
  return {
    delay: retryAfterSeconds
      ? retryAfterSeconds * SECOND
      : mayPropagate
        ? propagationDelay(failures)
        : isAbsence
          ? absenceDelay(failures, settings, random)
          : retryDelay(retry, isWoken ? Infinity : failures, settings, random),
    counters: { failures: failures + 1, requeues: 0, retry },
  };
}

/** The wait after the failure number `failures` (counted from 0; infinite: the longest wait) of a retry class. */
export function retryDelay(retry: RetryClass, failures: number, settings: BackoffSettings, random: number): number {
  if (retry === 'verySlow') return jittered(settings.syncPeriod ?? DEFAULT_SYNC_PERIOD_MS, random);
  return exponential(failures, RETRY_CAP_MS[retry]);
}

/** A resource that is about to come is seen soon; where none comes, the reads become as rare as those of what is in sync. */
function absenceDelay(failures: number, { syncPeriod }: BackoffSettings, random: number): number {
  return exponential(failures, jittered(syncPeriod ?? DEFAULT_SYNC_PERIOD_MS, random));
}

function propagationDelay(failures: number): number {
  if (failures < PROPAGATION_TRIES) return exponential(failures, PROPAGATION_CAP_MS);
  // Propagation is not the cause, then: the usual delays follow.
  return exponential(failures - PROPAGATION_TRIES + 4, RETRY_CAP_MS.slow);
}

function periodOf(period: number | undefined, random: number): number | undefined {
  return period === undefined ? undefined : jittered(period, random);
}
