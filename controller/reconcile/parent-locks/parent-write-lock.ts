import type { ObjectId } from '../../../src/object-id';
import { sharedKeyOf } from '../object-key';
import type { Standing } from './standings';
import { WaitingWriters } from './waiting-writers';
import { isSameCloud, isSameParty, partyOf, type Writer } from './writer';

/**
 * Why an object holds the lock:
 * - `called`: it was granted the lock, and has not begun.
 * - `begins`: its reconcile has the lock, and has not sent its request yet, as far as known.
 * - `writes`: an operation runs.
 * - `inDoubt`: it has sent a request whose outcome is not known yet.
 * - `unseen`: the outcome of requests that an earlier process may have sent for it is not known yet.
 */
export type LeaseState = 'called' | 'begins' | 'writes' | 'inDoubt' | 'unseen';

interface Lease {
  readonly writer: Writer;
  readonly why: LeaseState;
  /** Milliseconds since the epoch, like all times here. */
  readonly since: number;
  /** When the lease expires. */
  readonly until: number;
  /** When writers of other namespaces and principals no longer wait for it: nothing shows that Azure writes for it. */
  readonly yieldsAt: number;
  /** Azure has reported a running operation; valid until this time. */
  readonly seenUntil?: number | undefined;
  /** The object writes although the outcome of its last request is unknown: when the lease for that would have expired. */
  readonly inDoubtUntil?: number | undefined;
  /** Its request waits until Azure's limits have room: meanwhile others do not wait for it. */
  readonly isPaused?: boolean;
}

interface Blocker {
  readonly key: ObjectId;
  /** Whether it blocks only its own namespace and principal. */
  readonly yields: boolean;
}

export interface ParentWriteLockOptions {
  readonly now: () => number;
  readonly standingOf: (writer: Writer) => Standing;
  readonly setStanding: (writer: Writer, standing: Standing) => void;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Lease timeout without a sign of life. A reconcile follows soon; after a failure, within little more than three minutes. */
const LEASE_TIMEOUT_MS: Readonly<Record<LeaseState, number>> = {
  called: 5 * MINUTE,
  begins: 10 * MINUTE,
  writes: 10 * MINUTE,
  inDoubt: 5 * MINUTE,
  unseen: 10 * MINUTE,
};
/** Lease timeout with signs of life: operations of some resources take most of an hour. */
const LONGEST_WRITE_MS = 60 * MINUTE;
/** A writer that was granted the lock begins within this time, unless it is throttled or has no worker. */
const LONGEST_CALL_MS = SECOND;
/** Azure accepts or refuses a request within this time, unless it hangs. Until then a stranger is like anybody else. */
const LONGEST_ANSWER_MS = SECOND;
/** After a start, all objects are read within this time, unless there are very many or they cannot be. */
const LONGEST_READ_MS = MINUTE;

/** Serializes the writes below one parent; namespaces and their principals take turns. */
export class ParentWriteLock {
  /**
   * Usually one lease; several for writers that may go together, after a restart, beside those that yield, and when an overdue writer
   * shows signs of life. In the order in which they began.
   */
  private readonly leases = new Map<string, Lease>();
  private readonly waiting: WaitingWriters;
  /** Objects that still write after their lease expired, with the time since which they write. */
  private readonly overdue = new Map<string, number>();

  public constructor(private readonly options: ParentWriteLockOptions) {
    this.waiting = new WaitingWriters((writer) => options.standingOf(writer).rights !== 'refused');
  }

  public get isEmpty(): boolean {
    return this.leases.size === 0 && this.waiting.size === 0 && this.overdue.size === 0;
  }

  /** Milliseconds until a waiting writer may begin without an event; undefined: it needs one. */
  public get nextChange(): number | undefined {
    if (this.waiting.size === 0) return undefined;
    const now = this.options.now();
    const times = [...this.leases.values()].flatMap(({ until, yieldsAt }) => [until - now, yieldsAt - now]);
    const next = Math.min(...times.filter((time) => time > 0));
    return Number.isFinite(next) ? next : undefined;
  }

  /**
   * Acquires the lock, or queues the writer and returns the key of the object before it. `hasLooked`: this reconcile has read the resource.
   */
  public acquire(writer: Writer, hasLooked = true): ObjectId | undefined {
    this.expire();
    const name = sharedKeyOf(writer.key);
    const held = this.leases.get(name);
    const own = held?.why;
    // The writer's last request may still be in progress: no other writer goes before it until it has read the resource.
    if (held && own !== 'unseen' && (own !== 'inDoubt' || !hasLooked)) {
      // Of several lease holders the first goes first; all of them block newcomers. One that yields also waits for those that have begun.
      const isLate = this.isYielding(held) && own !== 'inDoubt';
      const earlier = this.blockerOf(writer, isLate ? 'begun' : 'earlier');
      if (earlier) {
        if (isLate || own === 'called') this.leases.delete(name);
        this.waiting.addInFront(writer);
        return earlier.key;
      }
      this.waiting.delete(name);
      if (own === 'called') this.begin(writer, this.options.now() - held.since > LONGEST_CALL_MS);
      if (own === 'inDoubt') {
        this.set(writer, 'begins', { seenUntil: held.seenUntil, inDoubtUntil: held.until, yieldsAt: held.yieldsAt });
      }
      return undefined;
    }
    this.overdue.delete(name);
    // The writer has read the resource by now. If it has to send a request (again), it does so after the writers that wait.
    this.leases.delete(name);
    this.waiting.add(writer);
    const before = this.beforeOf(writer);
    if (before) return before;
    this.waiting.serve(writer);
    this.begin(writer);
    return undefined;
  }

