import { ObjectMap } from './object-map';
import { compareResourceVersions, isOlder } from '../kubernetes/resource-version';
import type { KubernetesObject, ObjectEvent, ObjectStore, RequestKind } from '../kubernetes/types';

/** Events for the listeners of the store; empty when nothing has changed. */
export interface Outcome {
  readonly events: readonly ObjectEvent[];
  /** The change is older than the stored object. */
  readonly stale?: boolean;
}

const NOTHING: Outcome = { events: [] };
const STALE: Outcome = { events: [], stale: true };

/**
 * The store of an informer, which never replaces an object by an older version. Changes come from three sources in any order: lists, watch
 * events and responses to the controller's own writes.
 */
export class ObjectHistory {
  private readonly objects = new ObjectMap();
  /** Versions from the controller's own writes that the watch has not delivered yet: `namespace/name` → resourceVersion. */
  private readonly ahead = new Map<string, string>();
  /** The newest resourceVersion of a list or a watch, by scope. */
  private readonly listed = new Map<string, string>();

  public get store(): ObjectStore & { readonly size: number } {
    return this.objects;
  }

  /** Applies a watch event. */
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

  /**
   * Applies the response to the controller's own request for one object: visible at once, unless the stored object is newer.
   * @param from whether the request was a write or a read
   */
  public applyOwn(object: KubernetesObject, from: RequestKind): Outcome {
    const known = this.known(object);
    // The write removed the last finalizer: the object is deleted by now, and the watch delivers the deletion. A read shows an object that
    // exists: a Namespace that is being deleted keeps its finalizers in its spec.
    if (from === 'write' && object.metadata.deletionTimestamp && !object.metadata.finalizers?.length) return NOTHING;
    if (known) {
      const order = compareResourceVersions(object.metadata.resourceVersion, known.metadata.resourceVersion);
      if (order === 0) return NOTHING;
      if (order === undefined || order < 0) return STALE;
    }
    // List and watch have delivered all changes up to this version, so an unknown object with an older version is deleted already.
    const { resourceVersion, namespace = '' } = object.metadata;
    const reached = this.listed.get(namespace) ?? this.listed.get('');
    if (!known && reached !== undefined && (compareResourceVersions(resourceVersion, reached) ?? 1) <= 0) return STALE;
    if (object.metadata.resourceVersion) this.ahead.set(keyOf(object), object.metadata.resourceVersion);
    return this.put(object, known);
  }

  /** Applies a complete list of a scope (a namespace, or `''` for all): the differences from the store become events. */
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

  /** Records that the watch has delivered all changes up to a version. */
  public reached(scope: string, resourceVersion: string): void {
    this.listed.set(scope, resourceVersion);
  }

  /** Deletes all objects, e.g. because the cluster does not serve the kind any more. */
  public clear(): Outcome {
    const events = this.objects.list().map((object): ObjectEvent => ({ type: 'DELETED', object, previous: object }));
    for (const { object } of events) this.objects.delete(object.metadata.namespace ?? '', object.metadata.name);
    this.ahead.clear();
    this.listed.clear();
    return { events };
  }

  /** Drops objects without a deletion: they are not kept any more. Returns them. */
  public release(isReleased: (object: KubernetesObject) => boolean): readonly KubernetesObject[] {
    const released = this.objects.list().filter(isReleased);
    for (const object of released) {
      this.ahead.delete(keyOf(object));
      this.objects.delete(object.metadata.namespace ?? '', object.metadata.name);
    }
    return released;
  }

  private known(object: KubernetesObject): KubernetesObject | undefined {
    return this.objects.get(object.metadata.namespace ?? '', object.metadata.name);
  }

  private put(object: KubernetesObject, known: KubernetesObject | undefined): Outcome {
    this.objects.set(object);
    if (!known) return { events: [{ type: 'ADDED', object }] };
    if (known.metadata.uid === object.metadata.uid) return { events: [{ type: 'MODIFIED', object, previous: known }] };
    // Another object of the same name: the watch missed the deletion of the old one.
    return { events: [{ type: 'DELETED', object: known, previous: known }, { type: 'ADDED', object }] };
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function same(a: KubernetesObject, b: KubernetesObject): boolean {
  return (
    a.metadata.uid === b.metadata.uid
    && a.metadata.resourceVersion !== undefined
    && a.metadata.resourceVersion === b.metadata.resourceVersion
  );
}
