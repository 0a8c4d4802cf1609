import type { Clock } from '../../engine/clock';
import type { BackoffOptions } from '../../engine/kubernetes/backoff';

/** `fresh`: the item has changed. `resync`: no change is known (start-up, periodic drift check). Fresh items go first. */
export type Priority = 'fresh' | 'resync';

/**
 * The lines in which items wait, in the order in which they are looked at. `blocked`: the item has changed, but needs another one that is
 * not there yet, so that its work can only say so. Few of these run at once: they leave the processor to the items that others wait for.
 */
export type Line = Priority | 'blocked';

/** The worker of a running item. */
export interface Worker {
  /**
   * The item waits for others' sake, e.g. for a limit: meanwhile another item may have its worker. Answers how to end the wait, which
   * never blocks: for a moment there may be more workers than the bounds say.
   */
  lend(): () => void;
}

/** Gets the events of items, for metrics. */
export interface WorkQueueObserver<T> {
  /** The item waits for a worker; called once, however often it was added. */
  onAdded(item: T): void;
  /** The item no longer waits, and was not processed. */
  onDropped(item: T): void;
  onStarted(item: T): void;
  onEnded(item: T): void;
}

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /** Items with the same key are the same work; they have the same group and tenant. */
  readonly keyOf: (item: T) => string;
  /** Items of one group (a kind) share a limit. */
  readonly groupOf: (item: T) => string;
  /** Tenants (namespaces) take turns. Default: all items have one tenant. */
  readonly tenantOf?: (item: T) => string;
  /** The item of the higher rank goes first within a tenant; an integer. After a change, call `rerank`. Default: 0. */
  readonly rankOf?: (item: T) => number;
  /** Concurrent items of one group (`MAX_CONCURRENT_RECONCILES`). */
  readonly concurrencyPerGroup: number;
  /** Concurrent items in all. */
  readonly concurrency: number;
  /** Processes an item. The signal aborts when the queue stops at once; the priority is that with which the item was picked. */
  readonly process: (item: T, signal: AbortSignal, priority: Priority, worker: Worker) => Promise<void>;
  /** Called with errors of `process`; the item is retried after its own delay. */
  readonly onError?: ((item: T, error: unknown, retryInMilliseconds: number) => void) | undefined;
  /**
   * Whether a worker may begin the item now; called when the item would be picked, so it has to be cheap. A refused item waits for `wake`
   * and blocks no other item. Default: always.
   */
  readonly gate?: (item: T, priority: Priority) => boolean;
  /** Default 1 s doubling up to 3 min. */
  readonly backoff?: BackoffOptions;
  readonly observer?: WorkQueueObserver<T> | undefined;
}
