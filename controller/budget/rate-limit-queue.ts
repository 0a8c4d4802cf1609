import { FairScheduler, type Waiting } from './fair-scheduler';
import { Limit, type Issue } from './limit';
import type { Operation, RequestScope } from './operation';
import { ThrottledError } from './throttled-error';
import { queryQuotaOf, remainingOf, type Throttling } from './throttling';
import type { RawAnswer } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { RequestBucket } from '../../src/azure/arm-request-limits';
import type { Priority } from '../work-queue';

/** Identifies the requests that Azure Resource Manager counts together. */
export interface RateLimitQueueName {
  /** Resource Manager endpoint of the cloud. */
  readonly endpoint: string;
  readonly scope: RequestScope;
  /** Client id. */
  readonly principal: string;
  readonly operation: Operation;
}

export interface QueuedRequest {
  readonly namespace: string;
  readonly priority: Priority;
  readonly rank: number;
  /** Whether an earlier request of the reconcile was let through: then this request waits for its turn without a limit. */
  readonly hasBegun?: boolean;
  /** Key of provider limits. */
  readonly type: string;
  /** The object that the request is for. */
  readonly object?: string;
  /** Called instead of a longer wait; if absent, the request waits without a limit. */
  readonly onThrottled?: (reason: ThrottledError) => void;
  /** Milliseconds to wait for a turn before the request is throttled; infinite: throttled only while Azure refuses requests. */
  readonly patience: number;
}

export interface RateLimitQueueOptions {
  readonly name: RateLimitQueueName;
  readonly clock: Clock;
  readonly bucket: RequestBucket;
  /** The limit of all principals together, shared with their queues. */
  readonly shared: Limit;
  /** The limit of one type was reached, or its block has ended. */
  readonly onBlock: (queue: RateLimitQueue, type: string | undefined, limit: Limit, begins: boolean) => void;
  /** There may be new room. */
  readonly onRoom: () => void;
}

/** A request that was let through; its sender reports the outcome with it. */
export interface Ticket {
  readonly type: string;
  readonly limits: readonly (readonly [Limit, Issue])[];
}

interface Waiter extends Waiting, QueuedRequest {
  readonly since: number;
  readonly grant: (ticket: Ticket) => void;
  readonly refuse: (reason: unknown) => void;
}

/** Fraction of the bucket reserved for changed objects: resyncs never empty it. */
const RESERVED_FOR_CHANGES = 0.2;
/** A resync that has waited longer than this may use the reserve: the level of some subscriptions never exceeds it. Milliseconds. */
const LONGEST_WAIT_FOR_RESERVE_MS = 10_000;
/** As many requests of a namespace may wait as are refilled in this time. Seconds. */
const ROOM_SECONDS = 0.5;
const LEAST_ROOM = 2;
/** Longest wait of a reconcile for Azure to take requests again. Milliseconds. */
export const LONGEST_WAIT_MS = 1_000;
/** The same for a reconcile with an earlier request that was let through, because its work would be repeated. Milliseconds. */
export const LONGEST_WAIT_WHEN_BEGUN_MS = 5_000;
/** Milliseconds. A timer that is due at once would loop where clocks round. */
const SHORTEST_TIMER = 1;

/** Waiting requests of one priority and type. */
interface WaitersOfType {
  readonly priority: Priority;
  readonly type: string;
  readonly waiters: Waiter[];
}

/** The requests that Azure counts together: sends them within the limits, and queues the others. */
export class RateLimitQueue {
  public readonly own: Limit;
  /** Limits of single types while Azure refuses them; the limit of Resource Graph stays. */
  public readonly types = new Map<string, Limit>();
  private readonly reserve: number;
  private readonly scheduler = new FairScheduler();
  private readonly waitersByType = new Map<string, WaitersOfType>();
  private asked = 0;
  private underWay = 0;
  private cancelTimer: (() => void) | undefined;
  /** Time at which the gate was last opened for one reconcile, although it is unknown whether Azure takes requests again. */
  private sentAhead: number | undefined;

  public constructor(private readonly options: RateLimitQueueOptions) {
    this.own = new Limit(options.bucket, options.clock.now());
    this.reserve = Math.floor(options.bucket.size * RESERVED_FOR_CHANGES);
  }

  public get name(): RateLimitQueueName {
    return this.options.name;
  }

  public get shared(): Limit {
    return this.options.shared;
  }

  public get isIdle(): boolean {
    const { block, bucket } = this.own;
    const isFull = bucket!.timeUntil(this.options.clock.now(), bucket!.limit.size) === 0;
    return isFull && this.waitersByType.size === 0 && this.underWay === 0 && block.isOpen;
  }

  public waiting(priority: Priority): number {
    return this.waitingWith(priority).length;
  }

