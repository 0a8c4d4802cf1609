import type { ComposerCache, ComposerClient } from '../../composer/reconcile/types';
import {
  KubernetesError,
  type CachedObject,
  type DeletePreconditions,
  type KubernetesObject,
  type ObjectEvent,
  type PatchType,
  type ResourceType,
} from '../../engine/kubernetes';
import { APPLY_SET_PART_OF } from '../../src/azure/annotations';
import type { ObjectId } from '../../src/object-id';

type Json = Record<string, unknown>;

/** The kinds that the tests' claims are of, read, and are made of. */
export const TYPES: readonly ResourceType[] = [
  { group: 'platform.example.com', version: 'v1', plural: 'services', kind: 'Service', namespaced: true },
  { group: 'settings.example.com', version: 'v1', plural: 'environments', kind: 'Environment', namespaced: true },
  { group: 'resources.azure.com', version: 'v1', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true },
  { group: 'storage.azure.com', version: 'v1', plural: 'storageaccounts', kind: 'StorageAccount', namespaced: true },
  { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
];

export const CLAIMS = TYPES[0]!;
export const ENVIRONMENTS = TYPES[1]!;
/** Kinds without a generation, as in Kubernetes. */
const WITHOUT_GENERATION: ReadonlySet<string> = new Set(['ConfigMap']);

/** A write that the cluster has carried out. */
export interface LoggedWrite {
  readonly actor: string;
  readonly verb: 'create' | 'update' | 'status' | 'delete';
  readonly key: string;
  readonly uid: string;
  /** Before an update or a deletion. */
  readonly before?: KubernetesObject;
}

export const textOf = ({ group, kind, namespace, name }: ObjectId) => `${group}/${kind}/${namespace}/${name}`;
export const keyOfObject = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): ObjectId => ({
  group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '', kind, namespace, name,
});

/** A small API server of its own: it shares no code with the composer. */
export class FakeCluster {
  public readonly log: LoggedWrite[] = [];
  /** Called after each write, before the writer has its answer. */
  public onWrite?: (write: LoggedWrite) => void;
  private readonly objects = new Map<string, KubernetesObject>();
  /** The manifest that was last applied to each object. */
  private readonly applied = new Map<string, Json>();
  private readonly watchers: ((event: ObjectEvent) => void)[] = [];
  private version = 100;
  private uids = 0;

  public get(key: ObjectId): KubernetesObject | undefined {
    return this.objects.get(textOf(key));
  }

  public all(): KubernetesObject[] {
    return [...this.objects.values()];
  }

  public watch(watcher: (event: ObjectEvent) => void): () => void {
    this.watchers.push(watcher);
    return () => void this.watchers.splice(this.watchers.indexOf(watcher), 1);
  }

  public create(actor: string, object: KubernetesObject): KubernetesObject {
    const key = keyOfObject(object);
    if (this.get(key)) throw new KubernetesError(409, 'AlreadyExists', `${key.kind} "${key.name}" already exists`);
    this.uids += 1;
    const { resourceVersion: _, ...metadata } = object.metadata;
    const generation = WITHOUT_GENERATION.has(object.kind) ? {} : { generation: 1 };
    return this.store(actor, 'create', {
      ...object, metadata: { ...metadata, uid: `uid-${this.uids}`, creationTimestamp: '2026-01-01T00:00:00Z', ...generation },
    }, undefined);
  }

  /** A change by anybody; `change` gets a copy. */
  public update(actor: string, key: ObjectId, change: (object: KubernetesObject) => KubernetesObject, verb: 'update' | 'status' = 'update'): KubernetesObject {
    const before = this.get(key);
    if (!before) throw new KubernetesError(404, 'NotFound', `${key.kind} "${key.name}" not found`);
    const wanted = change(structuredClone(before));
    const changed = verb === 'status' ? { ...before, status: wanted.status } : { ...wanted, status: before.status };
    const isChanged = JSON.stringify([before.spec, before.data]) !== JSON.stringify([changed.spec, changed.data]);
    const generation = before.metadata.generation === undefined ? {} : { generation: before.metadata.generation + (isChanged ? 1 : 0) };
    const next = { ...changed, metadata: { ...(verb === 'status' ? before : changed).metadata, ...generation, resourceVersion: before.metadata.resourceVersion! } } as KubernetesObject;
    if (JSON.stringify(next) === JSON.stringify(before)) return before;
    if (next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0) return this.remove(actor, before);
    return this.store(actor, verb, next, before);
  }

