import { randomUUID } from 'node:crypto';
import { ApiError } from '../api-error';
import type { SandboxClock } from '../clock';
import type { StoredObject } from '../objects';
import { timestamp } from '../objects';
import type { Change } from './change';
import { History } from './history';

export type ChangeListener = (change: Change) => void;

const FIRST_RESOURCE_VERSION = 1000;

/**
 * The counterpart of etcd in a real server: objects by resource, namespace and name, one resourceVersion for all, and a bounded
 * history to watch. Objects are never changed in place. Everything is in memory.
 */
export class Store {
  private readonly objects = new Map<string, Map<string, StoredObject>>();
  private readonly histories = new Map<string, History>();
  private readonly sorted = new Map<string, StoredObject[]>();
  private readonly listeners = new Set<ChangeListener>();
  private readonly watchers = new Map<string, Set<ChangeListener>>();
  private version = FIRST_RESOURCE_VERSION;

  public constructor(private readonly clock: SandboxClock, private readonly historyLength: number) {}

  /** The newest resourceVersion given out. */
  public get resourceVersion(): number {
    return this.version;
  }

  /** `resource` is `<plural>.<group>`, or the plural alone for the core group; `namespace` is '' for cluster-scoped objects. */
  public get(resource: string, namespace: string, name: string): StoredObject | undefined {
    return this.objects.get(resource)?.get(`${namespace}/${name}`);
  }

  /** In the order of namespace and name. */
  public list(resource: string, namespace?: string): readonly StoredObject[] {
    const all = this.inOrder(resource);
    return namespace === undefined ? all : all.filter((object) => (object.metadata.namespace ?? '') === namespace);
  }

  /** Names of the resources of which there are objects. */
  public get resources(): string[] {
    return [...this.objects.keys()].filter((resource) => this.objects.get(resource)!.size > 0);
  }

  /** Creates or replaces, without any of the API's checks; gives the object as it is stored. */
  public put(resource: string, object: StoredObject): StoredObject {
    const key = keyOf(object);
    const all = this.objects.get(resource) ?? new Map<string, StoredObject>();
    const previous = all.get(key);
    const resourceVersion = ++this.version;
    const stored: StoredObject = {
      ...object,
      metadata: {
        ...object.metadata,
        uid: object.metadata.uid ?? previous?.metadata.uid ?? randomUUID(),
        creationTimestamp: object.metadata.creationTimestamp ?? previous?.metadata.creationTimestamp ?? timestamp(this.clock.now()),
        resourceVersion: String(resourceVersion),
      },
    };
    all.set(key, stored);
    this.objects.set(resource, all);
    this.sorted.delete(resource);
    this.publish({ type: previous ? 'MODIFIED' : 'ADDED', resource, resourceVersion, object: stored, previous });
    return stored;
  }

  /**
   * Removes for good, whatever finalizers there are; undefined when there was no such object. Gives the state in which it was stored last.
   */
  public remove(resource: string, namespace: string, name: string): StoredObject | undefined {
    const all = this.objects.get(resource);
    const previous = all?.get(`${namespace}/${name}`);
    if (!all || !previous) return undefined;
    all.delete(`${namespace}/${name}`);
    this.sorted.delete(resource);
    const resourceVersion = ++this.version;
    const last = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(resourceVersion) } };
    this.publish({ type: 'DELETED', resource, resourceVersion, object: last, previous });
    return last;
  }

  /** Every change of every resource, in order, while it happens. */
  public onChange(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * The changes of a resource after `since`: those of the history at once, the others as they happen. Gives a function
   * that ends it.
   *
   * @throws ApiError 410 when the history does not reach back so far.
   */
  public watch(resource: string, since: number, listener: ChangeListener): () => void {
    const missed = since < FIRST_RESOURCE_VERSION ? undefined : this.history(resource).after(since);
    if (!missed) throw ApiError.expired(`too old resource version: ${since} (${this.version})`);
    missed.forEach(listener);
    const watchers = this.watchers.get(resource) ?? new Set();
    this.watchers.set(resource, watchers.add(listener));
    return () => watchers.delete(listener);
  }

  /** Forgets the history, as etcd does every few minutes: watches from an older resourceVersion are answered 410. */
  public compact(): void {
    for (const resource of this.objects.keys()) this.history(resource).forget(this.version);
  }

  private history(resource: string): History {
    const known = this.histories.get(resource);
    if (known) return known;
    const history = new History(this.historyLength);
    this.histories.set(resource, history);
    return history;
  }

  private publish(change: Change): void {
    this.history(change.resource).add(change);
    for (const listener of [...(this.watchers.get(change.resource) ?? [])]) listener(change);
    for (const listener of [...this.listeners]) listener(change);
  }

  private inOrder(resource: string): StoredObject[] {
    let sorted = this.sorted.get(resource);
    if (!sorted) {
      sorted = [...(this.objects.get(resource)?.entries() ?? [])]
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([, object]) => object);
      this.sorted.set(resource, sorted);
    }
    return sorted;
  }
}

const keyOf = (object: StoredObject): string => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
