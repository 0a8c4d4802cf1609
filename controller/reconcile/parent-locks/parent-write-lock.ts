import type { ObjectKey } from '../../../engine/kubernetes/types';
import { textOf } from '../object-key';

/** Who wants to write. */
export interface Writer {
  readonly key: ObjectKey;
  /** May write at the same time as others of which this is true too. */
  readonly together: boolean;
  /** Goes to the front of the line: what it does makes the others' writes needless. */
  readonly first: boolean;
}

/**
 * Why nobody else may write:
 * - `called`: it may begin, and was told so.
 * - `writes`: it has begun.
 * - `inDoubt`: it has sent something, and nobody knows yet what became of it.
 * - `unseen`: what a process before this one may have sent for it is not known yet.
 */
export type LeaseState = 'called' | 'writes' | 'inDoubt' | 'unseen';

interface Lease {
  readonly writer: Writer;
  readonly why: LeaseState;
  /** Milliseconds since the epoch, as all times. */
  readonly since: number;
  /** Whoever takes longer than this is not waited for. */
  readonly until: number;
  /** Azure has shown its operation: how long that counts. */
  readonly seenUntil?: number;
  /** It sends something although what became of the last thing is not known: how long others would have waited for that. */
  readonly inDoubtUntil?: number;
}

const MINUTE = 60_000;
/** How long somebody is waited for without a sign. Reconciles come soon; after a failure in up to three minutes and a bit. */
const LEASE_TIMEOUT_MS: Readonly<Record<LeaseState, number>> = { called: 5 * MINUTE, writes: 10 * MINUTE, inDoubt: 5 * MINUTE, unseen: 10 * MINUTE };
/** With signs: operations of some resources take most of an hour. */
const LONGEST_WRITE_MS = 60 * MINUTE;

/** Those that write below one parent, one after the other, first come first served. */
export class ParentWriteLock {
  /** Usually one; several where they may go together, after a restart, and when one is heard of again. In the order in which they began. */
  private readonly leases = new Map<string, Lease>();
  /** In the order in which they come. */
  private waiting: readonly Writer[] = [];
  /** Who writes on although the others wait no longer, and since when. */
  private readonly overdue = new Map<string, number>();

  public constructor(private readonly now: () => number) {}

  public get isEmpty(): boolean {
    return this.leases.size === 0 && this.waiting.length === 0 && this.overdue.size === 0;
  }

  /** Begins to write, or waits: then the answer is who comes before. `hasLooked`: this reconcile has seen the resource. */
  public acquire(writer: Writer, hasLooked = true): ObjectKey | undefined {
    this.expire();
    const name = textOf(writer.key);
    const held = this.leases.get(name);
    const own = held?.why;
    // What it has sent may still be at work: nobody goes before it until it has looked.
    if (own === 'called' || own === 'writes' || (own === 'inDoubt' && !hasLooked)) {
      // Of several that are at it, who was first goes first; the others still keep away whoever is new.
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
    // It has looked at Azure by now. If it has to send something (again), it does so after those who have waited meanwhile.
    this.leases.delete(name);
    if (!this.isWaiting(name)) this.waiting = writer.first ? [writer, ...this.waiting] : [...this.waiting, writer];
    const place = this.waiting.findIndex(({ key }) => textOf(key) === name);
    const before = this.waiting[place - 1]?.key ?? this.blockerOf(writer);
    if (before) return before;
    this.waiting = this.waiting.slice(1);
    this.lease(writer, 'writes');
    return undefined;
  }

  /** It is at it, whoever else may be. */
  public lease(writer: Writer, why: LeaseState, seenUntil = this.leases.get(textOf(writer.key))?.seenUntil): void {
    this.set(writer, why, { seenUntil });
  }

  /**
   * What it has just sent was refused. It keeps its place where that may be because of something of its own: an operation that was shown not too
   * long ago, or what was sent before and is in doubt (then it is so again). False: it was not.
   */
  public keepsLease(writer: Writer): boolean {
    this.expire();
    const { seenUntil = -Infinity, inDoubtUntil: until = -Infinity } = this.leases.get(textOf(writer.key)) ?? {};
    if (seenUntil > this.now()) return true;
    if (until > this.now()) this.set(writer, 'inDoubt', { until });
    return until > this.now();
  }

  /** Azure has taken up what it has sent, whatever it was at before. */
  public started(writer: Writer): void {
    this.overdue.delete(textOf(writer.key));
    this.lease(writer, 'writes', this.now() + LEASE_TIMEOUT_MS.writes);
  }

  /** Its operation goes on. `isSeen`: Azure has said so; else nothing was heard of it. */
  public renew(writer: Writer, isSeen: boolean): void {
    this.expire();
    const name = textOf(writer.key);
    const hold = this.leases.get(name);
    const since = this.overdue.get(name) ?? (hold?.why === 'writes' ? hold.since : undefined);
    if (since === undefined) return this.lease(writer, 'writes', isSeen ? this.now() + LEASE_TIMEOUT_MS.writes : undefined);
    const until = Math.min(this.now() + LEASE_TIMEOUT_MS.writes, since + LONGEST_WRITE_MS);
    if (!isSeen || until <= this.now()) return;
    // Nothing was heard of it for long: whoever has begun meanwhile goes on, and whoever comes now waits again.
    this.overdue.delete(name);
    this.leases.set(name, { writer, why: 'writes', since, until, seenUntil: until });
  }

  /** It neither writes nor waits any more. */
  public release(key: ObjectKey): void {
    const name = textOf(key);
    this.leases.delete(name);
    this.overdue.delete(name);
    this.waiting = this.waiting.filter((other) => textOf(other.key) !== name);
  }

  /** Who may begin now. Each is told once. */
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

  /** Why nobody else may write because of it; undefined: not because of it. */
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

  /** `onlyEarlier`: of those that were at it before the writer itself. */
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
