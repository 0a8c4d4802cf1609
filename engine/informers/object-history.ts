import { ObjectMap } from './object-map';
import { compareResourceVersions, isOlder } from '../kubernetes/resource-version';
import type { KubernetesObject, ObjectEvent, ObjectStore } from '../kubernetes/types';

/** What a change of the store has to tell its listeners; empty when nothing is new. */
export interface Outcome {
  readonly events: readonly ObjectEvent[];
  /** The change was older than what is known. */
  readonly stale?: boolean;
}

const NOTHING: Outcome = { events: [] };
const STALE: Outcome = { events: [], stale: true };

/**
 * The store of an informer and the rule by which news enter it: an object never goes back in time. News come from three sides — lists,
 * watch events, answers to the controller's own writes — in any order.
 */
export class ObjectHistory {
  private readonly objects = new ObjectMap();
  /** Versions that came from own writes and that the watch has not told yet: `namespace/name` → resourceVersion. */
  private readonly ahead = new Map<string, string>();
  /** The newest version of the collection that a list or the watch told, by scope. */
  private readonly listed = new Map<string, string>();

  public get store(): ObjectStore & { readonly size: number } {
    return this.objects;
  }

  /** An event of the watch. */
  public apply(event: ObjectEvent): Outcome {
    const { object } = event;
    const known = this.known(object);
    const order = known && compareResourceVersions(object.metadata.resourceVersion, known.metadata.resourceVersion);
    if (order !== undefined && order < 0) return STALE;
    this.ahead.delete(keyOf(object));
    if (event.type === 'DELETED') {
      if (!known) return NOTHING;
      this.objects.delete(object.metadata.namespace ?? '', object.metadata.name);
      return { events: [{ type: 'DELETED', object, previous: known }] };
    }
    if (order === 0) return NOTHING;
    return this.put(object, known);
  }

  /** The answer to an own write: visible at once, unless something newer is known already. */
  public applyOwn(object: KubernetesObject): Outcome {
    const known = this.known(object);
    // The write that took the last finalizer away: the object is gone by now, the watch will tell.
    if (object.metadata.deletionTimestamp && !object.metadata.finalizers?.length) return NOTHING;
    if (known) {
      const order = compareResourceVersions(object.metadata.resourceVersion, known.metadata.resourceVersion);
      if (order === 0) return NOTHING;
      if (order === undefined || order < 0) return STALE;
    }
    // All that happened up to the version that list and watch have reached is known, so an unknown object is one that is deleted by now.
    const { resourceVersion, namespace = '' } = object.metadata;
    const reached = this.listed.get(namespace) ?? this.listed.get('');
    if (!known && reached !== undefined && (compareResourceVersions(resourceVersion, reached) ?? 1) <= 0) return STALE;
    if (object.metadata.resourceVersion) this.ahead.set(keyOf(object), object.metadata.resourceVersion);
    return this.put(object, known);
  }

  /** A complete list of a scope (a namespace, or `''` for all): what differs from the store, as events. */
  public replace(scope: string, items: readonly KubernetesObject[], resourceVersion: string): Outcome {
    // A server restored from a backup counts from an older version: then what it says is the truth, whatever we know.
    const restored = isOlder(resourceVersion, this.listed.get(scope));
    this.listed.set(scope, resourceVersion);
    const keepsOwn = (object: KubernetesObject): boolean => {
      const own = this.ahead.get(keyOf(object));
      return !restored && own !== undefined && isOlder(resourceVersion, own);
    };
    const names = new Set(items.map(keyOf));
    const vanished = this.objects.list(scope === '' ? undefined : scope).filter((object) => !names.has(keyOf(object)) && !keepsOwn(object));
    const events: ObjectEvent[] = [];
    for (const object of vanished) {
      this.ahead.delete(keyOf(object));
      this.objects.delete(object.metadata.namespace ?? '', object.metadata.name);
      events.push({ type: 'DELETED', object, previous: object });
    }
    for (const object of items) {
      const known = this.known(object);
      if (known && (keepsOwn(known) || same(known, object))) continue;
      this.ahead.delete(keyOf(object));
      events.push(...this.put(object, known).events);
    }
    return { events };
  }

  /** The watch has told everything up to here. */
  public reached(scope: string, resourceVersion: string): void {
    this.listed.set(scope, resourceVersion);
  }

  /** Everything is gone, e.g. because the cluster does not serve the kind any more. */
  public clear(): Outcome {
    const events = this.objects.list().map((object): ObjectEvent => ({ type: 'DELETED', object, previous: object }));
    for (const { object } of events) this.objects.delete(object.metadata.namespace ?? '', object.metadata.name);
    this.ahead.clear();
    this.listed.clear();
    return { events };
  }

  private known(object: KubernetesObject): KubernetesObject | undefined {
    return this.objects.get(object.metadata.namespace ?? '', object.metadata.name);
  }

  private put(object: KubernetesObject, known: KubernetesObject | undefined): Outcome {
    this.objects.set(object);
    if (!known) return { events: [{ type: 'ADDED', object }] };
    if (known.metadata.uid === object.metadata.uid) return { events: [{ type: 'MODIFIED', object, previous: known }] };
    // Another object of the same name: the old one was deleted without our hearing of it.
    return { events: [{ type: 'DELETED', object: known, previous: known }, { type: 'ADDED', object }] };
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function same(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion !== undefined && a.metadata.resourceVersion === b.metadata.resourceVersion;
}
