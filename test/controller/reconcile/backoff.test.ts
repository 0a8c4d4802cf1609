import fc from 'fast-check';
import { nextReconcile, NO_RETRIES, type BackoffSettings, type RetryCounters } from '../../../controller/reconcile/core/backoff';
import { fatal, warning } from '../../../controller/reconcile/core/failure';
import type { Result } from '../../../controller/reconcile/core/observed';
import { TokenBucket } from '../../../controller/reconcile/token-bucket';

const HOUR = 3_600_000;
const SETTINGS: BackoffSettings = { syncPeriod: HOUR };

function sequence(result: Result, count: number, settings = SETTINGS, random = 0.5): (number | undefined)[] {
  let counters: RetryCounters = NO_RETRIES;
  return Array.from({ length: count }, () => {
    const next = nextReconcile(result, counters, settings, random);
    counters = next.counters;
    return next.delay === undefined ? undefined : next.delay / 1000;
  });
}
const failure = (retry: 'fast' | 'slow' | 'verySlow'): Result => ({ kind: 'failure', failure: warning('X', 'x', retry) });

test('Fast doubles up to 30 s', () => expect(sequence(failure('fast'), 8)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]));
test('Slow doubles up to 3 min', () => expect(sequence(failure('slow'), 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 180, 180]));
test('a requeue doubles up to 15 s', () => expect(sequence({ kind: 'requeue' }, 6)).toEqual([1, 2, 4, 8, 15, 15]));
test('VerySlow waits the sync period from the first failure, an hour when there is none', () => {
  expect(sequence(failure('verySlow'), 2)).toEqual([3600, 3600]);
  expect(sequence(failure('verySlow'), 1, {})).toEqual([3600]);
  expect(sequence(failure('verySlow'), 1, { syncPeriod: 60_000 })).toEqual([60]);
});
test('an Error waits for a trigger or the next sync, and forgets the failures before it', () => {
  const error = { kind: 'failure', failure: fatal('X', 'x') } as const;
  expect(nextReconcile(error, { failures: 5, requeues: 2 }, SETTINGS, 0)).toEqual({ delay: 0.75 * HOUR, counters: NO_RETRIES });
  expect(nextReconcile(error, { failures: 5, requeues: 2 }, {}, 0)).toEqual({ counters: NO_RETRIES });
});
test('Retry-After takes the place of the class', () => {
  expect(sequence({ kind: 'failure', failure: { ...warning('TooManyRequests', 'x'), retryAfterSeconds: 17 } }, 2)).toEqual([17, 17]);
});
test('an exact delay is exact, and resets the counters', () => {
  expect(nextReconcile({ kind: 'requeue', delay: 5_000 }, { failures: 3, requeues: 4 }, SETTINGS, 0.9)).toEqual({
    delay: 5_000,
    counters: NO_RETRIES,
  });
});
test('what an object waited for does not slow down the first retry of what Azure refused', () => {
  let counters: RetryCounters = NO_RETRIES;
  const delays = (['fast', 'fast', 'fast', 'fast', 'slow', 'slow', 'fast', 'fast'] as const).map((retry) => {
    const next = nextReconcile(failure(retry), counters, SETTINGS, 0.5);
    counters = next.counters;
    return next.delay! / 1000;
  });
  expect(delays).toEqual([1, 2, 4, 8, 1, 2, 4, 8]);
});
test('failures and requeues reset each other', () => {
  expect(nextReconcile({ kind: 'requeue' }, { failures: 3, requeues: 1 }, SETTINGS, 0).counters).toEqual({ failures: 0, requeues: 2 });
  expect(nextReconcile(failure('slow'), { failures: 3, requeues: 1 }, SETTINGS, 0).counters).toMatchObject({ failures: 4, requeues: 0 });
});
test('`never` has no timer after a success, failures keep retrying', () => {
  expect(sequence({ kind: 'success' }, 1, {})).toEqual([undefined]);
  expect(sequence(failure('slow'), 1, {})).toEqual([1]);
});
test('the sync period is spread by a quarter to both sides', () => {
  const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(fc.property(fc.integer({ min: 1_000, max: 10 * HOUR }), uniform, (syncPeriod, random) => {
    const { delay } = nextReconcile({ kind: 'success' }, NO_RETRIES, { syncPeriod }, random);
    expect(delay).toBeGreaterThanOrEqual(Math.floor(0.75 * syncPeriod));
    expect(delay).toBeLessThanOrEqual(Math.ceil(1.25 * syncPeriod));
  }));
  expect(nextReconcile({ kind: 'success' }, NO_RETRIES, SETTINGS, 0).delay).toBe(0.75 * HOUR);
});
test('a bucket lets its capacity through at once and then its rate', () => {
  const bucket = new TokenBucket(2, 3);
  expect([0, 0, 0, 0, 0].map((now) => bucket.reserve(now))).toEqual([0, 0, 0, 500, 1000]);
  expect(bucket.reserve(10_000)).toBe(0);
});
