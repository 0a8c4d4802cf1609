import {
  unknownState,
  UnknownStateError,
  WHOLE,
  type CachedList,
  type CachedObject,
  type CacheState,
  type UnknownState,
} from '../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectMeta, ObjectStore, RequestKind, ResourceType } from '../../engine/kubernetes/types';
import { ownerReferencesOf } from '../../engine/objects/owner-references';
import type { ObjectLookup } from '../../engine/resolve/types';
import { groupOf, type ObjectId } from '../../src/object-id';

/** The whole objects of a type of which all others are cached by their metadata alone. */
export interface ObjectContents {
  /** The state of an object, by a complete list. Where its content is not in memory, it is unknown, and a read of it begins. */
  read(namespace: string, name: string): CachedObject;
  /** The same, after the read has ended. It is unknown where the read has failed. */
  fetch(namespace: string, name: string): Promise<CachedObject>;
  /** The last whole object that was read, which may be outdated. */
  lastRead(namespace: string, name: string): KubernetesObject | undefined;
}

/** A watched resource type: an informer's interface for readers and writers of objects. */
export interface WatchedType {
  readonly type: ResourceType;
  /** The cached objects; where there are `contents`, their metadata. `Cluster` reports whether the cache is complete. */
  readonly store: ObjectStore;
  /** Set for Secrets and ConfigMaps. Absent: the store has whole objects. */
  readonly contents?: ObjectContents;
  /** False until all objects were listed. */
  readonly hasSynced?: boolean;
  /** Whether the cache is complete, in a namespace or in the cluster. Default: by `hasSynced`. */
  stateIn?(namespace?: string): CacheState;
  /** Stores the response to the controller's own write (default), or to its read of one object, so that the next reconcile sees it. */
  updateLocal(object: KubernetesObject, from?: RequestKind): void;
}

export interface ClusterOptions {
  /** Why a kind is not watched: left out by `--kinds`, not served, not discovered. */
  readonly whyNotWatched?: (group: string, kind: string) => UnknownState;
}

/**
 * The caches of all informers. An object is present, absent, or unknown; `find` and `list` throw for unknown objects, so that an
 * incomplete cache stops the reconcile and never counts as absent.
 */
export class Cluster {
  private readonly types = new Map<string, WatchedType>();

  public constructor(private readonly options: ClusterOptions = {}) {}

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

  /** Whether all objects of a kind are cached, in a namespace or in the cluster. */
  public stateOf(group: string, kind: string, namespace?: string): CacheState {
    const watched = this.typeOf(group, kind);
    if (!watched) {
      return (
        this.options.whyNotWatched?.(group, kind)
        ?? unknownState({ group, kind }, `the cluster does not serve ${kind}.${group}`, 'KindNotWatched')
      );
    }
    if (watched.stateIn) return watched.stateIn(watched.type.namespaced ? namespace || undefined : undefined);
    return watched.hasSynced === false ? unknownState({ group, kind }, `the list of ${watched.type.plural} is not complete yet`) : WHOLE;
  }

  /** The cached state of an object. */
  public read({ group, kind, namespace, name }: ObjectId): CachedObject {
    const state = this.stateOf(group, kind, namespace);
    const { store, contents } = this.typeOf(group, kind) ?? {};
    if (contents && state.state === 'whole') return contents.read(namespace, name);
    const object = contents ? contents.lastRead(namespace, name) : store?.get(namespace, name);
    if (state.state === 'unknown') return object ? { ...state, last: object } : state;
    return object ? { state: 'present', object } : { state: 'absent' };
  }

  /** The same, after a read of the object that is under way or begins now: it is unknown only where the read has failed. */
  public async fetch(key: ObjectId): Promise<CachedObject> {
    const cached = this.read(key);
    if (cached.state !== 'unknown' || !cached.only) return cached;
    return this.typeOf(key.group, key.kind)!.contents!.fetch(key.namespace, key.name);
  }

  /**
   * The object, or undefined where there is none.
   * @throws UnknownStateError where the cache is incomplete
   */
  public find(key: ObjectId): KubernetesObject | undefined {
    const cached = this.read(key);
    if (cached.state === 'unknown') throw UnknownStateError.ofObject(cached, key);
    return cached.state === 'present' ? cached.object : undefined;
  }

  /**
   * The metadata of an object, or undefined where there is none. Reads no content.
   * @throws UnknownStateError where the cache is incomplete
   */
  public findMetadata(key: ObjectId): ObjectMeta | undefined {
    const state = this.stateOf(key.group, key.kind, key.namespace);
    if (state.state === 'unknown') throw UnknownStateError.ofObject(state, key);
    return this.typeOf(key.group, key.kind)?.store.get(key.namespace, key.name)?.metadata;
  }

  /**
   * The last cached state of an object, which may be outdated: for the order of work and for texts. No decision may rest on it. Of Secrets
   * and ConfigMaps only the metadata.
   */
  public lastSeen({ group, kind, namespace, name }: ObjectId): KubernetesObject | undefined {
    return this.typeOf(group, kind)?.store.get(namespace, name);
  }

  /** All objects of a kind; of Secrets and ConfigMaps only their metadata. */
  public list(group: string, kind: string, namespace?: string): CachedList {
    const state = this.stateOf(group, kind, namespace);
    return state.state === 'unknown' ? state : { state: 'whole', objects: this.typeOf(group, kind)!.store.list(namespace) };
  }

  /**
   * Whether all owners of an exported Secret or ConfigMap are certainly gone, so that Kubernetes is about to delete it: its values are
   * those of a resource that may be gone too, and an object of the same name may have taken the owner's place.
   */
  private isLeftBehind(object: KubernetesObject, onFind: (key: ObjectId) => void): boolean {
    const owners = ownerReferencesOf(object);
    return owners.length > 0 && owners.every(({ apiVersion, kind, name, uid }) => {
      const group = groupOf({ apiVersion });
      if (group === '' || !this.typeOf(group, kind)) return false;
      const key = { group, kind, namespace: object.metadata.namespace ?? '', name };
      onFind(key);
      const owner = this.read(key);
      return owner.state === 'absent' || (owner.state === 'present' && owner.object.metadata.uid !== uid);
    });
  }

  /** Finds objects, and reports every lookup: an object depends on all objects that it looks up, present or absent. */
  public lookup(onFind: (key: ObjectId) => void = () => undefined): ObjectLookup {
    return {
      serves: (group, kind) => {
        if (this.types.has(nameOf(group, kind))) return true;
        const unknown = this.options.whyNotWatched?.(group, kind);
        if (unknown) throw UnknownStateError.ofKind(unknown);
        return false;
      },
      find: (group, kind, namespace, name) => {
        const key = { group, kind, namespace, name };
        onFind(key);
        const found = this.find(key);
        return found && group === '' && this.isLeftBehind(found, onFind) ? undefined : found;
      },
      list: (group, kind) => {
        // A kind that the cluster does not serve has no objects.
        if (!this.types.has(nameOf(group, kind)) && !this.options.whyNotWatched?.(group, kind)) return [];
        const listed = this.list(group, kind);
        return listed.state === 'whole' ? listed.objects : undefined;
      },
    };
  }
}

function nameOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}
