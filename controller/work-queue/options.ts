import type { Clock } from '../../engine/clock';
import type { BackoffOptions } from '../../engine/kubernetes/backoff';

/** `fresh`: something has changed. `resync`: nothing has, as far as we know (start-up, periodic drift check). Fresh goes first. */
export type Priority = 'fresh' | 'resync';

/** Told of what happens to items, for metrics. */
export interface WorkQueueObserver<T> {
  /** It waits for a worker; told once, however often it was added. */
  onAdded(item: T): void;
  /** It does not wait any more, and was not worked on. */
  onDropped(item: T): void;
  onStarted(item: T): void;
  onEnded(item: T): void;
}

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /** Items with the same key are the same piece of work; they are of the same group and tenant. */
  readonly keyOf: (item: T) => string;
  /** Items of one group (a kind) share a bound. */
  readonly groupOf: (item: T) => string;
  /** Tenants (namespaces) take turns. Default: all items are of one. */
  readonly tenantOf?: (item: T) => string;
  /** Of two items of one tenant the one of higher rank goes first; a whole number. After a change, call `rerank`. Default: 0. */
  readonly rankOf?: (item: T) => number;
  /** Items of one group at a time (`MAX_CONCURRENT_RECONCILES`). */
  readonly concurrencyPerGroup: number;
  /** Items at a time in all. */
  readonly concurrency: number;
  /** Does the work. The signal aborts when the queue is told to stop at once; the priority is the one with which the item was picked. */
  readonly process: (item: T, signal: AbortSignal, priority: Priority) => Promise<void>;
  /** Told of what `process` throws; the item is tried again after a delay of its own. */
  readonly onError?: (item: T, error: unknown, retryInMilliseconds: number) => void;
  /**
   * Whether a worker may begin the item now; asked when it would be picked, so it has to be cheap. Who is throttled waits for `poke` and
   * is in nobody's way. Default: always.
   */
  readonly gate?: (item: T, priority: Priority) => boolean;
  /** Default 1 s doubling up to 3 min. */
  readonly backoff?: BackoffOptions;
  readonly observer?: WorkQueueObserver<T>;
}
