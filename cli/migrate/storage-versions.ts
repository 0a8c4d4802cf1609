import type { KubernetesObject, OwnerReference } from '../../engine/kubernetes/types';
import type { JsonSchema } from '../../src/catalog/crd';
import { parseApiVersion } from '../../src/object-id';
import { isRecord, member } from '../../src/util/records';

/** The part of a version of an installed CRD that a migration looks at. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

const STORAGE = /^v.+storage$/;

/** Whether a version is one of those in which ASO stores objects, and which are no API of Azure: `v1api20200601storage`. */
export function isStorageVersion(version: string): boolean {
  return STORAGE.test(version);
}

export function versionsOf(crd: KubernetesObject): CrdVersion[] {
  const versions = crd.spec?.versions;
  return (Array.isArray(versions) ? versions : []).filter(
    (each): each is CrdVersion => isRecord(each) && typeof each.name === 'string',
  );
}

/** The schema of a version of an installed CRD. */
export function schemaOf(crd: KubernetesObject, version: string): JsonSchema | undefined {
  const schema = member(versionsOf(crd).find(({ name }) => name === version), 'schema');
  return member(schema, 'openAPIV3Schema') as JsonSchema | undefined;
}

export function storedVersionsOf(crd: KubernetesObject): string[] {
  const stored = crd.status?.storedVersions;
  return Array.isArray(stored) ? stored.map(String) : [];
}

/** The version in which a kind is stored after the migration; undefined: the kind is not known. */
export type StoredVersionOf = (group: string, kind: string) => string | undefined;

/**
 * Owner references with the version that the owner's kind is stored in now, in place of ASO's storage versions: the garbage collector
 * cannot find an owner by a version that is not served. Undefined: there is nothing to change.
 */
export function migratedOwners(
  references: readonly OwnerReference[] | undefined, storedVersionOf: StoredVersionOf,
): OwnerReference[] | undefined {
  let changed = false;
  const result = (references ?? []).map((reference) => {
    const { group, version } = parseApiVersion(reference.apiVersion);
    const stored = isStorageVersion(version) ? storedVersionOf(group, reference.kind) : undefined;
    if (stored === undefined) return reference;
    changed = true;
    return { ...reference, apiVersion: `${group}/${stored}` };
  });
  return changed ? result : undefined;
}
