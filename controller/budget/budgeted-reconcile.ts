import type { BudgetUse } from './budget-options';
import { LONGEST_TURN_MS, LONGEST_WAIT_MS, type RateLimitQueue } from './rate-limit-queue';
import type { ThrottledError } from './throttled-error';
import type { QueuedRequest } from './waiting-requests';
import type { ArmRequest, RequestPurpose } from '../../engine/arm/types';

/** A reconcile is throttled at most this many times while it waits for its turn; then it keeps waiting. */
const MOST_THROTTLED = 3;

/** A reconcile that was throttled. */
export interface Throttled {
  readonly queue: RateLimitQueue;
  readonly type: string;
  /** Times in a row by this queue. */
  readonly times: number;
}

/** The progress of one reconcile. */
export class BudgetedReconcile {
  public hasWritten = false;
  /** Whether a request of this reconcile was let through. */
  public hasBegun = false;

  public constructor(public readonly use: BudgetUse, private readonly before: Throttled | undefined) {}

  /** Times throttled in a row by the queue; a request that is let through resets the count. */
  public timesThrottledIn(queue: RateLimitQueue): number {
    return this.before?.queue === queue && !this.hasBegun ? this.before.times : 0;
  }

  public purposeOf({ purpose }: ArmRequest): RequestPurpose {
    return purpose ?? this.use.purpose ?? (this.use.priority === 'resync' ? 'sync' : 'reconcile');
  }

  /** The request as it waits in the queue. After a write nothing throttles it, so that no work is done twice. */
  public queued(queue: RateLimitQueue, type: string, throttle: (reason: ThrottledError) => void): QueuedRequest {
    const { namespace, priority, rank = 0, key, onThrottled, onWait, isOutdated } = this.use;
    return {
      namespace,
      priority,
      rank,
      hasBegun: this.hasBegun,
      type,
      longestWaitMs: this.timesThrottledIn(queue) >= MOST_THROTTLED
        ? Infinity
        : priority === 'fresh' ? LONGEST_TURN_MS : LONGEST_WAIT_MS,
      ...(key ? { key } : {}),
      ...(onWait ? { onWait } : {}),
      ...(onThrottled && !this.hasWritten ? { onThrottled: throttle, ...(isOutdated ? { isOutdated } : {}) } : {}),
    };
  }
}
