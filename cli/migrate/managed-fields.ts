import { isStorageVersion } from './storage-versions';
import { appliedVersionOf } from '../../engine/kubernetes/applied-version';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { RESTORED_FIELDS } from '../../src/azure/annotations';
import { isRecord } from '../../src/util/records';

/**
 * A record of `metadata.managedFields`.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

export interface ManagedFieldsOptions {
  readonly type: ResourceType;
  /** The version in which the user applied the object. */
  readonly applied: string;
  /** The version that is stored from now on. */
  readonly stored: string;
}

/** Members that only ASO's storage versions have. */
const STORAGE_MEMBERS = new Set(['f:$propertyBag', 'f:originalVersion']);
/** Name by which the API server records the writes of this program. */
const MANAGER = 'cdk8s-aso-migrate';

export function managedFieldsOf({ metadata }: KubernetesObject): ManagedFieldsEntry[] {
  const { managedFields } = metadata as { managedFields?: unknown };
  return Array.isArray(managedFields) ? managedFields.filter(isRecord) : [];
}

/**
 * Records without versions that only ASO's CRDs have: the API server drops those records, or refuses each later write. The newest record
 * of the spec has the version in which the user applied the object, since the Azure api-version of the requests follows it.
 */
export function migratedManagedFields(object: KubernetesObject, options: ManagedFieldsOptions): ManagedFieldsEntry[] {
  const { type, applied, stored } = options;
  const entries = managedFieldsOf(object).flatMap((entry): ManagedFieldsEntry[] => {
    const version = versionIn(type, entry);
    if (version === undefined || !isStorageVersion(version)) return [entry];
    const fields = withoutStorageMembers(entry.fieldsV1 ?? {});
    if (Object.keys(fields).length === 0) return [];
    const apiVersion = `${type.group}/${Object.hasOwn(fields, 'f:spec') ? applied : stored}`;
    return [{ ...entry, apiVersion, fieldsV1: fields }];
  });
  const apiVersion = `${type.group}/${applied}`;
  const newest = newestOfSpec(type, entries);
  const corrected = merged(entries.map((entry) => (entry === newest ? { ...entry, apiVersion } : entry)));
  const seen = appliedVersionOf(type, withManagedFields(object, corrected));
  if (seen === apiVersion || (seen === undefined && applied === stored)) return corrected;
  const { creationTimestamp: time } = object.metadata;
  const fieldsV1 = { 'f:spec': {} };
  return [...corrected, { manager: MANAGER, operation: 'Update', apiVersion, ...(time !== undefined && { time }), fieldsType: 'FieldsV1', fieldsV1 }];
}

/**
 * The records for the write that moves an object to the stored version, with every version replaced by that one. The server compares the
 * object before and after in the version of each record, and takes from a record what is gone in its version: what only the applied
 * version has looks gone until a conversion that knows the annotation answers.
 */
export function inVersion(entries: readonly ManagedFieldsEntry[], { type, stored }: ManagedFieldsOptions): ManagedFieldsEntry[] {
  const apiVersion = `${type.group}/${stored}`;
  return merged(entries.map((entry) => (versionIn(type, entry) === undefined ? entry : { ...entry, apiVersion })));
}

/**
 * The records that an object has to have again. A rewriting that was interrupted has noted them in an annotation, since its own write has
 * taken fields away from them; a record that another writer has made since goes before the noted one.
 */
export function restoredFields(object: KubernetesObject): ManagedFieldsEntry[] {
  const present = managedFieldsOf(object);
  const noted = notedFields(object.metadata.annotations?.[RESTORED_FIELDS]);
  if (!noted) return present;
  const isNoted = (entry: ManagedFieldsEntry) => noted.some((one) => isOfOneWriter(one, entry) && one.time === entry.time);
  const newer = present.filter((entry) => entry.manager !== MANAGER && !isNoted(entry));
  return [...noted.filter((one) => !newer.some((entry) => isOfOneWriter(one, entry))), ...newer];
}

/** The annotation is a tenant's to write, as the records themselves are. */
function notedFields(text: string | undefined): ManagedFieldsEntry[] | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isOfOneWriter(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.apiVersion === b.apiVersion && a.subresource === b.subresource;
}

export function withManagedFields(object: KubernetesObject, managedFields: readonly ManagedFieldsEntry[]): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, managedFields } as KubernetesObject['metadata'] };
}

/** The time of the newest record of the spec that is no write of this program; undefined: that record has another version. */
export function newestSpecTime(object: KubernetesObject, type: ResourceType, version: string): string | undefined {
  const others = managedFieldsOf(object).filter((entry) => entry.manager !== MANAGER && !isStorageVersion(versionIn(type, entry) ?? ''));
  const newest = newestOfSpec(type, others);
  return newest && versionIn(type, newest) === version ? newest.time : undefined;
}

/** The version and time of the newest record of the spec by a user, in a version of the API. */
export function newestSpecEdit(
  object: KubernetesObject, type: ResourceType,
): { readonly version: string; readonly time: string } | undefined {
  const others = managedFieldsOf(object).filter((entry) => entry.manager !== MANAGER && !isStorageVersion(versionIn(type, entry) ?? ''));
  const newest = newestOfSpec(type, others);
  const version = newest && versionIn(type, newest);
  return version === undefined || newest?.time === undefined ? undefined : { version, time: newest.time };
}

function newestOfSpec(type: ResourceType, entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries
    .filter((entry) => !entry.subresource && versionIn(type, entry) !== undefined && Object.hasOwn(entry.fieldsV1 ?? {}, 'f:spec'))
    .reduce<ManagedFieldsEntry | undefined>((best, entry) => (best && (best.time ?? '') > (entry.time ?? '') ? best : entry), undefined);
}

function versionIn({ group }: ResourceType, { apiVersion }: ManagedFieldsEntry): string | undefined {
  return apiVersion?.startsWith(`${group}/`) ? apiVersion.slice(group.length + 1) : undefined;
}

function withoutStorageMembers(fields: Fields): Fields {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (STORAGE_MEMBERS.has(key)) continue;
    const rest = isRecord(value) ? withoutStorageMembers(value) : value;
    // A set of members of which none is left; a leaf is an empty object from the beginning.
    if (isRecord(value) && Object.keys(value).length > 0 && Object.keys(rest as Fields).length === 0) continue;
    kept[key] = rest;
  }
  return kept;
}

/** One record for each manager, operation, version and subresource, as the server demands. */
function merged(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const found = new Map<string, ManagedFieldsEntry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.manager, entry.operation, entry.apiVersion, entry.subresource]);
    const other = found.get(key);
    const time = [other?.time, entry.time].filter((each) => each !== undefined).sort().pop();
    const both = other && { ...entry, ...(time !== undefined && { time }), fieldsV1: union(other.fieldsV1 ?? {}, entry.fieldsV1 ?? {}) };
    found.set(key, both ?? entry);
  }
  return [...found.values()];
}

function union(a: Fields, b: Fields): Fields {
  const result: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = result[key];
    result[key] = isRecord(before) && isRecord(value) ? union(before, value) : value;
  }
  return result;
}