  public delete(actor: string, key: ObjectId, preconditions: DeletePreconditions = {}): void {
    const before = this.get(key);
    if (!before) throw new KubernetesError(404, 'NotFound', `${key.kind} "${key.name}" not found`);
    if (preconditions.uid !== undefined && preconditions.uid !== before.metadata.uid) throw new KubernetesError(409, 'Conflict', 'another uid');
    if ((before.metadata.finalizers ?? []).length === 0) return void this.remove(actor, before);
    if (before.metadata.deletionTimestamp === undefined) {
      this.store(actor, 'delete', { ...before, metadata: { ...before.metadata, deletionTimestamp: '2026-01-02T00:00:00Z' } }, before);
    }
  }

  /** Server-side apply with force. */
  public apply(actor: string, manifest: KubernetesObject): KubernetesObject {
    const key = keyOfObject(manifest);
    const before = this.get(key);
    const { resourceVersion, uid, ...metadata } = manifest.metadata;
    const config = { ...manifest, metadata } as unknown as Json;
    if (!before) {
      if (uid !== undefined) throw new KubernetesError(409, 'Conflict', 'uid mismatch: no existing object was found');
      this.applied.set(textOf(key), config);
      return this.create(actor, config as unknown as KubernetesObject);
    }
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', 'the object has been modified');
    if (uid !== undefined && uid !== before.metadata.uid) throw new KubernetesError(422, 'Invalid', 'metadata.uid: field is immutable');
    const owned = this.applied.get(textOf(key)) ?? {};
    this.applied.set(textOf(key), config);
    return this.update(actor, key, (live) => merged(without(live, owned, config), config) as KubernetesObject);
  }

  /** A client as the composer has it. */
  public client(actor: string, before: () => void = () => undefined, after: () => void = () => undefined): ComposerClient {
    const run = async <T>(act: () => T): Promise<T> => {
      await Promise.resolve();
      before();
      const result = act();
      after();
      return structuredClone(result);
    };
    const keyFor = ({ group, kind }: ResourceType, name: string, namespace = ''): ObjectId => ({ group, kind, namespace, name });
    return {
      get: (type, name, namespace) => run(() => this.get(keyFor(type, name, namespace))),
      patch: (type: ResourceType, name: string, namespace: string | undefined, patch: unknown, how: PatchType) => run(() => {
        if (how === 'application/apply-patch+yaml') return this.apply(actor, patch as KubernetesObject);
        const { metadata: { resourceVersion, ...metadata } } = patch as { metadata: Json };
        const key = keyFor(type, name, namespace);
        this.expectVersion(key, resourceVersion as string | undefined);
        return this.update(actor, key, (live) => merged(live, { metadata }) as KubernetesObject);
      }),
      replaceStatus: (_type, object) => run(() => {
        const key = keyOfObject(object);
        this.expectVersion(key, object.metadata.resourceVersion);
        const status = JSON.parse(JSON.stringify(object.status)) as KubernetesObject['status'];
        return this.update(actor, key, (live) => ({ ...live, ...(status && { status }) }), 'status');
      }),
      delete: (type, name, namespace, preconditions) => run(() => this.delete(actor, keyFor(type, name, namespace), preconditions)),
    };
  }

