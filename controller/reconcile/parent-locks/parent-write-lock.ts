import type { ObjectKey } from '../../../engine/kubernetes/types';
import { textOf } from '../object-key';

/** An object that writes, or waits to write. */
export interface Writer {
  readonly key: ObjectKey;
  /** Whether it may write at the same time as other such writers. */
  readonly together: boolean;
  /** Whether it goes to the front of the queue: its write makes the others' writes needless. */
  readonly first: boolean;
}

/**
 * Why an object holds the lock:
 * - `called`: it was granted the lock, and has not begun.
 * - `writes`: it has begun.
 * - `inDoubt`: it has sent a request whose outcome is not known yet.
 * - `unseen`: the outcome of requests that an earlier process may have sent for it is not known yet.
 */
export type LeaseState = 'called' | 'writes' | 'inDoubt' | 'unseen';

interface Lease {
  readonly writer: Writer;
  readonly why: LeaseState;
  /** Milliseconds since the epoch, like all times here. */
  readonly since: number;
  /** When the lease expires. */
  readonly until: number;
  /** Azure has reported a running operation; valid until this time. */
  readonly seenUntil?: number | undefined;
  /** The object writes although the outcome of its last request is unknown: when the lease for that would have expired. */
  readonly inDoubtUntil?: number;
}

const MINUTE = 60_000;
/** Lease timeout without a sign of life. A reconcile follows soon; after a failure, within little more than three minutes. */
const LEASE_TIMEOUT_MS: Readonly<Record<LeaseState, number>> = {
  called: 5 * MINUTE,
  writes: 10 * MINUTE,
  inDoubt: 5 * MINUTE,
  unseen: 10 * MINUTE,
};
/** Lease timeout with signs of life: operations of some resources take most of an hour. */
const LONGEST_WRITE_MS = 60 * MINUTE;

/** Serializes the writes below one parent, first come, first served. */
export class ParentWriteLock {
  /**
   * Usually one lease; several for writers that may go together, after a restart, and when an overdue writer shows signs of life. In the
   * order in which they began.
   */
  private readonly leases = new Map<string, Lease>();
  /** In the order of arrival. */
  private waiting: readonly Writer[] = [];
  /** Objects that still write after their lease expired, with the time since which they write. */
  private readonly overdue = new Map<string, number>();

  public constructor(private readonly now: () => number) {}

  public get isEmpty(): boolean {
    return this.leases.size === 0 && this.waiting.length === 0 && this.overdue.size === 0;
  }

  /**
   * Acquires the lock, or queues the writer and returns the key of the object before it. `hasLooked`: this reconcile has read the resource.
   */
  public acquire(writer: Writer, hasLooked = true): ObjectKey | undefined {
    this.expire();
    const name = textOf(writer.key);
    const held = this.leases.get(name);
    const own = held?.why;
    // The writer's last request may still be in progress: no other writer goes before it until it has read the resource.
    if (own === 'called' || own === 'writes' || (own === 'inDoubt' && !hasLooked)) {
      // Of several lease holders the first goes first; all of them block newcomers.
      const earlier = this.blockerOf(writer, true);
      if (earlier) {
        if (!this.isWaiting(name)) this.waiting = [writer, ...this.waiting];
        return earlier;
      }
      this.waiting = this.waiting.filter(({ key }) => textOf(key) !== name);
      if (own === 'called') this.lease(writer, 'writes');
      if (own === 'inDoubt') this.set(writer, 'writes', { seenUntil: held!.seenUntil, inDoubtUntil: held!.until });
      return undefined;
    }
    this.overdue.delete(name);
    // The writer has read the resource by now. If it has to send a request (again), it does so after the writers that wait.
    this.leases.delete(name);
    if (!this.isWaiting(name)) this.waiting = writer.first ? [writer, ...this.waiting] : [...this.waiting, writer];
    const place = this.waiting.findIndex(({ key }) => textOf(key) === name);
    const before = this.waiting[place - 1]?.key ?? this.blockerOf(writer);
    if (before) return before;
    this.waiting = this.waiting.slice(1);
    this.lease(writer, 'writes');
    return undefined;
  }

