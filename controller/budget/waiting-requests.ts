import type { Waiting } from './fair-scheduler';
import type { Ticket } from './queue-limits';
import type { ThrottledError } from './throttled-error';
import type { ObjectKey } from '../../engine/kubernetes/types';
import type { Priority } from '../../runtime/work-queue';

export interface QueuedRequest {
  readonly namespace: string;
  readonly priority: Priority;
  readonly rank: number;
  /** Whether an earlier request of the reconcile was let through: then this request waits for its turn without a limit. */
  readonly hasBegun?: boolean;
  /** Key of provider limits. */
  readonly type: string;
  /** The object that the request is for. */
  readonly key?: ObjectKey;
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
  readonly grant: (ticket: Ticket) => void;
  readonly refuse: (reason: unknown) => void;
}

/** Waiting requests of one priority and type. */
export interface WaitersOfType {
  readonly priority: Priority;
  readonly type: string;
  readonly waiters: readonly Waiter[];
}

/** Requests of one priority, as the gate of the work queue counts them. */
export interface Crowd {
  readonly count: number;
  /** Namespace → ranks of its requests. */
  readonly ranks: ReadonlyMap<string, readonly number[]>;
}

/** The requests that wait in a queue, by priority and type: all of a group wait for the same limits. */
export class WaitingRequests {
  private readonly byType = new Map<string, WaitersOfType & { readonly waiters: Waiter[] }>();
  /** Grows with each change. */
  private changes = 0;
  private readonly crowds = new Map<Priority, Crowd & { readonly changes: number; readonly at: number }>();

  public get isEmpty(): boolean {
    return this.byType.size === 0;
  }

  public get groups(): readonly WaitersOfType[] {
    return [...this.byType.values()];
  }

  /** The waiting requests of a priority, of the groups that count. */
  public of(priority: Priority, counts: (group: WaitersOfType) => boolean = () => true): readonly Waiter[] {
    return this.groups.flatMap((group) => (group.priority === priority && counts(group) ? group.waiters : []));
  }

  /**
   * The requests of a priority, of the groups that count at this moment. The gate asks for thousands of objects in the same millisecond.
   */
  public crowdOf(priority: Priority, now: number, counts: (group: WaitersOfType) => boolean): Crowd {
    const known = this.crowds.get(priority);
    if (known?.changes === this.changes && known.at === now) return known;
    const ranks = new Map<string, number[]>();
    let count = 0;
    for (const group of this.byType.values()) {
      if (group.priority !== priority || !counts(group)) continue;
      count += group.waiters.length;
      for (const { namespace, rank } of group.waiters) {
        const own = ranks.get(namespace);
        if (own) own.push(rank);
        else ranks.set(namespace, [rank]);
      }
    }
    const crowd = { count, ranks, changes: this.changes, at: now };
    this.crowds.set(priority, crowd);
    return crowd;
  }

  public add(waiter: Waiter): void {
    const { priority, type } = waiter;
    this.changes += 1;
    const key = keyOf(waiter);
    const group = this.byType.get(key) ?? { priority, type, waiters: [] };
    group.waiters.push(waiter);
    this.byType.set(key, group);
  }

  public delete(waiter: Waiter): void {
    this.changes += 1;
    const group = this.byType.get(keyOf(waiter));
    const at = group?.waiters.indexOf(waiter) ?? -1;
    if (at >= 0) group!.waiters.splice(at, 1);
    if (group?.waiters.length === 0) this.byType.delete(keyOf(waiter));
  }
}

/** Milliseconds that the request may still wait. */
export function remainingWaitMs({ since, longestWaitMs, hasBegun }: Waiter, now: number): number {
  return hasBegun ? Infinity : since + longestWaitMs - now;
}

function keyOf({ priority, type }: Waiter): string {
  return `${priority} ${type}`;
}
