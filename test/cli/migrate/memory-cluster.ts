import { isDeepStrictEqual } from 'node:util';
import {
  CERTIFICATES,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ISSUERS,
  MUTATING_WEBHOOKS,
  NETWORK_POLICIES,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  VALIDATING_WEBHOOKS,
} from '../../../cli/cluster/resource-types';
import { schemaOf } from '../../../cli/migrate/storage-versions';
import type { Connection, RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type Discovery, type KubernetesObject, type ListOptions, type ObjectList, type ResourceType } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { convertAsAso } from '../../e2e/migration/aso-conversion';

type Mutable = any;

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
}

const keyOf = ({ group, kind }: Pick<ResourceType, 'group' | 'kind'>, namespace: string | undefined, name: string) => `${group}/${kind}/${namespace ?? ''}/${name}`;
const CRD = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const POLICY = { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' };

const INSTALLED: readonly ResourceType[] = [
  CERTIFICATES,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ISSUERS,
  MUTATING_WEBHOOKS,
  NETWORK_POLICIES,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  VALIDATING_WEBHOOKS,
];

/**
 * An API server in memory with ASO's webhook, as far as the steps of a migration see it: objects are stored in the CRD's storage version
 * and converted as ASO does, writes are refused by the admission policy and by conflicts, generations grow with the spec, and pods follow
 * their Deployment at once.
 */
export class MemoryCluster {
  public readonly objects = new Map<string, KubernetesObject>();
  /** Requests that change something: `PUT StorageAccount/v20250601 team-a/account0`. */
  public readonly writes: string[] = [];
  private remembered: { readonly policy: KubernetesObject; readonly writes: number } | undefined;
  private version = 100;
  private now = Date.parse('2026-11-30T08:00:00Z');

  /** Throws here to be the end of the process. */
  public beforeWrite: (line: string) => void = () => undefined;

  /** The part of the client that steps use. */
  public get client(): RestClient {
    return this as unknown as RestClient;
  }

  /** Only dry runs of a create, and the server's time. */
  public get connection(): Connection {
    return {
      request: async ({ method, path, body }: { method: string; path: string; body?: string }) => {
        const headers = { date: new Date(this.time()).toUTCString() };
        if (method !== 'POST') return { status: 200, headers, text: '{}' };
        const [, , group = '', version = '', , , plural = ''] = path.split('/');
        const crd = this.objects.get(keyOf(CRD, undefined, `${plural}.${group}`));
        // The schema goes before policies.
        const { required = [] } = (crd && schemaOf(crd, version)?.properties?.spec) ?? {};
        const { spec = {} } = JSON.parse(body ?? '{}') as { spec?: object };
        const absent = required.filter((name) => !Object.hasOwn(spec, name));
        if (absent.length > 0) return { status: 422, headers, text: `spec.${absent[0]!}: Required value` };
        const refused = body !== undefined && crd && this.refusal({ group, version, plural, kind: '', namespaced: true });
        return { status: refused ? 422 : 201, headers, text: refused ? refused.message : '{}' };
      },
    } as unknown as Connection;
  }

  public time(): number {
    return (this.now += 1_000);
  }

  public put(object: object): void {
    const { apiVersion, kind, metadata } = object as KubernetesObject;
    const [group = '', version] = apiVersion.split('/');
    const stored = withFrozenSchemas({
      ...(object as KubernetesObject), metadata: { ...metadata, resourceVersion: String(this.version += 1) },
    });
    this.objects.set(keyOf({ group: version === undefined ? '' : group, kind }, metadata.namespace, metadata.name), stored);
  }

  public async get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    const found = this.objects.get(keyOf(type, namespace, name));
    return found && copied(this.shown(type, found));
  }

  public async list(type: ResourceType, { namespace, labelSelector, fieldSelector }: ListOptions = {}): Promise<ObjectList> {
    const labels = (labelSelector ?? '').split(',').filter(Boolean).map((one) => one.split('='));
    const [, name] = /^metadata\.name=(.+)$/.exec(fieldSelector ?? '') ?? [];
    const ofType = [...this.objects].filter(([key]) => key.startsWith(`${type.group}/${type.kind}/`)).map(([, object]) => object);
    const items = ofType
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      .filter(({ metadata }) => name === undefined || metadata.name === name)
      .filter(({ metadata }) => labels.every(([key = '', value]) => metadata.labels?.[key] === value));
    return { resourceVersion: String(this.version), items: items.map((object) => copied(this.shown(type, object))) };
  }

  public async create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const { name, namespace } = object.metadata;
    if (this.objects.has(keyOf(type, namespace, name))) throw new KubernetesError(409, 'AlreadyExists', `${name} already exists`);
    return this.write('POST', type, undefined, { ...object, metadata: { ...object.metadata, uid: `uid-${this.version}`, generation: 1 } });
  }

  public async replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const old = this.existing(type, object);
    const before = this.shown(type, old);
    const isChanged = !isDeepStrictEqual(copied(before.spec), copied(object.spec));
    const { status } = before;
    const hasStatus = type.group !== '';
    const generation = (old.metadata.generation ?? 1) + (isChanged ? 1 : 0);
    const given = (object.metadata as Mutable).managedFields ?? [];
    const edit = { manager: 'cdk8s-aso-migrate', operation: 'Update', apiVersion: object.apiVersion, time: new Date(this.time()).toISOString(), fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } };
    const managedFields = this.isCustom(type) ? [...given, ...(isChanged ? [edit] : [])] : undefined;
    const metadata = { ...object.metadata, uid: old.metadata.uid, generation, ...(managedFields && { managedFields }) } as KubernetesObject['metadata'];
    return this.write('PUT', type, old, { ...object, ...(hasStatus && status && { status }), metadata });
  }

  public async replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const old = this.existing(type, object);
    return this.write('PUT status', type, old, { ...this.shown(type, old), ...(object.status && { status: object.status }) });
  }

  /** The types of the objects that are there, and of those of an installation. */
  public async discovery(): Promise<Discovery> {
    const types = [...INSTALLED, ...[...this.objects.values()].filter(({ kind }) => kind === CRD.kind).map(({ spec }) => {
      const { group, names, versions } = spec as { group: string; names: { kind: string; plural: string }; versions: { name: string }[] };
      return { group, version: versions[0]!.name, ...names, namespaced: true };
    })];
    return { types, incomplete: [] } as unknown as Discovery;
  }

  public async patch(
    type: ResourceType, name: string, namespace: string | undefined, patch: object, patchType?: string,
  ): Promise<KubernetesObject> {
    const isNew = patchType === 'application/apply-patch+yaml' && !this.objects.has(keyOf(type, namespace, name));
    if (isNew) return this.create(type, patch as KubernetesObject);
    const old = this.existing(type, { ...(patch as KubernetesObject), metadata: { name, namespace, ...(patch as Mutable).metadata } });
    return this.write('PATCH', type, old, merged(this.shown(type, old), patch) as KubernetesObject);
  }

  public patchStatus(type: ResourceType, name: string, namespace: string | undefined, patch: object): Promise<KubernetesObject> {
    return this.patch(type, name, namespace, patch);
  }

  public async delete(type: ResourceType, name: string, namespace?: string): Promise<void> {
    this.begin(`DELETE ${type.kind} ${name}`);
    const key = keyOf(type, namespace, name);
    const old = this.objects.get(key);
    if (!old) throw new KubernetesError(404, 'NotFound', `${name} not found`);
    if ((old.metadata.finalizers ?? []).length === 0) this.objects.delete(key);
    else this.objects.set(key, { ...old, metadata: { ...old.metadata, deletionTimestamp: '2026-11-30T08:00:00Z' } });
  }

  private begin(line: string): void {
    this.beforeWrite(line);
    this.writes.push(line);
  }

  private existing(type: ResourceType, { metadata: { name, namespace, resourceVersion } }: KubernetesObject): KubernetesObject {
    const old = this.objects.get(keyOf(type, namespace, name));
    if (!old) throw new KubernetesError(404, 'NotFound', `${name} not found`);
    if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', `${name} was changed`);
    return old;
  }

  private write(verb: string, type: ResourceType, old: KubernetesObject | undefined, object: KubernetesObject): KubernetesObject {
    const { name, namespace } = object.metadata;
    this.begin(`${verb} ${type.kind}/${type.version} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
    const refused = this.isCustom(type) ? this.refusal(type) : undefined;
    if (refused) throw refused;
    const stored = this.stored(type, object);
    const unchanged = old && isDeepStrictEqual(copied({ ...old, metadata: { ...old.metadata, resourceVersion: '' } }), copied({ ...stored, metadata: { ...stored.metadata, resourceVersion: '' } }));
    const metadata = { ...stored.metadata, resourceVersion: unchanged ? old.metadata.resourceVersion! : String(this.version += 1) };
    const key = keyOf(type, namespace, name);
    if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) this.objects.delete(key);
    else this.objects.set(key, copied({ ...stored, metadata }));
    return copied(this.shown(type, { ...stored, metadata }));
  }

  private stored(type: ResourceType, object: KubernetesObject): KubernetesObject {
    if (type.kind === CRD.kind) return storedCrd(withFrozenSchemas(object));
    if (type.kind === 'Deployment') return rolledOut(object);
    if (!this.isCustom(type)) return object;
    return convertAsAso(Catalog.default(), object, `${type.group}/${this.storageVersionOf(type)}`) as KubernetesObject;
  }

  private shown(type: ResourceType, object: KubernetesObject): KubernetesObject {
    return this.isCustom(type) ? convertAsAso(Catalog.default(), object, `${type.group}/${type.version}`) as KubernetesObject : object;
  }

  private isCustom({ group, plural }: ResourceType): boolean {
    return this.objects.has(keyOf(CRD, undefined, `${plural}.${group}`));
  }

  private storageVersionOf({ group, plural }: ResourceType): string {
    const { versions } = this.objects.get(keyOf(CRD, undefined, `${plural}.${group}`))!.spec as { versions: { name: string; storage: boolean }[] };
    return versions.find(({ storage }) => storage)!.name;
  }

  private refusal({ group, version, plural }: ResourceType): KubernetesError | undefined {
    const present = this.objects.get(keyOf(POLICY, undefined, 'cdk8s-aso-migration'));
    const isBound = this.objects.has(keyOf({ ...POLICY, kind: `${POLICY.kind}Binding` }, undefined, 'cdk8s-aso-migration'));
    // A real API server forgets it a moment later.
    if (present && isBound) {this.remembered = { policy: present, writes: 3 };} else if (this.remembered) {
      const { policy: old, writes } = this.remembered;
      this.remembered = writes > 1 ? { policy: old, writes: writes - 1 } : undefined;
    }
    const { policy } = this.remembered ?? {};
    if (!policy) return undefined;
    const { resourceRules } = (policy.spec as Mutable).matchConstraints as { resourceRules: PolicyRule[] };
    const isNamed = resourceRules.some((rule) => (
      rule.apiGroups.includes(group) && rule.apiVersions.includes(version) && rule.resources.includes(plural)));
    return isNamed ? new KubernetesError(422, 'Invalid', "ValidatingAdmissionPolicy 'cdk8s-aso-migration' with binding 'cdk8s-aso-migration' denied request") : undefined;
  }
}

/** The server adds the storage version to the stored ones, and refuses a CRD without one of those. */
function storedCrd(object: KubernetesObject): KubernetesObject {
  const { versions } = object.spec as { versions: { name: string; storage: boolean }[] };
  const before = ((object.status as Mutable)?.storedVersions ?? []) as string[];
  const storage = versions.find((version) => version.storage)!.name;
  const storedVersions = [...new Set([...before, storage])];
  for (const version of storedVersions) {
    if (!versions.some(({ name }) => name === version)) throw new KubernetesError(422, 'Invalid', `status.storedVersions[0]: Invalid value: "${version}": missing from spec.versions`);
  }
  return { ...object, status: { ...object.status, storedVersions } };
}

function rolledOut(object: KubernetesObject): KubernetesObject {
  const { replicas = 1 } = object.spec as { replicas?: number };
  const { generation: observedGeneration = 0 } = object.metadata;
  return { ...object, status: { observedGeneration, updatedReplicas: replicas, availableReplicas: replicas } };
}

/** A copy as JSON has it, without members that are undefined. What is frozen is shared. */
export function copied<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, copied(member)])) as T;
}

/** A CRD has hundreds of kilobytes of schemas, which no step changes. */
function withFrozenSchemas(object: KubernetesObject): KubernetesObject {
  if (object.kind !== CRD.kind) return object;
  const { versions, ...spec } = object.spec as { versions: { schema?: object }[] };
  return { ...object, spec: { ...spec, versions: versions.map((version) => ({ ...version, schema: frozen(copied(version.schema)) })) } };
}

export function frozen<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value as object)) frozen(member);
  return Object.freeze(value);
}

function merged(old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const before = isRecord(old) ? old : {};
  return Object.fromEntries(Object.entries({ ...before, ...patch })
    .map(([key, value]) => [key, Object.hasOwn(patch, key) ? merged(before[key], value) : value] as const)
    .filter(([, value]) => value !== null));
}