  /** Gives the writer a lease, whatever leases the others have. */
  public lease(writer: Writer, why: LeaseState, seenUntil = this.leases.get(textOf(writer.key))?.seenUntil): void {
    this.set(writer, why, { seenUntil });
  }

  /**
   * Called when Azure has refused the writer's last request. The writer keeps its lease if its own work may be the cause: an operation
   * that was reported recently, or an earlier request in doubt (then its lease is in doubt again). Returns false if it loses the lease.
   */
  public keepsLease(writer: Writer): boolean {
    this.expire();
    const { seenUntil = -Infinity, inDoubtUntil: until = -Infinity } = this.leases.get(textOf(writer.key)) ?? {};
    if (seenUntil > this.now()) return true;
    if (until > this.now()) this.set(writer, 'inDoubt', { until });
    return until > this.now();
  }

  /** Azure has started the writer's operation: a new lease begins. */
  public started(writer: Writer): void {
    this.overdue.delete(textOf(writer.key));
    this.lease(writer, 'writes', this.now() + LEASE_TIMEOUT_MS.writes);
  }

  /** Extends the lease of a running operation. `isSeen`: Azure has reported it; otherwise there was no sign of it. */
  public renew(writer: Writer, isSeen: boolean): void {
    this.expire();
    const name = textOf(writer.key);
    const hold = this.leases.get(name);
    const since = this.overdue.get(name) ?? (hold?.why === 'writes' ? hold.since : undefined);
    if (since === undefined) return this.lease(writer, 'writes', isSeen ? this.now() + LEASE_TIMEOUT_MS.writes : undefined);
    const until = Math.min(this.now() + LEASE_TIMEOUT_MS.writes, since + LONGEST_WRITE_MS);
    if (!isSeen || until <= this.now()) return;
    // The writer was silent for long: writers that have begun meanwhile go on, and newcomers wait for it again.
    this.overdue.delete(name);
    this.leases.set(name, { writer, why: 'writes', since, until, seenUntil: until });
  }

  /** Drops the lease or the place in the queue. */
  public release(key: ObjectKey): void {
    const name = textOf(key);
    this.leases.delete(name);
    this.overdue.delete(name);
    this.waiting = this.waiting.filter((other) => textOf(other.key) !== name);
  }

  /** Grants the lock to the writers that may begin now. Each is returned once. */
  public grantNext(): readonly ObjectKey[] {
    this.expire();
    const called: ObjectKey[] = [];
    for (;;) {
      const [next] = this.waiting;
      if (!next || this.blockerOf(next)) return called;
      this.waiting = this.waiting.slice(1);
      this.lease(next, 'called');
      called.push(next.key);
    }
  }

  /** Why the object holds the lock; undefined: it does not. */
  public reasonOf(name: string): LeaseState | undefined {
    return this.leases.get(name)?.why;
  }

  private set(writer: Writer, why: LeaseState, more: Partial<Lease>): void {
    const since = this.now();
    this.leases.set(textOf(writer.key), { writer, why, since, until: since + LEASE_TIMEOUT_MS[why], ...more });
  }

  private isWaiting(name: string): boolean {
    return this.waiting.some(({ key }) => textOf(key) === name);
  }

  /** `onlyEarlier`: only leases that began before the writer's own. */
  private blockerOf(writer: Writer, onlyEarlier = false): ObjectKey | undefined {
    const name = textOf(writer.key);
    for (const [other, hold] of this.leases) {
      if (other === name && onlyEarlier) return undefined;
      if (other !== name && !(writer.together && hold.writer.together)) return hold.writer.key;
    }
    return undefined;
  }

  private expire(): void {
    const now = this.now();
    for (const [name, { until, why, since }] of this.leases) {
      if (until > now) continue;
      this.leases.delete(name);
      if (why === 'writes') this.overdue.set(name, since);
    }
  }
}
