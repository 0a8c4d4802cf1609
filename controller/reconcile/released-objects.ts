import type { KubernetesObject } from '../../engine/kubernetes/types';

/** Caches lag by seconds, so objects that were released long ago are dropped. */
const MOST_RELEASED = 10_000;

/** Objects whose finalizer this process has removed: the controller ignores them, whatever a cache still shows. */
export class ReleasedObjects {
  private readonly uids = new Set<string>();

  public has({ metadata: { uid = '' } }: KubernetesObject): boolean {
    return this.uids.has(uid);
  }

  public add({ metadata: { uid } }: KubernetesObject): void {
    if (!uid) return;
    this.uids.add(uid);
    if (this.uids.size > MOST_RELEASED) this.uids.delete(this.uids.values().next().value!);
  }
}
