import { isDeepStrictEqual } from 'node:util';
import type { WatchedType } from '../../../controller/reconcile/cluster';
import {
  KubernetesError,
  type DeletePreconditions,
  type KubernetesClient,
  type KubernetesObject,
  type ListOptions,
  type ObjectEvent,
  type ObjectList,
  type PatchType,
  type ResourceType,
} from '../../../engine/kubernetes/types';
import { objectIdOf } from '../../../src/object-id';
import { isRecord } from '../../../src/util/records';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const key = (type: Pick<ResourceType, 'group' | 'kind'>, namespace: string | undefined, name: string) =>
  `${type.group}/${type.kind}/${namespace ?? ''}/${name}`;

/** State of an API server in memory: generations, versions, conflicts, finalizers. It survives its clients. */
export class FakeCluster implements KubernetesClient {
  public readonly objects = new Map<string, KubernetesObject>();
  public readonly writes: string[] = [];
  public listeners: ((type: ResourceType, event: ObjectEvent) => void)[] = [];
  /** Objects that the watches have not reported yet: `group/Kind/namespace/name`. */
  public readonly unseen = new Set<string>();
  public readonly lists: string[] = [];
  private version = 0;
  private uids = 0;

  /** Throws here to be a crash or a conflict. */
  public before: (what: string, object: KubernetesObject) => void = () => undefined;
  public after: (what: string, object: KubernetesObject) => void = () => undefined;

  /** The same cluster, for a client whose writes are fenced. */
  public withFence(fence: () => void): FakeCluster {
    const writes = new Set<PropertyKey>(['create', 'replace', 'replaceStatus', 'patch', 'delete']);
    return new Proxy<FakeCluster>(this, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (writes.has(name)) fence();
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  }

  public async get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    return this.objects.get(key(type, namespace, name));
  }

