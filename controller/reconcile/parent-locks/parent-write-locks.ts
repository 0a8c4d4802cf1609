import type { ParentLockState } from '../core/observed';
import type { Remains } from '../core/parent-lock';
import { textOf } from '../object-key';
import { ParentWriteLock, type Writer } from './parent-write-lock';
import { parentLockScopeOf } from '../../../engine/kinds/serial-writes';
import type { ObjectKey } from '../../../engine/kubernetes/types';

/**
 * How a reconcile left the object: no request is on its way to Azure, an operation runs (`begun`: since this reconcile; `silence`: it ran
 * at the last sign of it), or the answer to a request was lost (`doubt`). `unknown`: the reconcile broke off before it sent a request, or
 * had no credential. `unlooked`: it ended without having read the resource. `blind`: the same, and its DELETE was refused.
 */
export type LeftBehind = Remains | 'doubt' | 'unknown' | 'unlooked' | 'blind';

/**
 * Decides which object may write now, for resources of which Azure takes one write at a time below one parent
 * (`engine/kinds/serial-writes.ts`), across namespaces.
 *
 * A reconcile acquires the lock just before it sends a request. If it has to wait, it ends, and the object is woken when it may begin, so
 * N siblings cost N reconciles that wait and N that write. The lock is held until the operation is over, across reconciles, and is
 * released for any reason: success, failure, deletion of the object, or a timeout, with or without a sign of the operation (while its
 * credential is gone there is none). All state is in memory: after a restart the objects that may have been writing are read first
 * (`restore`).
 */
export class ParentWriteLocks {
  private readonly locks = new Map<string, ParentWriteLock>();
  /** Object → its lock, and its writer there. */
  private readonly places = new Map<string, { readonly lockName: string; readonly writer: Writer }>();
  /** Objects whose running reconcile has to wait: the end of that reconcile does not end the wait. */
  private readonly waiting = new Set<string>();
  private grantListener?: (key: ObjectKey) => void;

  public constructor(private readonly now: () => number) {}

  /** Registers the listener for objects that may begin. */
  public onGranted(listener: (key: ObjectKey) => void): void {
    this.grantListener = listener;
  }

  /** Acquires the lock for the object. */
  public acquire(key: ObjectKey, armId: string, isDeleting: boolean): ParentLockState {
    const place = parentLockScopeOf(armId);
    if (!place) return { kind: 'held' };
    const name = textOf(key);
    // The deletion of the parent deletes its children.
    const writer = { key, together: place.together, first: place.isParent && isDeleting };
    const lock = this.lockOf(place.lockName);
    this.places.set(name, { lockName: place.lockName, writer });
    // A deletion acquires the lock before it reads the resource.
    const before = lock.acquire(writer, !isDeleting);
    if (before) this.waiting.add(name);
    this.grantNext(place.lockName);
    return before ? { kind: 'waits', before, parent: place.parent } : { kind: 'held' };
  }

  /** Called when a reconcile of the object is over. */
  public reconciled(key: ObjectKey, left: LeftBehind, armId: string | undefined): void {
    const name = textOf(key);
    if (this.waiting.delete(name)) return;
    const known = this.places.get(name);
    const why = known && this.locks.get(known.lockName)?.reasonOf(name);
    // A request that was in doubt before the reconcile still is.
    if (why === 'inDoubt' && (left === 'unknown' || left === 'unlooked')) return;
    // The running write is unknown to this reconcile. The next one comes soon, and the lease is not extended.
    if ((why === 'unseen' || why === 'writes') && left === 'unknown') return;
    // Azure may have refused the DELETE because of the object's own running operation or earlier request.
    if (why === 'writes' && left === 'blind' && this.lockOf(known!.lockName).keepsLease(known!.writer)) return;
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
   */
  public restore(key: ObjectKey, armId: string): void {
    const place = parentLockScopeOf(armId);
    const name = textOf(key);
    if (!place || this.places.has(name)) return;
    const writer = { key, together: place.together, first: false };
    this.places.set(name, { lockName: place.lockName, writer });
    this.lockOf(place.lockName).lease(writer, 'unseen');
  }

  /** Called when the object has nothing to write any more. */
  public release(key: ObjectKey): void {
    const name = textOf(key);
    this.waiting.delete(name);
    const place = this.places.get(name);
    if (!place) return;
    this.places.delete(name);
    this.locks.get(place.lockName)?.release(key);
    this.grantNext(place.lockName);
  }

  private lockOf(name: string): ParentWriteLock {
    const lock = this.locks.get(name) ?? new ParentWriteLock(this.now);
    this.locks.set(name, lock);
    return lock;
  }

  private grantNext(name: string): void {
    const lock = this.locks.get(name);
    const called = lock?.grantNext() ?? [];
    if (lock?.isEmpty) this.locks.delete(name);
    called.forEach((key) => this.grantListener?.(key));
  }
}
