import { textOf } from './object-key';
import type { UnknownState } from '../../engine/kubernetes/cache-state';
import type { ObjectKey } from '../../engine/kubernetes/types';

/** Objects that wait until the cache of a kind is known, or one object of it. */
export class CacheWaits {
  private readonly waiting = new Map<string, Map<string, ObjectKey>>();

  public add(object: ObjectKey, { group, kind, only }: UnknownState): void {
    const name = only ? textOf(only) : `${group}/${kind}`;
    const known = this.waiting.get(name) ?? new Map<string, ObjectKey>();
    this.waiting.set(name, known.set(textOf(object), object));
  }

  /** The objects that wait for the cache of a kind. */
  public take(group: string, kind: string): readonly ObjectKey[] {
    return this.taken(`${group}/${kind}`);
  }

  /** The objects that wait for one object. */
  public takeFor(needed: ObjectKey): readonly ObjectKey[] {
    return this.taken(textOf(needed));
  }

  public forget(object: ObjectKey): void {
    for (const [name, objects] of this.waiting) {
      objects.delete(textOf(object));
      if (objects.size === 0) this.waiting.delete(name);
    }
  }

  private taken(name: string): readonly ObjectKey[] {
    const found = [...(this.waiting.get(name)?.values() ?? [])];
    this.waiting.delete(name);
    return found;
  }
}