  public async list(type: ResourceType, { namespace, fieldSelector }: ListOptions): Promise<ObjectList> {
    if (fieldSelector === undefined && namespace === undefined) return this.listAll(type);
    const [, name] = /^metadata\.name=(.+)$/.exec(fieldSelector ?? '') ?? [];
    if (name === undefined) throw new Error(`not played: ${fieldSelector}`);
    this.lists.push(key(type, namespace, name));
    const found = this.objects.get(key(type, namespace, name));
    this.before(`list ${type.kind}`, found ?? { apiVersion: type.version, kind: type.kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } });
    return { resourceVersion: String(this.version), items: found ? [found] : [] };
  }

  private listAll(type: ResourceType): ObjectList {
    this.lists.push(`all ${type.plural}`);
    this.before(`list all ${type.kind}`, { apiVersion: type.version, kind: type.kind, metadata: { name: '' } });
    const items = [...this.objects].filter(([name]) => name.startsWith(`${type.group}/${type.kind}/`)).map(([, object]) => metadataOf(object));
    return { resourceVersion: String(this.version), items };
  }

  public async create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    if (type.kind === 'Event') return object;
    this.before(`create ${type.kind}`, object);
    const name = key(type, object.metadata.namespace, object.metadata.name);
    if (this.objects.has(name)) throw new KubernetesError(409, 'AlreadyExists', `${name} already exists`);
    return this.store('create', type, undefined, {
      ...asKept(type, object),
      metadata: { ...object.metadata, uid: `uid-${++this.uids}`, generation: 1 },
    });
  }

  public async replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    this.before(`replace ${type.kind}`, object);
    const old = this.existing(type, object.metadata.namespace, object.metadata.name);
    this.checkVersion(old, object.metadata.resourceVersion);
    const contentOf = ({ spec, webhooks }: KubernetesObject & { webhooks?: unknown }) => ({ spec, webhooks });
    const changed = !isDeepStrictEqual(contentOf(old), contentOf(object));
    return this.store('replace', type, old, {
      ...withoutStatus(asKept(type, object)),
      ...statusOf(old),
      metadata: { ...old.metadata, ...object.metadata, generation: old.metadata.generation! + (changed ? 1 : 0) },
    });
  }

  public async replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    this.before(`status ${type.kind}`, object);
    const old = this.existing(type, object.metadata.namespace, object.metadata.name);
    this.checkVersion(old, object.metadata.resourceVersion);
    return this.store('status', type, old, { ...withoutStatus(old), ...statusOf(object) });
  }

  public async patch(
    type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType,
  ): Promise<KubernetesObject> {
    if (type.kind === 'Event') return { apiVersion: 'v1', kind: 'Event', metadata: { name } };
    if (patchType !== 'application/merge-patch+json') throw new Error(`not played: ${patchType}`);
    this.before(`patch ${type.kind}`, this.existing(type, namespace, name));
    const old = this.existing(type, namespace, name);
    const { resourceVersion, ...metadata } = (patch as { metadata: Record<string, unknown> }).metadata;
    this.checkVersion(old, resourceVersion as string | undefined);
    return this.store('patch', type, old, { ...old, metadata: merged(old.metadata, metadata) as unknown as KubernetesObject['metadata'] });
  }

  public async delete(type: ResourceType, name: string, namespace?: string, preconditions: DeletePreconditions = {}): Promise<void> {
    this.before(`delete ${type.kind}`, this.existing(type, namespace, name));
    const old = this.existing(type, namespace, name);
    this.checkVersion(old, preconditions.resourceVersion);
    if (preconditions.uid !== undefined && preconditions.uid !== old.metadata.uid) throw new KubernetesError(409, 'Conflict', 'the object is another one');
    const metadata = { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', generation: old.metadata.generation! + 1 };
    this.store('delete', type, old, { ...old, metadata });
  }

  public async discover(): Promise<ResourceType[]> {
    return [];
  }

  /** A user's change of the spec. */
  public async edit(type: ResourceType, namespace: string, name: string, spec: Record<string, unknown>): Promise<void> {
    const old = this.existing(type, namespace, name);
    this.store('edit', type, old, {
      ...old,
      spec: { ...old.spec, ...spec },
      metadata: { ...old.metadata, generation: old.metadata.generation! + 1 },
    });
  }

  public async annotate(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    annotations: Record<string, string | null>,
  ): Promise<void> {
    await this.patch(type, name, namespace, { metadata: { annotations } }, 'application/merge-patch+json');
  }

  /** An informer without a network: it sees every write at once, but for what is unseen. */
  public watch(type: ResourceType): WatchedType {
    const isIn = (name: string, namespace: string | undefined) =>
      name.startsWith(`${type.group}/${type.kind}/${namespace === undefined ? '' : `${namespace}/`}`);
    return {
      type,
      store: {
        get: (namespace, name) => (this.unseen.has(key(type, namespace, name)) ? undefined : this.objects.get(key(type, namespace, name))),
        list: (namespace) =>
          [...this.objects].filter(([name]) => isIn(name, namespace) && !this.unseen.has(name)).map(([, object]) => object),
      },
      updateLocal: ({ metadata: { namespace, name } }) => void this.unseen.delete(key(type, namespace, name)),
    };
  }

  /** The same, with the metadata alone of the kinds of which the controller watches no more. */
  public watchAsInformed(type: ResourceType): WatchedType {
    const watched = this.watch(type);
    if (!isInformedByMetadata(type.group, type.kind)) return watched;
    const get = (namespace: string, name: string) => {
      const object = watched.store.get(namespace, name);
      return object && metadataOf(object);
    };
    return { ...watched, store: { get, list: (namespace) => watched.store.list(namespace).map(metadataOf) } };
  }

  private existing(type: ResourceType, namespace: string | undefined, name: string): KubernetesObject {
    const old = this.objects.get(key(type, namespace, name));
    if (!old) throw new KubernetesError(404, 'NotFound', `${type.plural} "${name}" not found`);
    return old;
  }

  private checkVersion(old: KubernetesObject, version: string | undefined): void {
    if (version !== undefined && version !== old.metadata.resourceVersion) {
      throw new KubernetesError(409, 'Conflict', 'the object has been modified');
    }
  }

  private store(what: string, type: ResourceType, old: KubernetesObject | undefined, next: KubernetesObject): KubernetesObject {
    const name = key(type, next.metadata.namespace, next.metadata.name);
    const metadata = { ...next.metadata, resourceVersion: String(++this.version) };
    const object = JSON.parse(JSON.stringify({ ...next, metadata })) as KubernetesObject;
    const gone = object.metadata.deletionTimestamp !== undefined && !object.metadata.finalizers?.length;
    if (gone) this.objects.delete(name);
    else this.objects.set(name, object);
    this.writes.push(`${what} ${type.kind}/${next.metadata.name}`);
    const event: Mutable<ObjectEvent> = { type: gone ? 'DELETED' : old ? 'MODIFIED' : 'ADDED', object };
    if (old) event.previous = old;
    this.listeners.forEach((listener) => listener(type, event));
    this.after(`${what} ${type.kind}`, object);
    return object;
  }
}

function isInformedByMetadata(group: string, kind: string): boolean {
  return group === '' && (kind === 'Secret' || kind === 'ConfigMap');
}

function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata };
}

/** The event as the controller's informers deliver it. */
export function asInformed({ type, object, previous }: ObjectEvent): ObjectEvent {
  const reduced = (whole: KubernetesObject) => (isInformedByMetadata(objectIdOf(whole).group, whole.kind) ? metadataOf(whole) : whole);
  return { type, object: reduced(object), ...(previous ? { previous: reduced(previous) } : {}) };
}

function statusOf({ status }: KubernetesObject): Pick<KubernetesObject, 'status'> {
  return status === undefined ? {} : { status };
}

function withoutStatus({ status: _, ...object }: KubernetesObject): KubernetesObject {
  return object;
}

/** Texts of Secrets are kept in base64 only. */
function asKept(type: ResourceType, { stringData, ...object }: KubernetesObject): KubernetesObject {
  return type.kind === 'Secret' ? { ...object, data: { ...object.data, ...base64(stringData) } } : object;
}

function merged(old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = { ...(old as Record<string, unknown>) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name] ?? {}, value);
  }
  return result;
}

function base64(texts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
}