  private expectVersion(key: ObjectId, version: string | undefined): void {
    const live = this.get(key);
    if (!live) throw new KubernetesError(404, 'NotFound', `${key.kind} "${key.name}" not found`);
    if (version !== undefined && version !== live.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', 'the object has been modified');
  }

  private store(actor: string, verb: LoggedWrite['verb'], object: KubernetesObject, before: KubernetesObject | undefined): KubernetesObject {
    this.version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    this.objects.set(textOf(keyOfObject(stored)), stored);
    this.tell(actor, verb, stored, before);
    this.emit(before ? { type: 'MODIFIED', object: stored, previous: before } : { type: 'ADDED', object: stored });
    return stored;
  }

  private remove(actor: string, before: KubernetesObject): KubernetesObject {
    this.version += 1;
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.version) } };
    this.objects.delete(textOf(keyOfObject(before)));
    this.applied.delete(textOf(keyOfObject(before)));
    this.tell(actor, 'delete', object, before);
    this.emit({ type: 'DELETED', object, previous: before });
    return object;
  }

  private tell(actor: string, verb: LoggedWrite['verb'], object: KubernetesObject, before: KubernetesObject | undefined): void {
    const write: LoggedWrite = { actor, verb, key: textOf(keyOfObject(object)), uid: object.metadata.uid!, ...(before && { before }) };
    this.log.push(write);
    this.onWrite?.(write);
  }

  private emit(event: ObjectEvent): void {
    for (const watcher of [...this.watchers]) watcher(structuredClone(event));
  }
}

/** The view of an informer: behind the cluster until events are delivered. */
export class FakeCache implements ComposerCache {
  public unknown?: (key: ObjectId) => CachedObject | undefined;
  public onEvent?: (event: ObjectEvent) => void;
  private readonly known = new Map<string, KubernetesObject>();
  private readonly gone = new Map<string, number>();
  private readonly waiting: ObjectEvent[] = [];
  private readonly stop: () => void;

  public constructor(cluster: FakeCluster) {
    for (const object of cluster.all()) if (isWatched(object)) this.known.set(textOf(keyOfObject(object)), structuredClone(object));
    this.stop = cluster.watch((event) => void this.waiting.push(event));
  }

  public close(): void {
    this.stop();
  }

  public get isBehind(): boolean {
    return this.waiting.length > 0;
  }

  public deliver(count = Infinity): void {
    for (let left = count; left > 0 && this.waiting.length > 0; left -= 1) this.take(this.waiting.shift()!);
  }

  public find(key: ObjectId): CachedObject {
    const object = this.known.get(textOf(key));
    return this.unknown?.(key) ?? (object ? { state: 'present', object: structuredClone(object) } : { state: 'absent' });
  }

  public typeOf(group: string, kind: string): ResourceType | undefined {
    return TYPES.find((type) => type.group === group && type.kind === kind);
  }

  public updateLocal(object: KubernetesObject): void {
    this.take({ type: 'MODIFIED', object: structuredClone(object) });
  }

  public claims(): KubernetesObject[] {
    return [...this.known.values()].filter(({ kind }) => kind === CLAIMS.kind).map((claim) => structuredClone(claim));
  }

  private take({ type, object }: ObjectEvent): void {
    const key = textOf(keyOfObject(object));
    const before = this.known.get(key);
    const version = Number(object.metadata.resourceVersion);
    if (version <= Math.max(Number(before?.metadata.resourceVersion ?? 0), this.gone.get(key) ?? 0)) return;
    const isGone = type === 'DELETED' || !isWatched(object);
    if (isGone && !before) return;
    if (isGone) {
      this.known.delete(key);
      this.gone.set(key, version);
      return this.onEvent?.({ type: 'DELETED', object, previous: before! });
    }
    this.known.set(key, object);
    this.onEvent?.(before ? { type: 'MODIFIED', object, previous: before } : { type: 'ADDED', object });
  }
}

/** Of composed kinds, informers have only objects with the label. */
function isWatched({ kind, metadata: { labels } }: KubernetesObject): boolean {
  return kind === CLAIMS.kind || kind === ENVIRONMENTS.kind || labels?.[APPLY_SET_PART_OF] !== undefined;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(live: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Json = isObject(live) ? { ...live } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (value !== undefined) result[name] = merged(result[name], value);
  }
  return result;
}

/** The object without what was applied before and is not applied now. */
function without(live: unknown, owned: unknown, wanted: unknown): unknown {
  if (!isObject(live) || !isObject(owned)) return live;
  const result: Json = { ...live };
  for (const [name, value] of Object.entries(owned)) {
    if (!isObject(wanted) || !(name in wanted)) {
      delete result[name];
    } else {
      result[name] = without(result[name], value, wanted[name]);
    }
  }
  return result;
}
