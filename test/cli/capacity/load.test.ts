import fc from 'fast-check';
import { loadOf, shortestPeriodSeconds, soonest } from '../../../cli/capacity/load';
import { jittered } from '../../../engine/schedule';
import { ARM_REQUEST_LIMITS } from '../../../src/azure/arm-request-limits';

const HOUR = 3_600_000;
const requests = fc.record({ reads: fc.nat(100_000), writes: fc.nat(100_000) });

test('1,200 objects and an hour: 1,200 PUTs an hour', () => {
  expect(loadOf({ reads: 0, writes: 1200 }, HOUR).perHour).toEqual({ reads: 0, writes: 1200 });
  expect(loadOf({ reads: 1200, writes: 0 }, HOUR / 4).perHour).toEqual({ reads: 4800, writes: 0 });
  expect(loadOf({ reads: 1200, writes: 1200 }, undefined).perHour).toEqual({ reads: 0, writes: 0 });
});

test('at the peak all are due within the spread of the controller\'s own jitter', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 60_000, max: 86_400_000 }), (count, period) => {
    const window = (jittered(period, 1) - jittered(period, 0)) / 1000;
    // Times are whole milliseconds.
    expect((loadOf({ reads: count, writes: 0 }, period).peakPerSecond.reads * window) / count).toBeCloseTo(1, 3);
  }));
});

test('the shortest period is within the limits, and a second less is not', () => {
  fc.assert(fc.property(requests, (sync) => {
    const seconds = shortestPeriodSeconds(sync);
    const most = (period: number) => {
      const { reads, writes } = loadOf(sync, period * 1000).peakPercent;
      return Math.max(reads, writes);
    };
    if (seconds > 0) expect(most(seconds)).toBeLessThanOrEqual(100 + 1e-9);
    if (seconds > 1) expect(most(seconds - 1)).toBeGreaterThan(100 - 1e-9);
  }));
});

test('what is sent as soon as the limits allow never overdraws a bucket, and could not be sent sooner', () => {
  fc.assert(fc.property(requests, (all) => {
    const { seconds } = soonest(all);
    const had = (kind: 'reads' | 'writes') => ARM_REQUEST_LIMITS[kind].size + seconds * ARM_REQUEST_LIMITS[kind].refillPerSecond;
    expect(all.reads).toBeLessThanOrEqual(had('reads') + 1e-6);
    expect(all.writes).toBeLessThanOrEqual(had('writes') + 1e-6);
    if (seconds > 0) expect(Math.max(all.reads - had('reads'), all.writes - had('writes'))).toBeCloseTo(0, 6);
  }));
});

test('5,000 reads take the bucket of 250 and 190 seconds', () => {
  expect(soonest({ reads: 5000, writes: 0 })).toMatchObject({ seconds: 190, slower: 'reads' });
  expect(soonest({ reads: 0, writes: 5000 })).toMatchObject({ seconds: 480, slower: 'writes' });
});
