import type { ObjectId } from '../../../src/object-id';
import type { ParentLockState } from '../core/observed';
import type { Remains } from '../core/parent-lock';
import { sharedKeyOf } from '../object-key';
import { ParentWriteLock } from './parent-write-lock';
import { Standings } from './standings';
import type { Principal, Writer } from './writer';
import type { Clock } from '../../../engine/clock';
import { parentLockScopeOf } from '../../../engine/kinds/serial-writes';

/**
 * How a reconcile left the object: no request is on its way to Azure, an operation runs (`begun`: since this reconcile; `silence`: it ran
 * at the last sign of it), or the answer to a request was lost (`doubt`). `unknown`: the reconcile broke off before it sent a request, or
 * had no credential. `unlooked`: it ended without having read the resource. `unread`: the same, because the read failed. `blind`: the same,
 * and its DELETE was refused. `throttled`: it ended before a write that Azure's limits have no room for.
 */
export type LeftBehind = Remains | 'doubt' | 'unknown' | 'unlooked' | 'unread' | 'blind' | 'throttled';

/** Azure's answer to a write, as far as it shows the rights of the principal. */
export type RightsShown = 'accepted' | 'refused';

interface Lock {
  readonly lock: ParentWriteLock;
  cancelTimer?: (() => void) | undefined;
}

/** Milliseconds. A timer that is due at once would loop where clocks round. */
const SHORTEST_TIMER_MS = 1;

/**
 * Decides which object may write now, for resources of which Azure takes one write at a time below one parent
 * (`engine/kinds/serial-writes.ts`), across namespaces.
 *
 * A reconcile acquires the lock just before it sends a request. If it has to wait, it ends, and the object is woken when it may begin, so
 * N siblings cost N reconciles that wait and N that write. The lock is held until the operation is over, across reconciles, and is
 * released for any reason: success, failure, deletion of the object, or a timeout, with or without a sign of the operation (while its
 * credential is gone there is none). All state is in memory: after a restart the objects that may have been writing are read first
 * (`restore`).
 *
 * Anybody may name any parent, so other namespaces and principals wait only for a writer that can send, and for longer than a moment only
 * for one whose request Azure has accepted: not while it is throttled, has no worker, was refused, or gets no answer.
 */
export class ParentWriteLocks {
  private readonly locks = new Map<string, Lock>();
  private readonly standings = new Standings();
  /** Object → its lock, and its writer there. */
  private readonly places = new Map<string, { readonly lockName: string; readonly writer: Writer }>();
  /** Objects whose running reconcile has to wait: the end of that reconcile does not end the wait. */
  private readonly waiting = new Set<string>();
  private grantListener?: (key: ObjectId) => void;

  public constructor(private readonly clock: Pick<Clock, 'now' | 'schedule'>) {}

  /** Registers the listener for objects that may begin. */
  public onGranted(listener: (key: ObjectId) => void): void {
    this.grantListener = listener;
  }

  /** Acquires the lock for the object. */
  public acquire(key: ObjectId, armId: string, isDeleting: boolean, principal?: Principal): ParentLockState {
    const place = parentLockScopeOf(armId);
    if (!place) return { kind: 'held' };
    const name = sharedKeyOf(key);
    // The deletion of the parent deletes its children.
    const writer = { key, together: place.together, first: place.isParent && isDeleting, principal };
    const lock = this.lockOf(place.lockName);
    this.places.set(name, { lockName: place.lockName, writer });
    // A deletion acquires the lock before it reads the resource.
    const before = lock.acquire(writer, !isDeleting);
    if (before) this.waiting.add(name);
    this.grantNext(place.lockName);
    return before ? { kind: 'waits', before, parent: place.parent } : { kind: 'held' };
  }

  /** Azure has answered a write of the object. */
  public answered(key: ObjectId, rights: RightsShown): void {
    const place = this.places.get(sharedKeyOf(key));
    if (!place) return;
    this.standings.set(place.lockName, place.writer, { rights });
    if (rights === 'accepted') this.locks.get(place.lockName)?.lock.accepted(sharedKeyOf(key));
  }

  /** A request of the object waits until Azure's limits have room. */
  public pause(key: ObjectId): void {
    this.inLock(key, (lock, name) => lock.pause(name));
  }

  /** Whether the request that has waited may be sent now. */
  public resume(key: ObjectId): boolean {
    return this.inLock(key, (lock, name) => this.waiting.has(name) || lock.resume(name)) ?? true;
  }

  /** The request that has waited is sent in any case. */
  public goOn(key: ObjectId): void {
    this.inLock(key, (lock, name) => lock.goOn(name));
  }

  /** Whether no other object has begun since the object has acquired the lock. */
  public mayStillWrite(key: ObjectId): boolean {
    return this.inLock(key, (lock, name) => lock.mayStillWrite(name)) ?? true;
  }

