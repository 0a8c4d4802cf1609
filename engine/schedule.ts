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

/** Milliseconds before poll number `polls` (from 0) of an operation for which Azure sends no Retry-After. */
export function pollDelayMs(polls: number): number {
  return exponential(polls, LONGEST_POLL_DELAY_MS);
}

/** @param random uniform in [0, 1) */
export function jittered(period: number, random: number): number {
  return Math.round(period * (1 - JITTER + 2 * JITTER * random));
}

/** Milliseconds: one second, doubled each time, at most `cap`. */
export function exponential(count: number, cap: number): number {
  return Math.min(SECOND * 2 ** Math.min(count, 20), cap);
}
