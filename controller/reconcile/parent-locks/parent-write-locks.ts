import type { Turn } from '../core/observed';
import type { Remains } from '../core/turn';
import { textOf } from '../object-key';
import { ParentWriteLock, type Writer } from './parent-write-lock';
import { parentLockScopeOf } from '../../../engine/kinds/serial-writes';
import type { ObjectKey } from '../../../engine/kubernetes/types';

/**
 * How a reconcile left the object: nothing is on its way to Azure, an operation runs (`begun`: since this reconcile; `silence`: or did when something was
 * last heard of it), or the answer to what was sent was lost (`doubt`). `unknown`: the reconcile broke off before it sent anything, or had no
 * credential. `unlooked`: it ended without having seen the resource. `blind`: so it did, and its DELETE was refused.
 */
export type LeftBehind = Remains | 'doubt' | 'unknown' | 'unlooked' | 'blind';

/**
 * Who may write now, of resources of which Azure takes one write at a time below one parent (`kinds/serial-writes.ts`), whatever namespace their
 * objects are in.
 *
 * A reconcile asks just before it sends something. Who has to wait ends its reconcile, and is called when it may begin, so N siblings cost N reconciles that wait
 * and N that write. The turn lasts until the operation is over, across reconciles, and ends whatever the reason: success, failure, deletion of the
 * object, or too long a time, with or without a sign (while its credential is gone there is none). All of it is in memory: after a restart
 * whoever may have been at it is looked at first (`expect`).
 */
export class ParentWriteLocks {
  private readonly locks = new Map<string, ParentWriteLock>();
  /** Object → its line, and who it is there. */
  private readonly places = new Map<string, { readonly line: string; readonly writer: Writer }>();
  /** Objects whose reconcile, which still runs, was told to wait: its end is not the end of their waiting. */
  private readonly toldToWait = new Set<string>();
  private turnListener?: (key: ObjectKey) => void;

  public constructor(private readonly now: () => number) {}

  /** Who is to be told that somebody may begin. */
  public onTurn(listener: (key: ObjectKey) => void): void {
    this.turnListener = listener;
  }

  /** The object wants to write. */
  public acquire(key: ObjectKey, armId: string, isDeleting: boolean): Turn {
    const place = parentLockScopeOf(armId);
    if (!place) return { kind: 'mine' };
    const name = textOf(key);
    // With the parent its children go.
    const writer = { key, together: place.together, first: place.isParent && isDeleting };
    const line = this.lockOf(place.line);
    this.places.set(name, { line: place.line, writer });
    // A deletion asks before it looks.
    const before = line.acquire(writer, !isDeleting);
    if (before) this.toldToWait.add(name);
    this.grantNext(place.line);
    return before ? { kind: 'others', before, parent: place.parent } : { kind: 'mine' };
  }

  /** A reconcile of the object is over. */
  public reconciled(key: ObjectKey, left: LeftBehind, armId: string | undefined): void {
    const name = textOf(key);
    if (this.toldToWait.delete(name)) return;
    const known = this.places.get(name);
    const why = known && this.locks.get(known.line)?.reasonOf(name);
    // What was in doubt before the reconcile still is.
    if (why === 'inDoubt' && (left === 'unknown' || left === 'unlooked')) return;
    // Nothing was heard of what was under way; the object has its next reconcile soon, and is not waited for any longer than without a sign.
    if ((why === 'unseen' || why === 'writes') && left === 'unknown') return;
    // Refused, it may be, because of what was seen to run before, or was sent before.
    if (why === 'writes' && left === 'blind' && this.lockOf(known!.line).keepsLease(known!.writer)) return;
    const isOver = left !== 'begun' && left !== 'operation' && left !== 'silence' && left !== 'doubt';
    // A reconcile that claims the object has seen it without its id.
    const placeOfId = () => (armId === undefined ? undefined : parentLockScopeOf(armId));
    const place = isOver ? undefined : known ? { line: known.line, together: known.writer.together } : placeOfId();
    if (!place) return this.release(key);
    const writer = known?.writer ?? { key, together: place.together, first: false };
    const line = this.lockOf(place.line);
    this.places.set(name, { line: place.line, writer });
    if (left === 'doubt') line.lease(writer, 'inDoubt');
    else if (left === 'begun') line.started(writer);
    else line.renew(writer, left === 'operation');
    this.grantNext(place.line);
  }

  /** A process before this one may have sent something for the object: nobody else begins until a reconcile of it has seen what became of it. */
  public restore(key: ObjectKey, armId: string): void {
    const place = parentLockScopeOf(armId);
    const name = textOf(key);
    if (!place || this.places.has(name)) return;
    const writer = { key, together: place.together, first: false };
    this.places.set(name, { line: place.line, writer });
    this.lockOf(place.line).lease(writer, 'unseen');
  }

  /** The object has nothing to write any more. */
  public release(key: ObjectKey): void {
    const name = textOf(key);
    this.toldToWait.delete(name);
    const place = this.places.get(name);
    if (!place) return;
    this.places.delete(name);
    this.locks.get(place.line)?.release(key);
    this.grantNext(place.line);
  }

  private lockOf(name: string): ParentWriteLock {
    const line = this.locks.get(name) ?? new ParentWriteLock(this.now);
    this.locks.set(name, line);
    return line;
  }

  private grantNext(name: string): void {
    const line = this.locks.get(name);
    const called = line?.grantNext() ?? [];
    if (line?.isEmpty) this.locks.delete(name);
    called.forEach((key) => this.turnListener?.(key));
  }
}
