import { isStorageVersion, storedVersionsOf, versionsOf, type StoredVersionOf } from './storage-versions';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import type { Catalog, Kind } from '../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../src/catalog/crd';

/**
 * A kind whose CRD is handed over. Its objects move from ASO's storage version to the stored version of the catalog; where both are the
 * same, they stay as they are stored: ASO has no storage version of the kinds that it reconciles without ARM (`User`, `SecurityGroup`).
 */
export interface MigratedKind {
  /** Name of the CRD. */
  readonly crd: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** The version in which the objects are stored now: `v1api20200601storage`, `v1`. */
  readonly from: string;
  /** The version that is stored afterwards. */
  readonly to: string;
}

/** The installed CRDs of Azure's groups. */
export interface SortedCrds {
  readonly migrated: readonly MigratedKind[];
  /** CRDs of ASO whose kind the catalog does not have. */
  readonly unknown: readonly KubernetesObject[];
  /** CRDs of other projects in groups of the catalog. */
  readonly foreign: readonly KubernetesObject[];
}

/**
 * Which of the installed CRDs are ASO's, and what becomes of them. Pure.
 * @param install the manifests of the controller that takes over: their CRDs decide which version is stored
 */
export function sortCrds(crds: readonly KubernetesObject[], install: readonly KubernetesObject[], catalog: Catalog): SortedCrds {
  const wanted = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, versionsOf(crd).find(({ storage }) => storage)?.name]));
  const kinds = new Map(catalog.allKinds.map((kind) => [kind.crdName, kind]));
  const groups = new Set(catalog.allKinds.map(({ group }) => group));
  const none = (): KubernetesObject[] => [];
  const sorted = { migrated: [] as MigratedKind[], unknown: none(), foreign: none() };
  for (const crd of crds) {
    const labelled = crd.metadata.labels?.[CRD_NAME_LABEL] === CRD_NAME_LABEL_VALUE;
    const kind = kinds.get(crd.metadata.name);
    if (!labelled) {
      if (groups.has(String(crd.spec?.group))) sorted.foreign.push(crd);
      continue;
    }
    const from = storageVersionOf(crd);
    const stored = versionsOf(crd).find(({ storage }) => storage)?.name;
    if (!kind) sorted.unknown.push(crd);
    else if (from !== undefined) sorted.migrated.push(migratedKind(kind, from, wanted.get(kind.crdName)));
    else if (stored !== undefined) sorted.migrated.push(migratedKind(kind, stored, stored));
  }
  sorted.migrated.sort((a, b) => (a.crd < b.crd ? -1 : 1));
  return sorted;
}

export function isCrd({ kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition';
}

/** Whether the objects of a kind move to another version. */
export function isMoved({ from, to }: MigratedKind): boolean {
  return from !== to;
}

/** The version that a kind is stored in after the migration. */
export function storedVersionsAfter(kinds: readonly MigratedKind[], catalog: Catalog): StoredVersionOf {
  const known = new Map(kinds.map(({ group, kind, to }) => [`${group}/${kind}`, to]));
  return (group, kind) => known.get(`${group}/${kind}`) ?? catalog.kind(group, kind)?.facts.storageVersion;
}

/** The API of a kind in one of its versions. */
export function typeOf({ group, kind, plural }: MigratedKind, version: string): ResourceType {
  return { group, version, plural, kind, namespaced: true };
}

function migratedKind(kind: Kind, from: string, to = kind.facts.storageVersion): MigratedKind {
  return { crd: kind.crdName, group: kind.group, kind: kind.kind, plural: kind.facts.plural, from, to };
}

/** ASO's version that is stored, or was before an interrupted migration; undefined: the CRD has none. */
function storageVersionOf(crd: KubernetesObject): string | undefined {
  const versions = versionsOf(crd);
  const stored = versions.find(({ storage }) => storage)?.name;
  if (stored !== undefined && isStorageVersion(stored)) return stored;
  const earlier = storedVersionsOf(crd).filter(isStorageVersion);
  return earlier[earlier.length - 1] ?? versions.map(({ name }) => name).filter(isStorageVersion).pop();
}
