import type { Operation, RateLimitQueueName } from './operation';
import type { ThrottledError } from './throttled-error';
import type { RequestPurpose } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { Priority } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';

/** The sender of the requests, and their urgency. */
export interface BudgetUse {
  /** Namespaces share the budget fairly. */
  readonly namespace: string;
  /** Requests for changed objects go before those of resyncs. */
  readonly priority: Priority;
  /** Within the namespace, higher goes first. Default 0. */
  readonly rank?: number;
  /** Purpose of requests that do not name one. Default: `sync` for a resync, else `reconcile`. */
  readonly purpose?: RequestPurpose;
  /** The reconciled object; `isOpen` is per object. */
  readonly key?: ObjectId;
  /**
   * Called instead of a long wait; `send` rejects with the same error. The caller then ends its work and starts again when the gate
   * opens. After the first request of a reconcile only a long refusal by Azure calls it, and after a write nothing does, so no work is
   * done twice.
   */
  readonly onThrottled?: (reason: ThrottledError) => void;
  /** Whether a request that has waited must not be sent any more; then `onThrottled` is called. */
  readonly isOutdated?: () => boolean;
  /** Called when a request has to wait for its turn. What it answers is called when the wait is over. */
  readonly onWait?: () => () => void;
}

/** Azure has begun to refuse requests because of a limit, or takes them again. */
export interface BlockEvent extends RateLimitQueueName {
  readonly event: 'begins' | 'ends';
  /** The limit covers all principals of the scope, this principal, or requests for one type only. */
  readonly of: 'scope' | 'principal' | 'type';
  /** ARM type, if the limit is for one type only. */
  readonly type?: string;
  /** Error code of Azure's refusal. */
  readonly code: string;
  /** Seconds until requests may be sent again. */
  readonly seconds: number;
}

/** Metrics of the requests that Azure counts together. */
export interface RateLimitQueueState extends RateLimitQueueName {
  readonly remaining: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly isBlocked: boolean;
  /** Types that Azure refuses now. */
  readonly blockedTypes: readonly string[];
  readonly blockedSeconds: number;
}

/** A request that the budget has let through. */
export interface BudgetedRequest {
  readonly purpose: RequestPurpose;
  readonly operation: Operation;
  readonly priority: Priority;
  readonly waitedSeconds: number;
}

export interface BudgetOptions {
  readonly clock: Clock;
  /** Factor by which Azure's buckets refill faster, for a simulated Azure with a faster clock. Default 1. */
  readonly timeScale?: number | undefined;
  readonly onBlock?: (event: BlockEvent) => void;
  /** Called for each request that is let through, with the time it has waited. */
  readonly onRequest?: (request: BudgetedRequest) => void;
}