  /** Called when a reconcile of the object is over. */
  public reconciled(key: ObjectId, left: LeftBehind, armId: string | undefined): void {
    const name = sharedKeyOf(key);
    const hadToWait = this.waiting.delete(name);
    if (hadToWait && left !== 'throttled') return;
    const known = this.places.get(name);
    if (left === 'throttled' && known) this.noteThrottled(known);
    const why = known && this.locks.get(known.lockName)?.lock.reasonOf(name);
    const hasSentNothing = left === 'unknown' || left === 'throttled';
    // A request that was in doubt before the reconcile still is.
    if (why === 'inDoubt' && (hasSentNothing || left === 'unlooked' || left === 'unread')) return;
    // A request of an earlier process is in doubt as long as Azure does not show the resource.
    if (why === 'unseen' && left === 'unread') return;
    // The running write is unknown to this reconcile. The next one comes soon, and the lease is not extended.
    if ((why === 'unseen' || why === 'writes') && hasSentNothing) return;
    // Azure may have refused the DELETE because of the object's own running operation or earlier request.
    const isOwn = (why === 'writes' && left === 'blind') || (why === 'begins' && (left === 'blind' || hasSentNothing));
    if (isOwn && this.lockOf(known!.lockName).keepsLease(known!.writer)) return this.grantNext(known!.lockName);
    const isOver = left !== 'begun' && left !== 'operation' && left !== 'silence' && left !== 'doubt';
    // The reconcile that claims the object has read it without its ID.
    const placeOfId = () => (armId === undefined ? undefined : parentLockScopeOf(armId));
    const place = isOver ? undefined : known ? { lockName: known.lockName, together: known.writer.together } : placeOfId();
    if (!place) return this.release(key);
    const writer = known?.writer ?? { key, together: place.together, first: false };
    const lock = this.lockOf(place.lockName);
    this.places.set(name, { lockName: place.lockName, writer });
    if (left === 'doubt') lock.lease(writer, 'inDoubt');
    else if (left === 'begun') lock.started(writer);
    else lock.renew(writer, left === 'operation');
    this.grantNext(place.lockName);
  }

  /**
   * An earlier process may have sent a request for the object: no other writer begins until a reconcile of the object has seen the outcome.
   * Other namespaces wait for a minute at most, and not at all for an object that was made a moment ago: its annotations may say anything.
   */
  public restore(key: ObjectId, armId: string, isNew = false): void {
    const place = parentLockScopeOf(armId);
    const name = sharedKeyOf(key);
    if (!place || this.places.has(name)) return;
    const writer = { key, together: place.together, first: false };
    this.places.set(name, { lockName: place.lockName, writer });
    this.lockOf(place.lockName).restore(writer, isNew);
  }

  /** Called when the object has nothing to write any more. */
  public release(key: ObjectId): void {
    const name = sharedKeyOf(key);
    this.waiting.delete(name);
    const place = this.places.get(name);
    if (!place) return;
    this.places.delete(name);
    this.locks.get(place.lockName)?.lock.release(key);
    this.grantNext(place.lockName);
  }

  /** The next time, the others do not wait until it is throttled again. */
  private noteThrottled({ lockName, writer }: { readonly lockName: string; readonly writer: Writer }): void {
    const { rights = 'silent' } = this.standings.of(lockName, writer);
    this.standings.set(lockName, writer, { isSlow: true, rights });
  }

  /** The object's lock, if it has one. Afterwards others may begin. */
  private inLock<T>(key: ObjectId, act: (lock: ParentWriteLock, name: string) => T): T | undefined {
    const name = sharedKeyOf(key);
    const place = this.places.get(name);
    const lock = place && this.locks.get(place.lockName)?.lock;
    if (!lock) return undefined;
    const result = act(lock, name);
    this.grantNext(place.lockName);
    return result;
  }

  private lockOf(name: string): ParentWriteLock {
    const known = this.locks.get(name);
    if (known) return known.lock;
    const lock = new ParentWriteLock({
      now: () => this.clock.now(),
      standingOf: (writer) => this.standings.of(name, writer),
      setStanding: (writer, standing) => this.standings.set(name, writer, standing),
    });
    this.locks.set(name, { lock });
    return lock;
  }

  private grantNext(name: string): void {
    const known = this.locks.get(name);
    if (!known) return;
    const called = known.lock.grantNext();
    known.cancelTimer?.();
    known.cancelTimer = undefined;
    if (known.lock.isEmpty) this.locks.delete(name);
    const next = known.lock.nextChange;
    if (next !== undefined) known.cancelTimer = this.clock.schedule(Math.max(next, SHORTEST_TIMER_MS), () => this.grantNext(name));
    called.forEach((key) => this.grantListener?.(key));
  }
}
