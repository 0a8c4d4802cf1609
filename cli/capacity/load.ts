import type { Load, Phase } from './report';
import { NOTHING, type Requests } from './request-cost';
import { JITTER } from '../../engine/schedule';
import { ARM_REQUEST_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';

const HOUR = 3_600_000;
const SECOND = 1000;

/** The load of syncing all objects once in each `period` (milliseconds; undefined: never). */
export function loadOf(sync: Requests, period: number | undefined): Load {
  if (period === undefined) return { perHour: NOTHING, peakPerSecond: NOTHING, peakPercent: NOTHING };
  const peakPerSecond = each(sync, (count) => (count / spread(period)) * SECOND);
  return { perHour: each(sync, (count) => (count * HOUR) / period), peakPerSecond, peakPercent: percent(peakPerSecond) };
}

/** Milliseconds within which objects created at the same moment are due: the jitter moves each sync to both sides of the period. */
function spread(period: number): number {
  return 2 * JITTER * period;
}

/** Load in percent of the refill rate of the token bucket; `factor`: the number of principals whose buckets are added up. */
export function percent({ reads, writes }: Requests, factor = 1): Requests {
  const { reads: forReads, writes: forWrites } = ARM_REQUEST_LIMITS;
  return { reads: (reads * 100) / (forReads.refillPerSecond * factor), writes: (writes * 100) / (forWrites.refillPerSecond * factor) };
}

/** The shortest period, in whole seconds, in which the peak of a sync is within the refill rate. */
export function shortestPeriodSeconds({ reads, writes }: Requests): number {
  const { reads: forReads, writes: forWrites } = ARM_REQUEST_LIMITS;
  const seconds = Math.max(reads / forReads.refillPerSecond, writes / forWrites.refillPerSecond);
  return Math.ceil(seconds / (2 * JITTER));
}

/** The shortest time in which the limits allow the requests, starting with full buckets. */
export function soonest(requests: Requests): Phase & { readonly slower: 'reads' | 'writes' } {
  const reads = secondsFor(requests.reads, ARM_REQUEST_LIMITS.reads);
  const writes = secondsFor(requests.writes, ARM_REQUEST_LIMITS.writes);
  return { requests, seconds: Math.max(reads, writes), slower: reads > writes ? 'reads' : 'writes' };
}

/** Seconds until so many requests are sent, starting with a full bucket. */
function secondsFor(count: number, { size, refillPerSecond }: RequestBucket): number {
  return Math.max(0, count - size) / refillPerSecond;
}

export function each({ reads, writes }: Requests, change: (count: number) => number): Requests {
  return { reads: change(reads), writes: change(writes) };
}
