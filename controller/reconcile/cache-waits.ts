import { sharedKeyOf } from './object-key';
import type { UnknownState } from '../../engine/kubernetes/cache-state';
import type { ObjectId } from '../../src/object-id';

/** Objects that wait until the cache of a kind is known, or one object of it. */
export class CacheWaits {
  private readonly waiting = new Map<string, Map<string, ObjectId>>();

  public add(object: ObjectId, { group, kind, only }: UnknownState): void {
    const name = only ? sharedKeyOf(only) : `${group}/${kind}`;
    const known = this.waiting.get(name) ?? new Map<string, ObjectId>();
    this.waiting.set(name, known.set(sharedKeyOf(object), object));
  }

  /** The objects that wait for the cache of a kind. */
  public take(group: string, kind: string): readonly ObjectId[] {
    return this.taken(`${group}/${kind}`);
  }

  /** The objects that wait for one object. */
  public takeFor(needed: ObjectId): readonly ObjectId[] {
    return this.taken(sharedKeyOf(needed));
  }

  public forget(object: ObjectId): void {
    for (const [name, objects] of this.waiting) {
      objects.delete(sharedKeyOf(object));
      if (objects.size === 0) this.waiting.delete(name);
    }
  }

  private taken(name: string): readonly ObjectId[] {
    const found = [...(this.waiting.get(name)?.values() ?? [])];
    this.waiting.delete(name);
    return found;
  }
}