  /** Gives the writer a lease, whatever leases the others have. */
  public lease(writer: Writer, why: LeaseState, seenUntil = this.leases.get(sharedKeyOf(writer.key))?.seenUntil): void {
    this.set(writer, why, { seenUntil });
  }

  /** Gives the writer the lease of requests that an earlier process may have sent. `isNew`: its object was made a moment ago. */
  public restore(writer: Writer, isNew: boolean): void {
    this.set(writer, 'unseen', { yieldsAt: this.options.now() + (isNew ? 0 : LONGEST_READ_MS) });
  }

  /**
   * Called when the writer's request was refused or not sent. The writer keeps its lease if its own work may be the cause: an operation
   * that was reported recently, or an earlier request in doubt (then its lease is in doubt again). Returns false if it loses the lease.
   */
  public keepsLease(writer: Writer): boolean {
    this.expire();
    const { seenUntil = -Infinity, inDoubtUntil: until = -Infinity, yieldsAt } = this.leases.get(sharedKeyOf(writer.key)) ?? {};
    if (seenUntil > this.options.now()) return true;
    if (until > this.options.now()) this.set(writer, 'inDoubt', { until, ...(yieldsAt === undefined ? {} : { yieldsAt }) });
    return until > this.options.now();
  }

  /** Azure has started the writer's operation: a new lease begins. */
  public started(writer: Writer): void {
    this.options.setStanding(writer, { rights: 'accepted' });
    this.overdue.delete(sharedKeyOf(writer.key));
    this.lease(writer, 'writes', this.options.now() + LEASE_TIMEOUT_MS.writes);
  }

  /** Extends the lease of a running operation. `isSeen`: Azure has reported it; otherwise there was no sign of it. */
  public renew(writer: Writer, isSeen: boolean): void {
    this.expire();
    const now = this.options.now();
    const name = sharedKeyOf(writer.key);
    const hold = this.leases.get(name);
    const since = this.overdue.get(name) ?? (hold?.why === 'writes' ? hold.since : undefined);
    if (since === undefined) return this.lease(writer, 'writes', isSeen ? now + LEASE_TIMEOUT_MS.writes : undefined);
    const until = Math.min(now + LEASE_TIMEOUT_MS.writes, since + LONGEST_WRITE_MS);
    if (!isSeen || until <= now) return;
    // The writer was silent for long: writers that have begun meanwhile go on, and newcomers wait for it again.
    this.overdue.delete(name);
    this.leases.set(name, { writer, why: 'writes', since, until, seenUntil: until, yieldsAt: this.yieldsAtOf(writer, 'writes', now) });
  }

  /** Azure has accepted the writer's request: all others wait for it. */
  public accepted(name: string): void {
    const held = this.leases.get(name);
    if (held) this.leases.set(name, { ...held, isPaused: false, yieldsAt: Infinity });
  }

  /** The request of a writer that has begun waits until Azure's limits have room. */
  public pause(name: string): void {
    const held = this.leases.get(name);
    if (held?.why === 'begins') this.leases.set(name, { ...held, isPaused: true });
  }

  /** The writer's request may be sent as far as Azure's limits are concerned. Returns false where another writer has begun meanwhile. */
  public resume(name: string): boolean {
    this.expire();
    const held = this.leases.get(name);
    if (!held?.isPaused) return !this.overdue.has(name);
    if (this.blockerOf(held.writer)) return false;
    this.goOn(name);
    return true;
  }

  /** The writer's request is sent, whatever the others do. */
  public goOn(name: string): void {
    const held = this.leases.get(name);
    if (!held?.isPaused) return;
    const yieldsAt = this.yieldsAtOf(held.writer, held.why, this.options.now());
    this.leases.set(name, { ...held, isPaused: false, yieldsAt });
  }

  /** Whether no other writer has begun because the writer took too long. A writer that yields from the start writes beside the others. */
  public mayStillWrite(name: string): boolean {
    const held = this.leases.get(name);
    if (!held) return !this.overdue.has(name);
    const wasLate = held.yieldsAt > held.since && this.isYielding(held);
    return !wasLate || this.blockerOf(held.writer) === undefined;
  }

