import { FairScheduler } from './fair-scheduler';
import type { Limit } from './limit';
import type { RateLimitQueueName } from './operation';
import { QueueLimits, type QueueLimitsOptions, type Ticket } from './queue-limits';
import { ThrottledError } from './throttled-error';
import type { Throttling } from './throttling';
import { deadlineOf, WaitingRequests, type QueuedRequest, type Waiter, type WaitersOfType } from './waiting-requests';
import type { RawAnswer } from '../../engine/arm/types';
import type { Priority } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';
import { sharedKeyOf } from '../reconcile/object-key';

export interface RateLimitQueueOptions extends QueueLimitsOptions {
  /** The limit of one type was reached, or its block has ended. */
  readonly onBlock: (queue: RateLimitQueue, type: string | undefined, limit: Limit, begins: boolean) => void;
  /** There may be new room. */
  readonly onRoom: () => void;
  /** Whether reconciles of the object are to end soon. */
  readonly mustLeave: (object: ObjectId) => boolean;
  /** Requests begin to wait here, or none waits any more. */
  readonly onWaiting: (queue: RateLimitQueue, isWaiting: boolean) => void;
}

/** Fraction of the bucket reserved for changed objects: resyncs never empty it. */
const RESERVED_FOR_CHANGES = 0.2;
/** A resync that has waited longer than this may use the reserve: the level of some subscriptions never exceeds it. Milliseconds. */
const LONGEST_WAIT_FOR_RESERVE_MS = 10_000;
/** As many requests of a namespace may wait as are refilled in this time. Seconds. */
const ROOM_SECONDS = 0.5;
/** At least so many requests of a namespace may wait. */
const LEAST_ROOM = 1;
/** At least so many resyncs may wait. */
const LEAST_ROOM_FOR_RESYNCS = 2;
/** Longest wait of a reconcile for Azure to take requests again. Milliseconds. */
export const LONGEST_WAIT_MS = 1_000;
/**
 * Longest wait of a changed object for its turn; a resync waits `LONGEST_WAIT_MS`. It holds no worker meanwhile, and is not sent if the
 * object is not to be treated so any more (`isOutdated`). Milliseconds.
 */
export const LONGEST_TURN_MS = 30_000;
/** As `LONGEST_WAIT_MS`, for a reconcile with an earlier request that was let through: its work would be repeated. Milliseconds. */
export const LONGEST_WAIT_WHEN_BEGUN_MS = 5_000;
/** Milliseconds. A timer that is due at once would loop where clocks round. */
const SHORTEST_TIMER = 1;

/** The requests that Azure counts together: sends them within the limits, and queues the others. */
export class RateLimitQueue {
  public readonly limits: QueueLimits;
  private readonly reserve: number;
  private readonly scheduler = new FairScheduler();
  private readonly waiters: WaitingRequests;
  private asked = 0;
  private underWay = 0;
  private cancelTimer: (() => void) | undefined;
  /** Time at which the gate was last opened for one reconcile, although it is unknown whether Azure takes requests again. */
  private sentAhead: number | undefined;

  public constructor(private readonly options: RateLimitQueueOptions) {
    this.limits = new QueueLimits(options, (...block) => options.onBlock(this, ...block));
    this.waiters = new WaitingRequests((isEmpty) => options.onWaiting(this, !isEmpty));
    this.reserve = Math.floor(options.bucket.size * RESERVED_FOR_CHANGES);
  }

  public get name(): RateLimitQueueName {
    return this.options.name;
  }

  public get isIdle(): boolean {
    const { block, bucket } = this.limits.own;
    const isFull = bucket!.timeUntil(this.options.clock.now(), bucket!.limit.size) === 0;
    return isFull && this.waiters.isEmpty && this.underWay === 0 && block.isOpen;
  }

  public waiting(priority: Priority): number {
    return this.waiters.of(priority).length;
  }

