import type { Waiting } from './fair-scheduler';
import type { Ticket } from './queue-limits';
import type { ThrottledError } from './throttled-error';
import type { Priority } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';

export interface QueuedRequest {
  readonly namespace: string;
  readonly priority: Priority;
  readonly rank: number;
  /** Whether an earlier request of the reconcile was let through: then this request waits for its turn without a limit. */
  readonly hasBegun?: boolean;
  /** Key of provider limits. */
  readonly type: string;
  /** The object that the request is for. */
  readonly key?: ObjectId;
  /** Called instead of a longer wait; if absent, the request waits without a limit. */
  readonly onThrottled?: (reason: ThrottledError) => void;
  /** Whether the request must not be sent any more: asked when it is its turn after a wait. */
  readonly isOutdated?: () => boolean;
  /** Called when the request has to wait; what it answers, when the wait is over. */
  readonly onWait?: () => () => void;
  /** Milliseconds to wait for a turn before the request is throttled; infinite: throttled only while Azure refuses requests. */
  readonly longestWaitMs: number;
}

/** A request that waits, with the callbacks that end its wait. */
export interface Waiter extends Waiting, QueuedRequest {
  readonly since: number;
  /** Whether it was not sent at once. */
  hasWaited?: boolean;
  readonly grant: (ticket: Ticket) => void;
  readonly refuse: (reason: unknown) => void;
}

/** Waiting requests of one priority and type. */
export interface WaitersOfType {
  readonly priority: Priority;
  readonly type: string;
  /** In the order in which they came. */
  readonly waiters: readonly Waiter[];
  /** When the first one came. */
  readonly since: number;
  /** When the first one has waited too long. */
  readonly deadline: number;
}

type Group = { -readonly [Key in Exclude<keyof WaitersOfType, 'waiters'>]: WaitersOfType[Key] } & { readonly waiters: Waiter[] };
type OfNamespaces = Map<string, Set<Waiter>>;

/**
 * The requests that wait in a queue, by priority and type: all of a group wait for the same limits. The gate of the work queue asks about
 * them for each object, and the queue with each request that is sent, so nothing here goes through all of them.
 */
export class WaitingRequests {
  private readonly byType = new Map<string, Group>();
  private readonly byNamespace: Readonly<Record<Priority, OfNamespaces>> = { fresh: new Map(), resync: new Map() };

  /** @param onChange called when the first request has come, and when the last one has gone */
  public constructor(private readonly onChange: (isEmpty: boolean) => void = () => undefined) {}

  public get isEmpty(): boolean {
    return this.byType.size === 0;
  }

  public get groups(): readonly WaitersOfType[] {
    return [...this.byType.values()];
  }

  /** The waiting requests of a priority. */
  public of(priority: Priority): readonly Waiter[] {
    return this.groups.flatMap((group) => (group.priority === priority ? group.waiters : []));
  }

  /** How many requests of a priority wait, of the types that count. */
  public count(priority: Priority, counts: (type: string) => boolean): number {
    let count = 0;
    for (const group of this.byType.values()) if (group.priority === priority && counts(group.type)) count += group.waiters.length;
    return count;
  }

  /** The waiting requests of a priority in one namespace. */
  public inNamespace(priority: Priority, namespace: string): Iterable<Waiter> {
    return this.byNamespace[priority].get(namespace) ?? [];
  }

  /** In how many namespaces requests of a priority wait, of the types that count; `most` if there are more. */
  public namespaces(priority: Priority, counts: (type: string) => boolean, most: number): number {
    let count = 0;
    for (const waiters of this.byNamespace[priority].values()) {
      if (count >= most) break;
      if (some(waiters, ({ type }) => counts(type))) count += 1;
    }
    return count;
  }

  public add(waiter: Waiter): void {
    const { priority, type, namespace } = waiter;
    const wasEmpty = this.isEmpty;
    const key = keyOf(waiter);
    let group = this.byType.get(key);
    if (!group) this.byType.set(key, (group = { priority, type, waiters: [], since: Infinity, deadline: Infinity }));
    group.waiters.push(waiter);
    group.since = Math.min(group.since, waiter.since);
    group.deadline = Math.min(group.deadline, deadlineOf(waiter));
    const namespaces = this.byNamespace[priority];
    const own = namespaces.get(namespace);
    if (own) own.add(waiter);
    else namespaces.set(namespace, new Set([waiter]));
    if (wasEmpty) this.onChange(false);
  }

  public delete(waiter: Waiter): void {
    const { priority, namespace } = waiter;
    const own = this.byNamespace[priority].get(namespace);
    if (!own?.delete(waiter)) return;
    if (own.size === 0) this.byNamespace[priority].delete(namespace);
    const group = this.byType.get(keyOf(waiter))!;
    group.waiters.splice(group.waiters.indexOf(waiter), 1);
    if (group.waiters.length === 0) this.byType.delete(keyOf(waiter));
    if (group.since === waiter.since) group.since = leastOf(group.waiters, ({ since }) => since);
    if (group.deadline === deadlineOf(waiter)) group.deadline = leastOf(group.waiters, deadlineOf);
    if (this.isEmpty) this.onChange(true);
  }
}

/** When the request has waited too long: never for those of a reconcile that has begun, or that cannot be throttled. */
export function deadlineOf({ since, longestWaitMs, hasBegun, onThrottled }: Waiter): number {
  return hasBegun || !onThrottled ? Infinity : since + longestWaitMs;
}

function leastOf(waiters: readonly Waiter[], of: (waiter: Waiter) => number): number {
  return waiters.reduce((least, waiter) => Math.min(least, of(waiter)), Infinity);
}

function some<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}

function keyOf({ priority, type }: Waiter): string {
  return `${priority} ${type}`;
}
