import { randomUUID } from 'node:crypto';
import { apiVersionOf } from '../../../src/object-id';
import { jsonEquals } from '../../../src/util/json-equals';
import { isRecord } from '../../../src/util/records';
import { ApiError } from '../api-error';
import type { SandboxClock } from '../clock';
import { invalid, required } from '../field-error';
import type { Metadata, StoredObject } from '../objects';
import { timestamp, without } from '../objects';
import { check, decode } from './admit';
import { established } from './crd-rules';
import { finalizerErrors } from './metadata-rules';
import { nameFrom } from './names';
import { applyPatch } from './patches';
import type { DeleteOptions, Target, WriteOptions, Written } from './request';
import { managedFieldsAfterUpdate, serverSideApply, withSpecWriter } from '../patch/server-side-apply';
import { storageName } from '../resources/definition';
import type { Registry } from '../resources/registry';
import type { Store } from '../storage/store';

/** Fills in what a webhook would. */
export type Mutation = (object: StoredObject) => StoredObject;

/**
 * Creates, changes and deletes, with the checks and side effects of a real server. All of it is synchronous, so requests never interleave.
 */
export class Writer {
  public constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly clock: SandboxClock,
    private readonly mutate: Mutation = (object) => object,
  ) {}

  public create(target: Target, body: unknown, options: WriteOptions, managedFields?: Metadata['managedFields']): Written {
    const { definition } = target;
    const { object: decoded, unknown } = decode({ ...target, name: '' }, body);
    const warnings = this.unknownFields(target, unknown, options);
    const name = decoded.metadata.name || (decoded.metadata.generateName ? nameFrom(decoded.metadata.generateName) : '');
    const object = this.mutate({
      ...(definition.custom && target.version.status ? without(decoded, 'status') : decoded),
      metadata: {
        ...forgetful(decoded.metadata),
        ...(name && { name }),
        ...(definition.counted && { generation: 1 }),
        ...((managedFields ?? definition.custom) && { managedFields: managedFields ?? this.writtenBy(undefined, decoded, options) }),
      },
    });
    this.checkNamespace(target, object.metadata.name);
    check(target, object);
    const resource = storageName(definition);
    if (this.store.get(resource, target.namespace, name)) throw ApiError.alreadyExists(definition, name);
    return { object: this.save(target, object, undefined, options), created: true, warnings };
  }

  public update(target: Target, body: unknown, options: WriteOptions): Written {
    const existing = this.existing(target);
    const { object, unknown } = decode(target, body);
    const warnings = this.unknownFields(target, unknown, options);
    if (!object.metadata.resourceVersion && target.definition.custom) {
      // In this place a real server names the plural.
      throw ApiError.invalid(target.definition.group, target.definition.plural, target.name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
    return { object: this.replace(target, existing, object, options), warnings };
  }

  /** Merge, JSON and strategic merge patches, and server-side apply; the latter creates what is not there. */
  public patch(target: Target, mediaType: string, patch: unknown, options: WriteOptions): Written {
    if (mediaType === 'application/apply-patch+yaml') return this.apply(target, patch, options);
    const existing = this.existing(target);
    const { object, unknown } = decode(target, applyPatch(mediaType, this.inVersion(target, existing), patch));
    if (object.metadata.uid && object.metadata.uid !== existing.metadata.uid) {
      const { group, kind } = target.definition;
      throw ApiError.invalid(group, kind, target.name, [invalid('metadata.uid', object.metadata.uid, 'field is immutable')]);
    }
    if (unknown.length > 0 && options.fieldValidation === 'Strict') {
      throw ApiError.invalid('', '', '', [invalid('patch', JSON.stringify(patch), strictError(unknown))]);
    }
    const warnings = this.unknownFields(target, unknown, options);
    return { object: this.replace(target, existing, object, options), warnings };
  }

  public delete(target: Omit<Target, 'version'>, options: DeleteOptions): StoredObject {
    const existing = this.existing(target);
    const { definition } = target;
    checkPreconditions(target, existing, options);
    if (definition.kind === 'Namespace' && PROTECTED_NAMESPACES.has(target.name)) {
      throw ApiError.forbidden(definition, target.name, 'this namespace may not be deleted');
    }
    if (options.dryRun?.length) return existing;
    const resource = storageName(definition);
    const finalizers = [...new Set([...(existing.metadata.finalizers ?? []), ...propagationFinalizers(options)])];
    const held = finalizers.length > 0 || (definition.kind === 'Namespace' && namespaceFinalizers(existing).length > 0);
    if (!held) return this.store.remove(resource, target.namespace, target.name)!;
    if (existing.metadata.deletionTimestamp) return existing;
    return this.store.put(resource, {
      ...existing,
      metadata: {
        ...existing.metadata,
        ...(finalizers.length > 0 && { finalizers }),
        deletionTimestamp: timestamp(this.clock.now()),
        deletionGracePeriodSeconds: 0,
        ...(existing.metadata.generation !== undefined && { generation: existing.metadata.generation + 1 }),
      },
      ...(definition.kind === 'Namespace' && { status: { ...(existing.status as object | undefined), phase: 'Terminating' } }),
    });
  }

  private apply(target: Target, patch: unknown, options: WriteOptions): Written {
    if (!options.fieldManager) {
      throw ApiError.invalid('meta.k8s.io', 'PatchOptions', '', [required('fieldManager', 'is required for apply patch')]);
    }
    const { object: config, unknown } = decode(target, isRecord(patch) && !patch.metadata ? { ...patch, metadata: {} } : patch);
    // An applied object must have a type, with any fieldValidation.
    if (unknown.length > 0) throw untyped(target, patch, unknown);
    if (config.metadata.managedFields) throw ApiError.badRequest('metadata.managedFields must be nil');
    const existing = this.store.get(storageName(target.definition), target.namespace, target.name);
    const own = target.subresource || !target.version.status || !target.definition.custom ? config : without(config, 'status');
    const applied = serverSideApply(existing && this.inVersion(target, existing), own, {
      manager: options.fieldManager, force: options.force, time: timestamp(this.clock.now()), keyedLists: !target.definition.custom,
    });
    if (existing) return { object: this.replace(target, existing, applied, options, applied.metadata.managedFields), warnings: [] };
    if (target.subresource) throw ApiError.notFound(target.definition, target.name);
    return this.create(target, applied, { ...options, fieldValidation: 'Ignore' }, applied.metadata.managedFields);
  }

  /** The object in the place of the one that is stored; gives the latter when nothing is different. */
  private replace(
    target: Target,
    existing: StoredObject,
    wanted: StoredObject,
    options: WriteOptions,
    managedFields?: Metadata['managedFields'],
  ): StoredObject {
    const { definition, version } = target;
    const { uid, resourceVersion } = wanted.metadata;
    if (uid && uid !== existing.metadata.uid) {
      throw ApiError.conflict(
        definition,
        target.name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.metadata.uid}`,
      );
    }
    if (resourceVersion && !/^\d+$/.test(resourceVersion)) throw ApiError.noNumber(resourceVersion);
    if (resourceVersion && resourceVersion !== existing.metadata.resourceVersion) throw ApiError.conflict(definition, target.name);
    const next = target.subresource
      ? withStatusOf(existing, wanted)
      : this.mutate(version.status ? withStatusOf(wanted, existing) : wanted);
    const kept = systemFields(existing.metadata, target.subresource ? existing.metadata : wanted.metadata);
    const merged: StoredObject = { ...next, metadata: kept };
    check(target, merged, existing, finalizerErrors(existing.metadata, merged.metadata));
    const counted = definition.counted && !jsonEquals(content(existing), content(merged));
    const generation = counted ? { generation: (existing.metadata.generation ?? 0) + 1 } : {};
    const left = managedFieldsAfterUpdate(existing, merged);
    const fields =
      managedFields ?? (definition.custom && !jsonEquals(existing.spec, merged.spec) ? this.writtenBy(left, merged, options) : left);
    const object = {
      ...merged,
      metadata: { ...without(merged.metadata, 'managedFields'), ...generation, ...(fields && { managedFields: fields }) },
    };
    return this.save(target, object, existing, options);
  }

  private save(target: Target, object: StoredObject, existing: StoredObject | undefined, options: WriteOptions): StoredObject {
    const resource = storageName(target.definition);
    const complete =
      target.definition.kind === 'CustomResourceDefinition'
        ? established(object, existing?.metadata.creationTimestamp ?? timestamp(this.clock.now()))
        : object;
    if (existing && jsonEquals(complete, existing)) return existing;
    if (options.dryRun) return existing ? complete : withIdentity(complete, timestamp(this.clock.now()));
    const { deletionTimestamp, finalizers } = complete.metadata;
    if (deletionTimestamp && !finalizers?.length && namespaceFinalizers(complete).length === 0) {
      this.store.remove(resource, target.namespace, complete.metadata.name);
      return complete;
    }
    return this.store.put(resource, complete);
  }

  /** The Azure api-version goes by the version in which the spec was last written: that has to be seen on the object. */
  private writtenBy(
    entries: Metadata['managedFields'],
    { apiVersion }: StoredObject,
    { fieldManager }: WriteOptions,
  ): NonNullable<Metadata['managedFields']> {
    return withSpecWriter(entries, fieldManager ?? 'unknown', apiVersion, timestamp(this.clock.now()));
  }

  private existing({ definition, namespace, name }: Omit<Target, 'version'>): StoredObject {
    const object = this.store.get(storageName(definition), namespace, name);
    if (!object) throw ApiError.notFound(definition, name);
    return object;
  }

  private inVersion({ definition, version }: Target, object: StoredObject): StoredObject {
    return { ...object, apiVersion: apiVersionOf({ group: definition.group, version: version.name }) };
  }

  private checkNamespace({ definition, namespace }: Target, name: string): void {
    if (!definition.namespaced) return;
    const found = this.store.get('namespaces', '', namespace);
    if (!found) throw ApiError.notFound(this.registry.byStorageName('namespaces')!, namespace);
    if (found.metadata.deletionTimestamp) {
      throw ApiError.forbidden(definition, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
        { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
      ]);
    }
  }

  private unknownFields({ definition, version }: Target, unknown: readonly string[], options: WriteOptions): string[] {
    if (unknown.length === 0 || options.fieldValidation === 'Ignore') return [];
    if (options.fieldValidation === 'Strict') {
      throw ApiError.badRequest(
        `${definition.kind} in version "${version.name}" cannot be handled as a ${definition.kind}: ${strictError(unknown)}`,
      );
    }
    return unknown.map((path) => `unknown field "${path}"`);
  }
}

/** @throws ApiError 409 */
function checkPreconditions({ definition, name }: Pick<Target, 'definition' | 'name'>, { metadata }: StoredObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  // In these places a real server names the kind.
  const resource = { group: definition.group, plural: definition.kind };
  if (uid && uid !== metadata.uid) {
    throw ApiError.conflict(resource, name, `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw ApiError.conflict(resource, name, `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`);
  }
}

/** A real server has no other status for it. */
function untyped({ definition, version, name }: Target, patch: unknown, unknown: readonly string[]): ApiError {
  const { namespace = '' } = (isRecord(patch) && isRecord(patch.metadata) ? patch.metadata : {}) as { namespace?: string };
  const missing = unknown.map((path) => `.${path}: field not declared in schema`);
  const listed = missing.length === 1 ? missing[0] : `errors:\n${missing.map((one) => `  ${one}`).join('\n')}`;
  return new ApiError(500, '', `failed to create typed patch object (${namespace}/${name}; ${apiVersionOf({ group: definition.group, version: version.name })}, Kind=${definition.kind}): ${listed}`);
}

/** The members that the store gives a new object. */
const withIdentity = (object: StoredObject, creationTimestamp: string): StoredObject =>
  ({ ...object, metadata: { ...object.metadata, uid: object.metadata.uid ?? randomUUID(), creationTimestamp } });

const PROTECTED_NAMESPACES = new Set(['default', 'kube-system', 'kube-public']);

const strictError = (unknown: readonly string[]): string =>
  `strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`;

/** Namespaces have a second set of finalizers, in their spec. */
const namespaceFinalizers = (object: StoredObject): readonly string[] =>
  (object.kind === 'Namespace' && (object.spec as { finalizers?: string[] } | undefined)?.finalizers) || [];

/** The part of an object that counts for the generation. */
const content = (object: StoredObject): object => without(object, 'apiVersion', 'kind', 'metadata', 'status');

const withStatusOf = (object: StoredObject, other: StoredObject): StoredObject => ({
  ...without(object, 'status'),
  ...(other.status !== undefined && { status: other.status }),
});

/** Metadata of a new object: nothing that only the server sets. */
const forgetful = (metadata: Metadata): Metadata =>
  without(
    metadata,
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'managedFields',
  );

/** Members that only the server sets come from the stored object, the rest from the request. */
function systemFields(existing: Metadata, wanted: Metadata): Metadata {
  const { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, namespace, name } = existing;
  const own = { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds };
  // Entries lose the types of the members.
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as unknown as Metadata;
  return { ...forgetful(wanted), ...set, ...(existing.managedFields && { managedFields: existing.managedFields }) };
}

function propagationFinalizers({ propagationPolicy, orphanDependents }: DeleteOptions): string[] {
  if (propagationPolicy === 'Foreground') return ['foregroundDeletion'];
  return propagationPolicy === 'Orphan' || orphanDependents === true ? ['orphan'] : [];
}
