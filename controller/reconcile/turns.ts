import type { Turn } from './core/observed';
import type { Remains } from './core/turn';
import { textOf } from './object-key';
import { TurnLine, type Writer } from './turn-line';
import { turnPlaceOf } from '../../engine/kinds/serial-writes';
import type { ObjectKey } from '../../engine/kubernetes/types';

/**
 * How a pass left the object: nothing is on its way to Azure, an operation runs (`begun`: since this pass; `silence`: or did when something was
 * last heard of it), or the answer to what was sent was lost (`doubt`). `unknown`: the pass broke off before it sent anything, or had no
 * credential. `unlooked`: it ended without having seen the resource. `blind`: so it did, and its DELETE was refused.
 */
export type LeftBehind = Remains | 'doubt' | 'unknown' | 'unlooked' | 'blind';

/**
 * Who may write now, of resources of which Azure takes one write at a time below one parent (`kinds/serial-writes.ts`), whatever namespace their
 * objects are in.
 *
 * A pass asks just before it sends something. Who has to wait ends its pass, and is called when it may begin, so N siblings cost N passes that wait
 * and N that write. The turn lasts until the operation is over, across passes, and ends whatever the reason: success, failure, deletion of the
 * object, or too long a time, with or without a sign (while its credential is gone there is none). All of it is in memory: after a restart
 * whoever may have been at it is looked at first (`expect`).
 */
export class Turns {
  private readonly lines = new Map<string, TurnLine>();
  /** Object → its line, and who it is there. */
  private readonly places = new Map<string, { readonly line: string; readonly writer: Writer }>();
  /** Objects whose pass, which still runs, was told to wait: its end is not the end of their waiting. */
  private readonly told = new Set<string>();
  private onCall?: (key: ObjectKey) => void;

  public constructor(private readonly now: () => number) {}

  /** Who is to be told that somebody may begin. */
  public callWith(listener: (key: ObjectKey) => void): void {
    this.onCall = listener;
  }

  /** The object wants to write. */
  public ask(key: ObjectKey, armId: string, isDeleting: boolean): Turn {
    const place = turnPlaceOf(armId);
    if (!place) return { kind: 'mine' };
    const name = textOf(key);
    // With the parent its children go.
    const writer = { key, together: place.together, first: place.isParent && isDeleting };
    const line = this.lineOf(place.line);
    this.places.set(name, { line: place.line, writer });
    // A deletion asks before it looks.
    const before = line.ask(writer, !isDeleting);
    if (before) this.told.add(name);
    this.advance(place.line);
    return before ? { kind: 'others', before, parent: place.parent } : { kind: 'mine' };
  }

  /** A pass of the object is over. */
  public ended(key: ObjectKey, left: LeftBehind, armId: string | undefined): void {
    const name = textOf(key);
    if (this.told.delete(name)) return;
    const known = this.places.get(name);
    const why = known && this.lines.get(known.line)?.reasonOf(name);
    // What was in doubt before the pass still is.
    if (why === 'inDoubt' && (left === 'unknown' || left === 'unlooked')) return;
    // Nothing was heard of what was under way; the object has its next pass soon, and is not waited for any longer than without a sign.
    if ((why === 'unseen' || why === 'writes') && left === 'unknown') return;
    // Refused, it may be, because of what was seen to run before, or was sent before.
    if (why === 'writes' && left === 'blind' && this.lineOf(known!.line).keepsItsPlace(known!.writer)) return;
    const isOver = left !== 'begun' && left !== 'operation' && left !== 'silence' && left !== 'doubt';
    // A pass that claims the object has seen it without its id.
    const placeOfId = () => (armId === undefined ? undefined : turnPlaceOf(armId));
    const place = isOver ? undefined : known ? { line: known.line, together: known.writer.together } : placeOfId();
    if (!place) return this.forget(key);
    const writer = known?.writer ?? { key, together: place.together, first: false };
    const line = this.lineOf(place.line);
    this.places.set(name, { line: place.line, writer });
    if (left === 'doubt') line.hold(writer, 'inDoubt');
    else if (left === 'begun') line.begins(writer);
    else line.goesOn(writer, left === 'operation');
    this.advance(place.line);
  }

  /** A process before this one may have sent something for the object: nobody else begins until a pass of it has seen what became of it. */
  public expect(key: ObjectKey, armId: string): void {
    const place = turnPlaceOf(armId);
    const name = textOf(key);
    if (!place || this.places.has(name)) return;
    const writer = { key, together: place.together, first: false };
    this.places.set(name, { line: place.line, writer });
    this.lineOf(place.line).hold(writer, 'unseen');
  }

  /** The object has nothing to write any more. */
  public forget(key: ObjectKey): void {
    const name = textOf(key);
    this.told.delete(name);
    const place = this.places.get(name);
    if (!place) return;
    this.places.delete(name);
    this.lines.get(place.line)?.leave(key);
    this.advance(place.line);
  }

  private lineOf(name: string): TurnLine {
    const line = this.lines.get(name) ?? new TurnLine(this.now);
    this.lines.set(name, line);
    return line;
  }

  private advance(name: string): void {
    const line = this.lines.get(name);
    const called = line?.call() ?? [];
    if (line?.isEmpty) this.lines.delete(name);
    called.forEach((key) => this.onCall?.(key));
  }
}
