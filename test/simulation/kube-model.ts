import { isDeepStrictEqual } from 'node:util';
import { travelled } from './travelled';
import { KubernetesError, type KubernetesObject, type ObjectList, type ResourceType, type WatchEvent } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';

type Meta = KubernetesObject['metadata'];

const NAMESPACE = { group: '', kind: 'Namespace' };

/** The writer: the controller, or any other client. */
export type Writer = 'controller' | 'user';

export interface Write {
  readonly what: 'create' | 'replace' | 'status' | 'patch' | 'delete' | 'edit';
  readonly by: Writer;
  readonly object: KubernetesObject;
  readonly previous?: KubernetesObject | undefined;
  /** The last finalizer of a deleted object has gone, or it had none. */
  readonly removed: boolean;
}

export const typeName = ({ group, kind }: Pick<ResourceType, 'group' | 'kind'>): string => `${group}/${kind}`;
const nameOf = (type: Pick<ResourceType, 'group' | 'kind'>, namespace: string | undefined, name: string) =>
  `${typeName(type)}/${namespace ?? ''}/${name}`;

/** State of an API server: versions, conflicts, generations, finalizers, ownership, terminating namespaces, and a history to watch. */
export class KubeModel {
  public readonly objects = new Map<string, KubernetesObject>();
  public version = 0;
  private readonly byType = new Map<string, Map<string, KubernetesObject>>();
  private readonly history = new Map<string, (WatchEvent & { version: number })[]>();
  /** By type. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private uids = 0;

  /** `plan`: what the garbage collector and the namespace controller do, they do later. */
  public constructor(private readonly plan: (act: () => void) => void, private readonly now: () => number) {}

  /** Called for each write, after it. */
  public onWrite: (write: Write) => void = () => undefined;


  public get(type: ResourceType, namespace: string | undefined, name: string): KubernetesObject | undefined {
    return this.objects.get(nameOf(type, namespace, name));
  }

  public all(type?: ResourceType): KubernetesObject[] {
    if (!type) return [...this.objects.values()];
    return [...this.byType.get(typeName(type))?.values() ?? []];
  }

  public create(type: ResourceType, object: KubernetesObject, by: Writer): KubernetesObject {
    const { name, namespace } = object.metadata;
    if (type.namespaced) {
      const home = this.objects.get(`/Namespace//${namespace}`);
      if (!home) throw new KubernetesError(404, 'NotFound', `namespaces "${namespace}" not found`);
      if (home.metadata.deletionTimestamp) throw new KubernetesError(403, 'Forbidden', `namespace ${namespace} is being terminated`);
    }
    if (this.get(type, namespace, name)) throw new KubernetesError(409, 'AlreadyExists', `${type.plural} "${name}" already exists`);
    const metadata = { ...object.metadata, uid: `uid-${(this.uids += 1)}`, generation: 1, creationTimestamp: this.stamp() };
    return this.store('create', by, undefined, { ...asKept(object), metadata });
  }

  public replace(type: ResourceType, object: KubernetesObject, by: Writer): KubernetesObject {
    const old = this.existing(type, object.metadata);
    checkVersion(old, object.metadata);
    const changed = !isDeepStrictEqual(old.spec, object.spec);
    const metadata = { ...old.metadata, ...object.metadata, generation: old.metadata.generation! + (changed ? 1 : 0) };
    return this.store('replace', by, old, { ...withoutStatus(asKept(object)), ...statusOf(old), metadata });
  }

  public replaceStatus(type: ResourceType, object: KubernetesObject, by: Writer): KubernetesObject {
    const old = this.existing(type, object.metadata);
    checkVersion(old, object.metadata);
    return this.store('status', by, old, { ...withoutStatus(old), ...statusOf(object) });
  }

  /** A merge patch of metadata: all that the controller sends. */
  public patch(
    type: ResourceType, namespace: string | undefined, name: string, patch: { readonly metadata: Partial<Meta> }, by: Writer,
  ): KubernetesObject {
    const old = this.existing(type, { name, ...(namespace === undefined ? {} : { namespace }) });
    const { resourceVersion: _, uid: __, ...metadata } = patch.metadata;
    checkVersion(old, patch.metadata);
    const added = metadata.finalizers?.filter((finalizer) => !old.metadata.finalizers?.includes(finalizer)) ?? [];
    if (old.metadata.deletionTimestamp && added.length > 0) {
      throw new KubernetesError(422, 'Invalid', 'metadata.finalizers: no new finalizers can be added if the object is being deleted');
    }
    return this.store('patch', by, old, { ...old, metadata: merged(old.metadata, metadata) as Meta });
  }

  public delete(type: ResourceType, namespace: string | undefined, name: string, by: Writer): void {
    const old = this.existing(type, { name, ...(namespace === undefined ? {} : { namespace }) });
    if (old.metadata.deletionTimestamp) return;
    const metadata = { ...old.metadata, deletionTimestamp: this.stamp(), generation: old.metadata.generation! + 1 };
    this.store('delete', by, old, { ...old, metadata });
    if (type.kind === 'Namespace') this.plan(() => this.empty(name));
  }

