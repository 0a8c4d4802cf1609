import { sharedKeyOf } from './object-key';
import { WaitingObjects } from './waiting-objects';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { ObjectId } from '../../src/object-id';

/** The use that an object makes of another one. */
export type Use =
  /** As owner or by reference: the dependent needs its readiness or ID. */
  | 'object'
  /** A Secret or ConfigMap whose data the spec imports. */
  | 'import'
  /** A Secret that holds a credential. */
  | 'credential';

export interface Dependent {
  readonly key: ObjectId;
  readonly use: Use;
}

interface Edge extends Dependent {
  readonly number: number;
}

/** The dependencies that the reconciles have found: an edge exists as soon as a reconcile has looked up an object. */
export class Dependencies {
  /** Needed object → dependent → its uses. */
  private readonly dependents = new Map<string, Map<string, Edge[]>>();
  private readonly needs = new Map<string, string[]>();
  private readonly waiting = new WaitingObjects((text) => this.onRank(text));
  private added = 0;
  private onRank: (text: string) => void = () => undefined;

  public add(dependent: ObjectId, needed: ObjectId, use: Use): void {
    const from = sharedKeyOf(dependent);
    const to = sharedKeyOf(needed);
    let known = this.dependents.get(to);
    const uses = known?.get(from) ?? [];
    if (uses.some((each) => each.use === use)) return;
    if (!known) this.dependents.set(to, (known = new Map()));
    this.added += 1;
    const edge = { key: dependent, use, number: this.added };
    known.set(from, withOneMore(uses, edge));
    if (uses.length > 0) return;
    this.needs.set(from, withOneMore(this.needs.get(from) ?? [], to));
  }

  /** Drops the needs of the object: it is gone, or its needs are about to be found anew. */
  public reset(dependent: ObjectId): void {
    const from = sharedKeyOf(dependent);
    for (const to of this.needs.get(from) ?? []) {
      const known = this.dependents.get(to);
      // Thousands of objects may need the same Secret: this must not iterate over them.
      known?.delete(from);
      if (known?.size === 0) this.dependents.delete(to);
    }
    this.needs.delete(from);
  }

  /** Whether an object needs the other one. */
  public has(needed: ObjectId): boolean {
    return this.dependents.has(sharedKeyOf(needed));
  }

  /** In the order in which the edges were added. */
  public on(needed: ObjectId): readonly Dependent[] {
    const edges = [...(this.dependents.get(sharedKeyOf(needed))?.values() ?? [])];
    const isInOrder = edges.every(({ length }) => length === 1);
    return isInOrder ? edges.flat() : edges.flat().sort((a, b) => a.number - b.number);
  }

  /** The object waits to be in sync, and its dependents wait for it: known from the specs, before any reconcile. */
  public waits(object: KubernetesObject): void {
    this.waiting.waits(object);
  }

  /** The object is in sync, or gone. */
  public waitsNoMore(key: ObjectId): void {
    this.waiting.waitsNoMore(key);
  }

  /** Length of the longest chain of objects that wait for this one, and of its own operation (`waiting-objects.ts`). */
  public rankOf(key: ObjectId): number {
    return this.waiting.rankOf(key);
  }

  /** Registers a listener for the keys, as text, of objects whose rank has changed. */
  public onRankChanged(listener: (text: string) => void): void {
    this.onRank = listener;
  }
}

/** Elements from which on an array grows in place: copies of a long one cost more than the room that it has left. */
const LONG = 16;

/** An array without room for more, unless it is long: V8 gives one that grows, by `push` or a spread, room for 16 elements more. */
function withOneMore<T>(elements: T[], element: T): T[] {
  if (elements.length < LONG) return elements.length === 0 ? [element] : elements.concat([element]);
  elements.push(element);
  return elements;
}