  /** Drops the lease or the place in the queue. */
  public release(key: ObjectId): void {
    const name = sharedKeyOf(key);
    this.leases.delete(name);
    this.overdue.delete(name);
    this.waiting.delete(name);
  }

  /** Grants the lock to the writers that may begin now. Each is returned once. */
  public grantNext(): readonly ObjectId[] {
    this.expire();
    this.noticeLateWriters();
    const called: ObjectId[] = [];
    const waits = new Set<string>();
    for (;;) {
      const next = this.waiting.next((writer) => !waits.has(partyOf(writer)) && !waits.has(writer.principal?.endpoint ?? ''));
      if (!next) return called;
      const blocker = this.blockerOf(next);
      if (blocker) {
        // Its place is kept: of those that come after it, only such begin as do not wait for what it waits for.
        waits.add(blocker.yields ? partyOf(next) : next.principal?.endpoint ?? '');
        continue;
      }
      this.waiting.serve(next);
      this.set(next, 'called');
      called.push(next.key);
    }
  }

  /** Why the object holds the lock; undefined: it does not. */
  public reasonOf(name: string): LeaseState | undefined {
    return this.leases.get(name)?.why;
  }

  private begin(writer: Writer, isSlow?: boolean): void {
    if (isSlow !== undefined) this.options.setStanding(writer, { isSlow });
    this.set(writer, 'begins', { seenUntil: this.leases.get(sharedKeyOf(writer.key))?.seenUntil });
  }

  private set(writer: Writer, why: LeaseState, more: Partial<Lease> = {}): void {
    const since = this.options.now();
    const name = sharedKeyOf(writer.key);
    // A request that was not answered is in doubt later: the others wait no longer for it than before.
    const before = why === 'inDoubt' ? this.leases.get(name)?.yieldsAt : undefined;
    const yieldsAt = before ?? this.yieldsAtOf(writer, why, since);
    this.leases.set(name, { writer, why, since, until: since + LEASE_TIMEOUT_MS[why], yieldsAt, ...more });
  }

  private yieldsAtOf(writer: Writer, why: LeaseState, since: number): number {
    const { rights, isSlow } = this.options.standingOf(writer);
    const isStranger = rights === 'refused' || rights === 'silent';
    if (why === 'called') return isStranger || isSlow ? since : since + LONGEST_CALL_MS;
    if (rights === 'accepted') return Infinity;
    // The URL of an operation is in an annotation, which may lead to any other operation.
    return isStranger || why === 'writes' ? since : since + LONGEST_ANSWER_MS;
  }

  private isYielding({ yieldsAt, isPaused }: Lease): boolean {
    return isPaused === true || yieldsAt <= this.options.now();
  }

  /** The object that goes before the writer, which waits; undefined: none does. */
  private beforeOf(writer: Writer): ObjectId | undefined {
    const passed = new Set<string>();
    for (;;) {
      const next = this.waiting.next((one) => one === writer || (!passed.has(partyOf(one)) && isSameCloud(one, writer)));
      const blocker = next && this.blockerOf(next);
      if (!next || next === writer) return blocker?.key;
      if (!blocker?.yields || isSameParty(next, writer)) return next.key;
      passed.add(partyOf(next));
    }
  }

  /** Leases that came after the writer's own do not count with `earlier`, and with `begun` they do not as long as they are only called. */
  private blockerOf(writer: Writer, counts: 'all' | 'begun' | 'earlier' = 'all'): Blocker | undefined {
    const name = sharedKeyOf(writer.key);
    let isLater = false;
    for (const [other, hold] of this.leases) {
      if (other === name) {
        if (counts === 'earlier') return undefined;
        isLater = true;
        continue;
      }
      if (isLater && counts === 'begun' && hold.why === 'called') continue;
      if ((writer.together && hold.writer.together) || !isSameCloud(writer, hold.writer)) continue;
      const yields = this.isYielding(hold);
      if (!yields || isSameParty(writer, hold.writer)) return { key: hold.writer.key, yields };
    }
    return undefined;
  }

  /** The next time, nobody waits for such writers. */
  private noticeLateWriters(): void {
    const { now, standingOf, setStanding } = this.options;
    for (const { why, writer, since, yieldsAt, isPaused } of this.leases.values()) {
      if (why === 'called' && now() - since >= LONGEST_CALL_MS) setStanding(writer, { isSlow: true });
      const isSilent = why === 'begins' && !isPaused && yieldsAt <= now();
      if (isSilent && standingOf(writer).rights === undefined) setStanding(writer, { rights: 'silent' });
    }
  }

  private expire(): void {
    const now = this.options.now();
    for (const [name, { until, why, since }] of this.leases) {
      if (until > now) continue;
      this.leases.delete(name);
      if (why === 'writes' || why === 'begins') this.overdue.set(name, since);
    }
  }
}
