/** Delays that the controller uses and that `capacity` calculates with (docs/spec/errors.md#intervals). */
const SECOND = 1000;
/** ASO: 60 s. An operation that ends just after a poll would then go unnoticed for a minute; a read is cheap (25 a second are free). */
const LONGEST_POLL_DELAY_MS = 15 * SECOND;

/** The relative spread of the sync period: × uniform(0.75, 1.25). */
export const JITTER = 0.25;

/** Maximum ids in a query of Resource Graph: an answer may have 16 MiB and 1,000 rows; a resource of some ten KiB is a large one. */
export const MOST_IDS_OF_QUERY = 300;

/** Maximum period between single reads of a resource, in milliseconds, regardless of batch drift detection. */
export const FULL_READ_PERIOD_MS = 24 * 3_600_000;

/** Earliest first full read of an object, as a share of the period, so that the reads of many objects spread. */
export const EARLIEST_FULL_READ = 0.75;

/**
 * Maximum delay of the retries of a Warning, by its class, in milliseconds; the first delay is a second, and each next one twice as long.
 * VerySlow has no such delays: it waits for the next sync.
 */
export const RETRY_CAP_MS = { fast: 30 * SECOND, slow: 180 * SECOND } as const;

/** The sync period where none is known, and the delay of VerySlow where the period is `never`, in milliseconds. */
export const DEFAULT_SYNC_PERIOD_MS = 3600 * SECOND;

/**
 * Maximum delay, in milliseconds, while the cause may be a new principal, trust or role that Azure does not know everywhere yet. That takes
 * 15 to 120 s, so the waits stay short, and an object is at most this much later than Azure. ASO waits up to a minute more.
 */
export const PROPAGATION_CAP_MS = 10 * SECOND;
/** The number of such short waits: 1 + 2 + 4 + 8 + 16 × 10 = 175 s. */
export const PROPAGATION_TRIES = 20;

/** Milliseconds before poll number `polls` (from 0) of an operation of unknown length for which Azure sends no Retry-After. */
export function pollDelayMs(polls: number): number {
  return exponential(polls, LONGEST_POLL_DELAY_MS);
}

/** Half of the operations take longer than the usual time, many only a little. Share of the usual time, and milliseconds. */
const MARGIN = 0.02;
const LEAST_MARGIN_MS = 500;
/** After its usual time, an operation is polled each time that it has taken so much longer: its end is seen late by at most this share. */
const STEP = 0.1;

/** An operation whose length is known. Milliseconds. */
export interface TimedOperation {
  readonly usualMs: number;
  /** Since Azure has accepted the request. */
  readonly elapsedMs: number;
  /** How many times faster than Azure's the environment's time is. Default: 1. */
  readonly timeScale?: number;
}

function usualEndMs(usualMs: number, timeScale: number): number {
  return usualMs + Math.max(usualMs * MARGIN, LEAST_MARGIN_MS / timeScale);
}

/** Milliseconds until the next poll of an operation: at its usual end, then in steps. */
export function timedPollDelayMs({ usualMs, elapsedMs, timeScale = 1 }: TimedOperation): number {
  const endMs = usualEndMs(usualMs, timeScale);
  if (elapsedMs < endMs) return Math.round(endMs - elapsedMs);
  return Math.round(Math.min(Math.max(elapsedMs * STEP, SECOND / timeScale), LONGEST_POLL_DELAY_MS / timeScale));
}

/** An operation whose length is not known. Milliseconds. */
interface UntimedOperation {
  /** Since Azure has accepted the request. */
  readonly elapsedMs: number;
  /** The usual time of a similar operation, if one is known: a poll comes at its end. */
  readonly similarMs?: number | undefined;
  readonly timeScale?: number;
}

/** Milliseconds until the next poll: after 1, 2, 4 … at most 15 s, but not past the usual end of a similar operation. */
export function thinningPollDelayMs({ elapsedMs, similarMs, timeScale = 1 }: UntimedOperation): number {
  const delayMs = Math.min(elapsedMs + SECOND / timeScale, LONGEST_POLL_DELAY_MS / timeScale);
  const endMs = similarMs === undefined ? Infinity : usualEndMs(similarMs, timeScale) - elapsedMs;
  return Math.round(endMs > 0 ? Math.min(delayMs, endMs) : delayMs);
}

/** @param random uniform in [0, 1) */
export function jittered(period: number, random: number): number {
  return Math.round(period * (1 - JITTER + 2 * JITTER * random));
}

/** Milliseconds: one second, doubled each time, at most `cap`. */
export function exponential(count: number, cap: number): number {
  return Math.min(SECOND * 2 ** Math.min(count, 20), cap);
}