  /** Resolves when the request may be sent. Rejects with the signal's reason, or with ThrottledError. */
  public acquire(request: QueuedRequest, signal?: AbortSignal): Promise<Ticket> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      let hasEnded = false;
      let endWait: () => void = () => undefined;
      const end = <T>(settle: (value: T) => void) => (value: T) => {
        hasEnded = true;
        endWait();
        signal?.removeEventListener('abort', stop);
        settle(value);
      };
      this.asked += 1;
      const waiter: Waiter = { ...request, number: this.asked, since: this.options.clock.now(), grant: end(resolve), refuse: end(reject) };
      const stop = () => {
        this.waiters.delete(waiter);
        waiter.refuse(signal!.reason);
        this.pump();
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.waiters.add(waiter);
      this.pump();
      if (hasEnded) return;
      waiter.hasWaited = true;
      if (this.mustLeave(waiter)) this.drop([waiter], this.options.clock.now());
      else if (request.onWait) endWait = request.onWait();
    });
  }

  public answered(ticket: Ticket, response: RawAnswer, throttling: Throttling | undefined): void {
    this.underWay -= 1;
    this.limits.answered(ticket, response, throttling);
    this.pump();
  }

  public unanswered(ticket: Ticket): void {
    this.underWay -= 1;
    this.limits.unanswered(ticket);
    this.pump();
  }

  /**
   * Whether a request may wait here without blocking others. Of a namespace, requests of a lower rank do not count: they would be sent
   * later. So one waits for each length of the chains behind its objects, at most; none of them holds a worker.
   */
  public hasRoom(namespace: string, priority: Priority, rank = 0): boolean {
    const perPeriod = this.options.bucket.refillPerSecond * ROOM_SECONDS;
    const now = this.options.clock.now();
    // A request that waits only for the limit of its type blocks no other request.
    const counts = (type: string) => (this.limits.types.get(type)?.timeUntil(now) ?? 0) === 0;
    // A resync waits for all waiting requests; a changed object does not wait for other namespaces.
    if (priority === 'resync') return this.waiters.count(priority, counts) < Math.max(perPeriod, LEAST_ROOM_FOR_RESYNCS);
    let before = 0;
    for (const other of this.waiters.inNamespace(priority, namespace)) if (other.rank >= rank && counts(other.type)) before += 1;
    if (before < LEAST_ROOM) return true;
    const mostNamespaces = perPeriod / before;
    return this.waiters.namespaces(priority, counts, mostNamespaces) < mostNamespaces;
  }

  /**
   * Whether Azure takes such requests, as far as known. After a block one reconcile goes ahead; if it sends no request, another one may
   * go after a while.
   */
  public isOpen(type: string | undefined): boolean {
    const limits = this.limits.of(type);
    if (limits.every(({ block }) => block.isOpen)) return true;
    const now = this.options.clock.now();
    if (!this.waiters.isEmpty || !limits.every(({ block }) => block.allows(now))) return false;
    if (this.sentAhead !== undefined && Math.abs(now - this.sentAhead) < LONGEST_WAIT_MS) return false;
    this.sentAhead = now;
    this.schedule(now);
    return true;
  }

  /**
   * Called when the object has changed: its waiting requests of a resync that has not written yet give up their place, so that a new
   * reconcile sees the change.
   */
  public giveUp(object: string): void {
    const outdated = this.waiters.of('resync').filter(({ key, onThrottled }) => key && sharedKeyOf(key) === object && onThrottled);
    if (this.drop(outdated, this.options.clock.now()) > 0) this.pump();
  }

  /** Throttles the requests that wait for objects whose reconciles are to end soon; those of a reconcile that has written go on. */
  public sendBack(): void {
    const leaving = this.waiters.groups.flatMap(({ waiters }) => waiters.filter((waiter) => this.mustLeave(waiter)));
    if (this.drop(leaving, this.options.clock.now()) > 0) this.pump();
  }

  public stop(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Lets through the requests whose turn it is, throttles those that would wait too long, and sets a timer for the next change. */
  public pump(): void {
    const now = this.options.clock.now();
    let served = 0;
    while (!this.waiters.isEmpty) {
      const next = this.scheduler.next(this.waiters.groups.flatMap((group) => this.readyOf(group, now)));
      if (!next) break;
      served += 1;
      if (next.hasWaited && next.isOutdated?.()) this.drop([next], now);
      else this.serve(next, now);
    }
    const throttled = this.throttleWaiters(now);
    this.schedule(now);
    if (served + throttled > 0 || this.waiters.isEmpty) this.options.onRoom();
  }

  private serve(waiter: Waiter, now: number): void {
    this.waiters.delete(waiter);
    this.scheduler.serve(waiter);
    this.underWay += 1;
    waiter.grant(this.limits.issue(waiter.type, now));
  }

  /** Returns how many requests were throttled. */
  private throttleWaiters(now: number): number {
    const throttled = this.waiters.groups.flatMap((group) => {
      const blocked = this.blockedFor(group, now);
      if (blocked <= LONGEST_WAIT_MS && group.deadline > now) return [];
      const isTooLong = ({ hasBegun }: Waiter) => blocked > (hasBegun ? LONGEST_WAIT_WHEN_BEGUN_MS : LONGEST_WAIT_MS);
      return group.waiters.filter((waiter) => waiter.onThrottled && (isTooLong(waiter) || deadlineOf(waiter) <= now));
    });
    return this.drop(throttled, now, true);
  }

  private mustLeave({ key, onThrottled }: Waiter): boolean {
    return key !== undefined && onThrottled !== undefined && this.options.mustLeave(key);
  }

  /** Takes requests out of the queue, and throttles them; returns how many they are. */
  private drop(waiters: readonly Waiter[], now: number, isLong = false): number {
    waiters.forEach((waiter) => this.waiters.delete(waiter));
    waiters.forEach((waiter) => this.throttle(waiter, now, isLong));
    return waiters.length;
  }

  private throttle(waiter: Waiter, now: number, isLong: boolean): void {
    const wait = Math.max(...this.limits.of(waiter.type).map((limit) => limit.timeUntil(now)));
    const { scope, operation } = this.options.name;
    const reason = new ThrottledError(
      `${operation} of the ${scope.level} ${scope.id}`,
      Number.isFinite(wait) ? Math.max(wait, LONGEST_WAIT_MS) : LONGEST_WAIT_MS,
      isLong,
    );
    waiter.onThrottled!(reason);
    waiter.refuse(reason);
  }

  /** Milliseconds as far as known; 0 while a probe is under way. */
  private blockedFor({ type }: WaitersOfType, now: number): number {
    return Math.max(...this.limits.of(type).map(({ block }) => (block.isBlocked ? block.remaining(now) : 0)));
  }

  /** The requests that may be sent now. */
  private readyOf(group: WaitersOfType, now: number): readonly Waiter[] {
    if (this.waitOf(group, now) === 0) return group.waiters;
    return group.priority === 'resync' && this.waitOf(group, now, 0) === 0
      ? group.waiters.filter(({ since }) => now - since >= LONGEST_WAIT_FOR_RESERVE_MS)
      : [];
  }

  /** Milliseconds until one of the requests may be sent, as far as known now. */
  private waitOf({ type, priority }: WaitersOfType, now: number, left = this.reserve): number {
    const reserve = priority === 'resync' && !this.scheduler.isResyncNext ? left : 0;
    return Math.max(...this.limits.of(type).map((limit) => limit.timeUntil(now, limit === this.limits.own ? reserve : 0)));
  }

  private schedule(now: number): void {
    this.stop();
    if (this.sentAhead !== undefined && Math.abs(now - this.sentAhead) >= LONGEST_WAIT_MS) this.sentAhead = undefined;
    const next = this.nextChange(now);
    if (!Number.isFinite(next)) return;
    this.cancelTimer = this.options.clock.schedule(Math.max(next, SHORTEST_TIMER), () => {
      this.cancelTimer = undefined;
      this.pump();
      this.options.onRoom();
    });
  }

  /**
   * Milliseconds until a request may be sent or has waited too long, or a block ends; infinite: an answer has to come first. Most often
   * no request waits.
   */
  private nextChange(now: number): number {
    let next = this.sentAhead === undefined ? Infinity : this.sentAhead + LONGEST_WAIT_MS - now;
    const blocked = ({ block }: Limit) => {
      const time = block.remaining(now);
      if (time > 0) next = Math.min(next, time);
    };
    blocked(this.limits.own);
    blocked(this.limits.shared);
    this.limits.types.forEach(blocked);
    for (const group of this.waiters.groups) {
      const soonest = group.priority === 'resync' ? this.waitOf(group, now, 0) : Infinity;
      next = Math.min(
        next, this.waitOf(group, now), Math.max(soonest, group.since + LONGEST_WAIT_FOR_RESERVE_MS - now), group.deadline - now,
      );
    }
    return next;
  }
}