  /** Resolves when the request may be sent. Rejects with the signal's reason, or with ThrottledError. */
  public acquire(request: QueuedRequest, signal?: AbortSignal): Promise<Ticket> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.leave(waiter);
        reject(signal!.reason);
        this.pump();
      };
      const end = <T>(settle: (value: T) => void) => (value: T) => {
        signal?.removeEventListener('abort', stop);
        settle(value);
      };
      this.asked += 1;
      const waiter: Waiter = { ...request, number: this.asked, since: this.options.clock.now(), grant: end(resolve), refuse: end(reject) };
      signal?.addEventListener('abort', stop, { once: true });
      this.join(waiter);
      this.pump();
    });
  }

  public answered(ticket: Ticket, response: RawAnswer, throttling: Throttling | undefined): void {
    const { clock, name: { scope, operation } } = this.options;
    const now = clock.now();
    this.underWay -= 1;
    const left = remainingOf(response.headers, scope, operation);
    const quota = queryQuotaOf(response.headers);
    const refused = throttling && this.limitOf(throttling, ticket.type);
    for (const [limit, issue] of ticket.limits) {
      limit.end(!throttling, now);
      limit.observe(issue, limit === this.own ? left.principal : limit === this.shared ? left.scope : quota?.remaining, now);
      const isUsedUp = limit !== this.own && limit !== this.shared && limit.bucket && quota?.remaining === 0;
      if (isUsedUp && refused !== limit && limit.block.isOpen) limit.block.refuse(now, quota.resetsAfter, clock.random());
      if (limit === refused || !issue.probes) continue;
      // A request that one limit refused says nothing about the limits after it.
      if (throttling && throttling.by !== 'provider') limit.block.again(now);
      else if (limit.block.open(now)) this.ended(limit, ticket.type);
    }
    if (refused) {
      refused.code = throttling.code;
      // The answer may have no header with the remaining count.
      if (throttling.by !== 'provider') refused.bucket?.clamp(now, 0);
      const wait = throttling.milliseconds ?? (refused.bucket && quota ? quota.resetsAfter || undefined : undefined);
      if (refused.refuse(now, wait, clock.random())) this.options.onBlock(this, this.typeOf(refused), refused, true);
    }
    if (this.types.get(ticket.type)?.isForgettable) this.types.delete(ticket.type);
    this.pump();
  }

  public unanswered(ticket: Ticket): void {
    const now = this.options.clock.now();
    this.underWay -= 1;
    for (const [limit, issue] of ticket.limits) {
      limit.end(false, now);
      if (issue.probes) limit.block.again(now);
    }
    this.pump();
  }

  /** Whether a request may wait here without blocking others. */
  public hasRoom(namespace: string, priority: Priority): boolean {
    const perPeriod = this.options.bucket.refillPerSecond * ROOM_SECONDS;
    const now = this.options.clock.now();
    // A request that waits only for the limit of its type blocks no other request.
    const isInTheWay = ({ type }: WaitersOfType) => (this.types.get(type)?.timeUntil(now) ?? 0) === 0;
    const alike = this.waitingWith(priority, isInTheWay);
    // A resync waits for all waiting requests; a changed object does not wait for other namespaces.
    if (priority === 'resync') return alike.length < Math.max(perPeriod, LEAST_ROOM);
    const namespaces = new Set(alike.map((waiter) => waiter.namespace)).add(namespace).size;
    return alike.filter((waiter) => waiter.namespace === namespace).length < Math.max(perPeriod / namespaces, LEAST_ROOM);
  }

  /**
   * Whether Azure takes such requests, as far as known. After a block one reconcile goes ahead; if it sends no request, another one may
   * go after a while.
   */
  public isOpen(type: string | undefined): boolean {
    const limits = this.limitsOf(type);
    if (limits.every(({ block }) => block.isOpen)) return true;
    const now = this.options.clock.now();
    if (this.waitersByType.size > 0 || !limits.every(({ block }) => block.allows(now))) return false;
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
    const outdated = this.waitingWith('resync').filter((waiter) => waiter.object === object && waiter.onThrottled);
    if (outdated.length === 0) return;
    outdated.forEach((waiter) => this.leave(waiter));
    outdated.forEach((waiter) => this.tellHeldBack(waiter, this.options.clock.now()));
    this.pump();
  }

  public stop(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Lets through the requests whose turn it is, throttles those that would wait too long, and sets a timer for the next change. */
  public pump(): void {
    const now = this.options.clock.now();
    let served = 0;
    while (this.waitersByType.size > 0) {
      const next = this.scheduler.next([...this.waitersByType.values()].flatMap((line) => this.readyOf(line, now)));
      if (!next) break;
      this.serve(next, now);
      served += 1;
    }
    const held = this.holdBack(now);
    this.schedule(now);
    if (served + held > 0 || this.waitersByType.size === 0) this.options.onRoom();
  }

  private join(waiter: Waiter): void {
    const { priority, type } = waiter;
    const key = `${priority} ${type}`;
    const line = this.waitersByType.get(key) ?? { priority, type, waiters: [] };
    line.waiters.push(waiter);
    this.waitersByType.set(key, line);
  }

  private leave(waiter: Waiter): void {
    const key = `${waiter.priority} ${waiter.type}`;
    const line = this.waitersByType.get(key);
    const at = line?.waiters.indexOf(waiter) ?? -1;
    if (at >= 0) line!.waiters.splice(at, 1);
    if (line?.waiters.length === 0) this.waitersByType.delete(key);
  }

  private waitingWith(priority: Priority, counts: (line: WaitersOfType) => boolean = () => true): readonly Waiter[] {
    return [...this.waitersByType.values()].flatMap((line) => (line.priority === priority && counts(line) ? line.waiters : []));
  }

  private serve(waiter: Waiter, now: number): void {
    this.leave(waiter);
    this.scheduler.serve(waiter);
    this.underWay += 1;
    waiter.grant({ type: waiter.type, limits: this.limitsOf(waiter.type).map((limit) => [limit, limit.issue(now)] as const) });
  }

  /** Returns how many requests were throttled. */
  private holdBack(now: number): number {
    if (this.waitersByType.size === 0) return 0;
    const impatient = [...this.waitersByType.values()].flatMap((line) => {
      const blocked = this.blockedFor(line, now);
      const isTooLong = ({ hasBegun }: Waiter) => blocked > (hasBegun ? LONGEST_WAIT_WHEN_BEGUN_MS : LONGEST_WAIT_MS);
      return line.waiters.filter((waiter) => waiter.onThrottled && (isTooLong(waiter) || patienceOf(waiter, now) <= 0));
    });
    impatient.forEach((waiter) => this.leave(waiter));
    impatient.forEach((waiter) => this.tellHeldBack(waiter, now));
    return impatient.length;
  }

  private tellHeldBack(waiter: Waiter, now: number): void {
    const wait = Math.max(...this.limitsOf(waiter.type).map((limit) => limit.timeUntil(now)));
    const { scope, operation } = this.options.name;
    const reason = new ThrottledError(
      `${operation} of the ${scope.level} ${scope.id}`,
      Number.isFinite(wait) ? Math.max(wait, LONGEST_WAIT_MS) : LONGEST_WAIT_MS,
    );
    waiter.onThrottled!(reason);
    waiter.refuse(reason);
  }

  /** Milliseconds as far as known; 0 while a probe is under way. */
  private blockedFor({ type }: WaitersOfType, now: number): number {
    const blocked = Math.max(...this.limitsOf(type).map(({ block }) => block.remaining(now)));
    return Number.isFinite(blocked) ? blocked : 0;
  }

  /** The requests that may be sent now. */
  private readyOf(line: WaitersOfType, now: number): readonly Waiter[] {
    if (this.waitOf(line, now) === 0) return line.waiters;
    return line.priority === 'resync' && this.waitOf(line, now, 0) === 0
      ? line.waiters.filter(({ since }) => now - since >= LONGEST_WAIT_FOR_RESERVE_MS)
      : [];
  }

  /** Milliseconds until one of the requests may be sent, as far as known now. */
  private waitOf({ type, priority }: WaitersOfType, now: number, left = this.reserve): number {
    const reserve = priority === 'resync' && !this.scheduler.isTurnOfResync ? left : 0;
    return Math.max(...this.limitsOf(type).map((limit) => limit.timeUntil(now, limit === this.own ? reserve : 0)));
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
    blocked(this.own);
    blocked(this.shared);
    this.types.forEach(blocked);
    for (const line of this.waitersByType.values()) {
      next = Math.min(next, this.waitOf(line, now));
      const soonest = line.priority === 'resync' ? this.waitOf(line, now, 0) : Infinity;
      for (const waiter of line.waiters) {
        next = Math.min(next, Math.max(soonest, waiter.since + LONGEST_WAIT_FOR_RESERVE_MS - now));
        if (waiter.onThrottled) next = Math.min(next, patienceOf(waiter, now));
      }
    }
    return next;
  }

  private limitsOf(type: string | undefined): readonly Limit[] {
    const ofType = type === undefined ? undefined : this.types.get(type);
    return ofType ? [this.own, this.shared, ofType] : [this.own, this.shared];
  }

  private limitOf({ by }: Throttling, type: string): Limit {
    if (by !== 'provider') return by === 'scope' ? this.shared : this.own;
    const known = this.types.get(type) ?? new Limit(undefined, this.options.clock.now());
    this.types.set(type, known);
    return known;
  }

  private typeOf(limit: Limit): string | undefined {
    return [...this.types].find(([, other]) => other === limit)?.[0];
  }

  private ended(limit: Limit, type: string): void {
    const isOfType = limit !== this.own && limit !== this.shared;
    this.options.onBlock(this, isOfType ? type : undefined, limit, false);
  }
}

/** Milliseconds that the request may still wait. */
function patienceOf({ since, patience, hasBegun }: Waiter, now: number): number {
  return hasBegun ? Infinity : since + patience - now;
}
