import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

/** A part of a list. */
export interface Page {
  readonly items: readonly KubernetesObject[];
  readonly version: number;
  /** Which page this is; undefined: the first. */
  readonly token?: string | undefined;
  /** Where it goes on; undefined: this was the last. */
  readonly next?: string | undefined;
}

interface Known {
  readonly version: number;
  /** Undefined: it is gone. */
  readonly object?: KubernetesObject;
}

interface Collection {
  isComplete: boolean;
  readonly objects: Map<string, Known>;
  /** Pages of a list whose end has not come, by the token of the next one. */
  readonly begun: Map<string, readonly KubernetesObject[]>;
}

/**
 * Objects that have reached one process over its connection to the API server, however the process has treated them: the invariants ask
 * here what it can know, and never its caches.
 */
export class Delivered {
  private readonly collections = new Map<string, Collection>();

  /** Whether a list of the type has come to its end. */
  public isComplete(type: ResourceType): boolean {
    return this.of(type).isComplete;
  }

  public find(type: ResourceType, namespace: string | undefined, name: string): KubernetesObject | undefined {
    return this.of(type).objects.get(nameOf({ name, ...(namespace === undefined ? {} : { namespace }) }))?.object;
  }

  public listed(type: ResourceType, { items, version, token, next }: Page): void {
    const collection = this.of(type);
    const before = token === undefined ? [] : collection.begun.get(token);
    if (!before) return;
    const all = [...before, ...items];
    if (next !== undefined) {
      collection.begun.set(next, all);
      return;
    }
    const listed = new Set(all.map(({ metadata }) => nameOf(metadata)));
    for (const [name, known] of collection.objects) {
      if (known.version <= version && !listed.has(name)) collection.objects.set(name, { version });
    }
    for (const item of all) this.take(type, item, false);
    collection.isComplete = true;
  }

  public deliver(type: ResourceType, what: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: KubernetesObject): void {
    if (what !== 'BOOKMARK') this.take(type, object, what === 'DELETED');
  }

  /** The answer to a request of the process for one object. */
  public answered(type: ResourceType, object: KubernetesObject): void {
    if (object?.metadata?.resourceVersion) this.take(type, object, false);
  }

  private take(type: ResourceType, object: KubernetesObject, isGone: boolean): void {
    const { objects } = this.of(type);
    const [name, version] = [nameOf(object.metadata), Number(object.metadata.resourceVersion)];
    const known = objects.get(name);
    // The answer to the write that took the last finalizer away may come after the event of the deletion, and has its version.
    if (known && (known.version > version || (known.version === version && !known.object))) return;
    objects.set(name, { version, ...(isGone ? {} : { object }) });
  }

  private of({ group, kind }: ResourceType): Collection {
    const name = `${group}/${kind}`;
    const known = this.collections.get(name) ?? { isComplete: false, objects: new Map(), begun: new Map() };
    this.collections.set(name, known);
    return known;
  }
}

function nameOf({ namespace = '', name }: Pick<KubernetesObject['metadata'], 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
