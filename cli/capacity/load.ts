import type { Load, Phase } from './report';
import { NOTHING, type Requests } from './request-cost';
import { JITTER } from '../../engine/schedule';
import { ARM_REQUEST_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';

const HOUR = 3_600_000;
const SECOND = 1000;

/** What a sync of all objects comes to. `period` in milliseconds; undefined: never. */
export function loadOf(sync: Requests, period: number | undefined): Load {
  if (period === undefined) return { perHour: NOTHING, peakPerSecond: NOTHING, peakPercent: NOTHING };
  const peakPerSecond = each(sync, (count) => (count / spread(period)) * SECOND);
  return { perHour: each(sync, (count) => (count * HOUR) / period), peakPerSecond, peakPercent: percent(peakPerSecond) };
}

/** Objects that were made at the same moment are due within this time: the period is spread by the jitter to both sides. */
function spread(period: number): number {
  return 2 * JITTER * period;
}

/** Percent of what comes back each second; `factor`: how many principals' worth there is. */
export function percent({ reads, writes }: Requests, factor = 1): Requests {
  const { reads: forReads, writes: forWrites } = ARM_REQUEST_LIMITS;
  return { reads: (reads * 100) / (forReads.refillPerSecond * factor), writes: (writes * 100) / (forWrites.refillPerSecond * factor) };
}

/** The shortest period, in whole seconds, in which the peak of a sync is no more than what comes back. */
export function shortestPeriodSeconds({ reads, writes }: Requests): number {
  const { reads: forReads, writes: forWrites } = ARM_REQUEST_LIMITS;
  const seconds = Math.max(reads / forReads.refillPerSecond, writes / forWrites.refillPerSecond);
  return Math.ceil(seconds / (2 * JITTER));
}

/** As soon as the limits allow, from full buckets. */
export function soonest(requests: Requests): Phase & { readonly slower: 'reads' | 'writes' } {
  const reads = secondsFor(requests.reads, ARM_REQUEST_LIMITS.reads);
  const writes = secondsFor(requests.writes, ARM_REQUEST_LIMITS.writes);
  return { requests, seconds: Math.max(reads, writes), slower: reads > writes ? 'reads' : 'writes' };
}

/** Until so many requests are sent: the bucket is full at first. */
function secondsFor(count: number, { size, refillPerSecond }: RequestBucket): number {
  return Math.max(0, count - size) / refillPerSecond;
}

export function each({ reads, writes }: Requests, change: (count: number) => number): Requests {
  return { reads: change(reads), writes: change(writes) };
}
