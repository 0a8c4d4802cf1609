import type { KubernetesObject, ObjectKey, ObjectStore, ResourceType } from '../kubernetes/types';
import type { ObjectLookup } from '../resolve/types';

/** A watched resource type: what an informer offers to those who read and write objects. */
export interface WatchedType {
  readonly type: ResourceType;
  readonly store: ObjectStore;
  /** False as long as not all objects were listed. */
  readonly hasSynced?: boolean;
  /** Takes over the answer to an own write, so that the next pass sees it. */
  updateLocal(object: KubernetesObject): void;
}

/** All that the informers have seen. */
export class Cluster {
  private readonly types = new Map<string, WatchedType>();

  public add(watched: WatchedType): void {
    this.types.set(nameOf(watched.type.group, watched.type.kind), watched);
  }

  public remove(type: ResourceType): void {
    this.types.delete(nameOf(type.group, type.kind));
  }

  public typeOf(group: string, kind: string): WatchedType | undefined {
    return this.types.get(nameOf(group, kind));
  }

  public get watched(): readonly WatchedType[] {
    return [...this.types.values()];
  }

  public find({ group, kind, namespace, name }: ObjectKey): KubernetesObject | undefined {
    return this.typeOf(group, kind)?.store.get(namespace, name);
  }

  /** Finds objects, and tells of every question: whoever asks for an object depends on it, whether it is there or not. */
  public lookup(onFind: (key: ObjectKey) => void = () => undefined): ObjectLookup {
    return {
      serves: (group, kind) => this.types.has(nameOf(group, kind)),
      find: (group, kind, namespace, name) => {
        const key = { group, kind, namespace, name };
        onFind(key);
        return this.find(key);
      },
    };
  }
}

function nameOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}
