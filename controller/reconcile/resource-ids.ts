import { textOf } from './object-key';
import type { ObjectKey } from '../../engine/kubernetes/types';

/** The objects of each Azure resource. ARM IDs are compared case-insensitively. */
export class ResourceIds {
  private readonly idOf = new Map<string, string>();
  private readonly objectsOf = new Map<string, Set<string>>();

  public set(key: ObjectKey, armId: string | undefined): void {
    const name = textOf(key);
    const id = armId?.toLowerCase();
    if (this.idOf.get(name) === id) return;
    this.delete(key);
    if (id === undefined) return;
    this.idOf.set(name, id);
    const objects = this.objectsOf.get(id) ?? new Set();
    this.objectsOf.set(id, objects.add(name));
  }

  public delete(key: ObjectKey): void {
    const name = textOf(key);
    const id = this.idOf.get(name);
    if (id === undefined) return;
    this.idOf.delete(name);
    const objects = this.objectsOf.get(id);
    objects?.delete(name);
    if (objects?.size === 0) this.objectsOf.delete(id);
  }

  /** Whether another object has the same resource. */
  public isOfAnother(key: ObjectKey, armId: string): boolean {
    const name = textOf(key);
    return [...this.objectsOf.get(armId.toLowerCase()) ?? []].some((other) => other !== name);
  }
}