  /** A user's change of spec, data or metadata. */
  public edit(
    type: ResourceType, namespace: string | undefined, name: string, change: (object: KubernetesObject) => KubernetesObject,
  ): KubernetesObject {
    const old = this.existing(type, { name, ...(namespace === undefined ? {} : { namespace }) });
    const next = change(old);
    const changed = !isDeepStrictEqual(old.spec, next.spec);
    return this.store('edit', 'user', old, {
      ...asKept(next),
      metadata: { ...next.metadata, generation: old.metadata.generation! + (changed ? 1 : 0) },
    });
  }

  public list(type: ResourceType): ObjectList {
    return { resourceVersion: String(this.version), items: this.all(type) };
  }

  /** Events of objects of a type after a version. */
  public since(type: ResourceType, version: number): readonly (WatchEvent & { version: number })[] {
    const events = this.history.get(typeName(type)) ?? [];
    let first = events.length;
    while (first > 0 && events[first - 1]!.version > version) first -= 1;
    return events.slice(first);
  }

  /** Calls back once, at the next write of an object of the type; the answer takes it back. */
  public onceWritten(type: ResourceType, callback: () => void): () => void {
    const waiting = this.waiting.get(typeName(type)) ?? new Set();
    this.waiting.set(typeName(type), waiting.add(callback));
    return () => waiting.delete(callback);
  }

  private existing(type: ResourceType, { namespace, name }: Pick<Meta, 'namespace' | 'name'>): KubernetesObject {
    const old = this.get(type, namespace, name);
    if (!old) throw new KubernetesError(404, 'NotFound', `${type.plural} "${name}" not found`);
    return old;
  }

  private store(what: Write['what'], by: Writer, old: KubernetesObject | undefined, next: KubernetesObject): KubernetesObject {
    this.version += 1;
    const metadata = { ...next.metadata, resourceVersion: String(this.version) };
    const object = travelled({ ...next, metadata });
    const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0]! : '';
    const type = { group, kind: object.kind };
    const name = nameOf(type, metadata.namespace, metadata.name);
    const removed = object.metadata.deletionTimestamp !== undefined && !object.metadata.finalizers?.length && object.kind !== 'Namespace';
    this.keep(type, name, removed ? undefined : object);
    const events = this.history.get(typeName(type)) ?? [];
    events.push({ type: removed ? 'DELETED' : old ? 'MODIFIED' : 'ADDED', object, version: this.version });
    this.history.set(typeName(type), events);
    this.onWrite({ what, by, object, previous: old, removed });
    if (removed || object.metadata.ownerReferences?.length) this.plan(() => this.collect());
    if (removed) this.plan(() => this.end(metadata.namespace));
    this.wake(typeName(type));
    return object;
  }

  private keep(type: Pick<ResourceType, 'group' | 'kind'>, name: string, object: KubernetesObject | undefined): void {
    const same = this.byType.get(typeName(type)) ?? new Map<string, KubernetesObject>();
    this.byType.set(typeName(type), same);
    for (const objects of [this.objects, same]) {
      if (object) objects.set(name, object);
      else objects.delete(name);
    }
  }

  /** The garbage collector: what none of whose owners is there goes. */
  private collect(): void {
    const uids = new Set([...this.objects.values()].map(({ metadata }) => metadata.uid));
    for (const object of [...this.objects.values()]) {
      const owners = object.metadata.ownerReferences ?? [];
      if (owners.length === 0 || owners.some(({ uid }) => uids.has(uid)) || object.metadata.deletionTimestamp) continue;
      this.deleteObject(object);
    }
  }

  private empty(namespace: string): void {
    for (const object of [...this.objects.values()]) if (object.metadata.namespace === namespace) this.deleteObject(object);
    this.end(namespace);
  }

  /** A namespace that is being deleted goes with the last object in it. */
  private end(namespace: string | undefined): void {
    const name = `/Namespace//${namespace}`;
    const home = this.objects.get(name);
    if (!home?.metadata.deletionTimestamp || this.all().some(({ metadata }) => metadata.namespace === namespace)) return;
    this.version += 1;
    this.keep(NAMESPACE, name, undefined);
    const gone = { ...home, metadata: { ...home.metadata, resourceVersion: String(this.version) } };
    this.history.get('/Namespace')!.push({ type: 'DELETED', object: gone, version: this.version });
    this.wake('/Namespace');
  }

  private wake(type: string): void {
    const waiting = [...this.waiting.get(type) ?? []];
    this.waiting.get(type)?.clear();
    waiting.forEach((callback) => callback());
  }

  private deleteObject({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): void {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    this.delete({ group: group!, version: version!, kind, plural: kind, namespaced: true }, namespace, name, 'user');
  }

  private stamp(): string {
    return new Date(this.now()).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }
}

function checkVersion(old: KubernetesObject, wanted: Partial<Meta>): void {
  const conflict = (wanted.resourceVersion !== undefined && wanted.resourceVersion !== old.metadata.resourceVersion)
    || (wanted.uid !== undefined && wanted.uid !== old.metadata.uid);
  if (conflict) {
    throw new KubernetesError(
      409,
      'Conflict',
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

function statusOf({ status }: KubernetesObject): Pick<KubernetesObject, 'status'> {
  return status === undefined ? {} : { status };
}

function withoutStatus({ status: _, ...object }: KubernetesObject): KubernetesObject {
  return object;
}

/** Texts of Secrets are kept in base64 only. */
function asKept({ stringData, ...object }: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object;
  const added = Object.entries(stringData ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return { ...object, data: { ...object.data, ...(Object.fromEntries(added) as Record<string, string>) } };
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
