import { MIGRATION } from './journal';
import type { MigratedKind } from './migrated-kinds';
import { isStorageVersion } from './storage-versions';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';
import { CONFIG_MAPS } from '../cluster/resource-types';

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
  const applied = object.apiVersion.slice(kind.group.length + 1);
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

/** Stores the record of a kind. Without an entry there is none to store. */
export async function storeRecord(
  client: KubernetesClient, namespace: string, kind: MigratedKind, record: RecordedVersions,
): Promise<void> {
  const name = nameOf(kind);
  const before = await client.get(CONFIG_MAPS, name, namespace);
  if (!before && Object.keys(record.versions).length === 0) return;
  const data = { record: JSON.stringify(record) };
  if (before) await client.replace(CONFIG_MAPS, { ...before, data });
  else await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
}

/** The version of each object that was not applied in the stored one, by uid. */
export async function readRecord(
  client: KubernetesClient, namespace: string, kind: MigratedKind,
): Promise<{ readonly at: string; readonly byUid: ReadonlyMap<string, string> }> {
  const object = await client.get(CONFIG_MAPS, nameOf(kind), namespace);
  const record: unknown = JSON.parse(object?.data?.record ?? '{}');
  const { at = '', versions = {} } = (isRecord(record) ? record : {}) as Partial<RecordedVersions>;
  return { at, byUid: new Map(Object.entries(versions).flatMap(([version, uids]) => uids.map((uid) => [uid, version] as const))) };
}

export async function removeRecord(client: KubernetesClient, namespace: string, kind: MigratedKind): Promise<void> {
  await client.delete(CONFIG_MAPS, nameOf(kind), namespace).catch((error: unknown) => {
    if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
  });
}

function nameOf({ crd }: MigratedKind): string {
  return `${MIGRATION}.${crd}`;
}
