import { MIGRATION } from './journal';
import type { MigratedKind } from './migrated-kinds';
import { MigrationError } from './migration-context';
import type { AppliedVersions } from './rewriter';
import { isStorageVersion } from './storage-versions';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { MIGRATION_FINALIZER } from '../../src/azure/annotations';
import { versionNameOf } from '../../src/object-id';
import { isRecord } from '../../src/util/records';
import { CONFIG_MAPS } from '../cluster/resource-types';

const VERSION = /^v[a-z0-9]{1,60}$/;

/** The versions in which the objects of a kind were applied. ASO's storage form has them, and no other form. */
export interface RecordedVersions {
  /** When they were read, on the API server's clock. */
  readonly at: string;
  /** By version, the uids of the objects. Those of the stored version are left out. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
}

/** The version in which an object of ASO's storage form was applied. */
export function originalVersionOf(object: KubernetesObject, kind: MigratedKind): string {
  const original = object.spec?.originalVersion;
  if (typeof original === 'string' && original !== '') return original;
  const applied = versionNameOf(object);
  return isStorageVersion(applied) ? kind.to : applied;
}

/** The record of a kind's objects, from a list in ASO's storage version. */
export function recordOf(kind: MigratedKind, objects: readonly KubernetesObject[], at: string): RecordedVersions {
  const versions: Record<string, string[]> = {};
  for (const object of objects) {
    const version = originalVersionOf(object, kind);
    if (version !== kind.to) (versions[version] ??= []).push(object.metadata.uid ?? '');
  }
  return { at, versions };
}

/**
 * Stores the record of a kind. Without an entry there is none to store. Answers whether there is one. An earlier record goes before an
 * object that now seems to be applied in the stored version: it may have been rewritten since, by a migration whose journal is gone.
 */
export async function storeRecord(
  client: KubernetesClient, namespace: string, kind: MigratedKind, record: RecordedVersions,
): Promise<boolean> {
  const name = nameOf(kind);
  const before = await client.get(CONFIG_MAPS, name, namespace);
  if (!before && Object.keys(record.versions).length === 0) return false;
  const data = { record: JSON.stringify(before ? mergedRecords(recordIn(before), record) : record) };
  if (before) {await client.replace(CONFIG_MAPS, { ...before, data });} else {
    const metadata = { name, namespace, finalizers: [MIGRATION_FINALIZER] };
    await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  }
  return true;
}

/**
 * The version of each object that was not applied in the stored one, by uid.
 * @param isRecorded whether there has to be a record
 * @throws MigrationError where the record was edited, or is gone
 */
export async function readRecord(
  client: KubernetesClient, namespace: string, kind: MigratedKind, isRecorded: boolean,
): Promise<AppliedVersions> {
  const object = await client.get(CONFIG_MAPS, nameOf(kind), namespace);
  if (!object && isRecorded) {
    throw new MigrationError(`the record of versions in the ConfigMap ${namespace}/${nameOf(kind)} was deleted: restore it, since nothing else has these versions`);
  }
  const { at, versions } = object ? recordIn(object) : { at: '', versions: {} };
  return appliedVersions({ at, versions });
}

/** The entries of a record by uid. */
export function appliedVersions({ at, versions }: RecordedVersions): AppliedVersions {
  return { at, byUid: byUid(versions) };
}

function byUid(versions: RecordedVersions['versions']): Map<string, string> {
  return new Map(Object.entries(versions).flatMap(([version, uids]) => uids.map((uid) => [uid, version] as const)));
}

/** Two records of a kind as one, with the time of the earlier one. */
export function mergedRecords(earlier: RecordedVersions, later: RecordedVersions): RecordedVersions {
  const versions: Record<string, string[]> = {};
  for (const [uid, version] of new Map([...byUid(earlier.versions), ...byUid(later.versions)])) (versions[version] ??= []).push(uid);
  return { at: earlier.at, versions };
}

function recordIn({ metadata, data }: KubernetesObject): RecordedVersions {
  let record: unknown;
  try {
    record = JSON.parse(data?.record ?? '');
  } catch {
    record = undefined;
  }
  const { at, versions } = isRecord(record) ? record : {};
  if (typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isVersions(versions)) return { at, versions };
  throw new MigrationError(`the record of versions in the ConfigMap ${metadata.namespace}/${metadata.name} was edited: restore it, since nothing else has these versions`);
}

function isVersions(value: unknown): value is RecordedVersions['versions'] {
  return isRecord(value) && Object.entries(value).every(([version, uids]) => (
    VERSION.test(version) && Array.isArray(uids) && uids.every((uid) => typeof uid === 'string')));
}

export async function removeRecord(client: KubernetesClient, namespace: string, kind: MigratedKind): Promise<void> {
  const name = nameOf(kind);
  const found = await client.get(CONFIG_MAPS, name, namespace);
  if (!found) return;
  const finalizers = found.metadata.finalizers?.filter((finalizer) => finalizer !== MIGRATION_FINALIZER) ?? [];
  const { resourceVersion } = found.metadata;
  await client.patch(CONFIG_MAPS, name, namespace, { metadata: { resourceVersion, finalizers } }, 'application/merge-patch+json').catch(ignoreAbsent);
  await client.delete(CONFIG_MAPS, name, namespace).catch(ignoreAbsent);
}

/** A record that was deleted by hand goes with its finalizer. */
function ignoreAbsent(error: unknown): void {
  if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
}

function nameOf({ crd }: MigratedKind): string {
  return `${MIGRATION}.${crd}`;
}
