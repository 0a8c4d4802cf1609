import { setNewest } from '../../src/util/set-newest';

/** As in client-go: https://github.com/kubernetes/client-go/blob/master/tools/record/events_cache.go (`EventSourceObjectSpamFilter`). */
const BURST = 25;
const REFILL_MS = 300_000;
const MOST_OBJECTS = 4_096;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Limits the new events of each object, for messages that differ each time: 25 at once, then one in five minutes. */
export class EventLimit {
  /** Of objects with events; the object whose last event is oldest is first. */
  private readonly buckets = new Map<string, Bucket>();

  /** Whether one more event of the object may be written; then it counts. */
  public take(uid: string, now: number): boolean {
    const bucket = this.buckets.get(uid) ?? { left: BURST, at: now };
    const left = Math.min(BURST, bucket.left + Math.max(now - bucket.at, 0) / REFILL_MS);
    setNewest(this.buckets, uid, { left: left >= 1 ? left - 1 : left, at: now }, MOST_OBJECTS);
    return left >= 1;
  }
}
