import { textOf } from './object-key';
import type { UnknownState } from '../../engine/kubernetes/cache-state';
import type { ObjectKey } from '../../engine/kubernetes/types';

/** Objects that wait until the cache of a kind is known. */
export class CacheWaits {
  private readonly waiting = new Map<string, Map<string, ObjectKey>>();

  public add(object: ObjectKey, { group, kind }: UnknownState): void {
    const name = `${group}/${kind}`;
    const known = this.waiting.get(name) ?? new Map<string, ObjectKey>();
    this.waiting.set(name, known.set(textOf(object), object));
  }

  public take(group: string, kind: string): readonly ObjectKey[] {
    const name = `${group}/${kind}`;
    const found = [...(this.waiting.get(name)?.values() ?? [])];
    this.waiting.delete(name);
    return found;
  }

  public forget(object: ObjectKey): void {
    for (const [name, objects] of this.waiting) {
      objects.delete(textOf(object));
      if (objects.size === 0) this.waiting.delete(name);
    }
  }
}
