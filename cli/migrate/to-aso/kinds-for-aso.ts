import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { Catalog, Kind } from '../../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../../src/catalog/crd';
import { isCrd, type MigratedKind } from '../migrated-kinds';
import { isStorageVersion, versionsOf } from '../storage-versions';

const OWN_GROUPS = '.aso.cdk8s.io';

/** Which kinds get back to ASO's CRDs. */
export interface KindsForAso {
  readonly migrated: readonly MigratedKind[];
  /** CRDs of the cluster for which the manifests have none of ASO. */
  readonly missing: readonly string[];
  /** CRDs of kinds that ASO never had. */
  readonly own: readonly string[];
}

/**
 * The kinds of the cluster's CRDs that the manifests of ASO have, with the version that is stored now and the one that ASO stores. Without
 * manifests, ASO's stored version is the expected one, until its CRDs are there. Kinds that ASO never had stay as they are. Pure.
 */
export function kindsForAso(crds: readonly KubernetesObject[], install: readonly KubernetesObject[], catalog: Catalog): KindsForAso {
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  const kinds = new Map(catalog.allKinds.map((kind) => [kind.crdName, kind]));
  const migrated: MigratedKind[] = [];
  const missing: string[] = [];
  const own: string[] = [];
  for (const crd of crds) {
    const kind = kinds.get(crd.metadata.name);
    if (!kind || crd.metadata.labels?.[CRD_NAME_LABEL] !== CRD_NAME_LABEL_VALUE) continue;
    if (isOurs(kind)) {
      own.push(kind.crdName);
      continue;
    }
    const to = install.length === 0 ? expectedStorage(kind) : asoStorage(given.get(kind.crdName), kind);
    const from = versionsOf(crd).find(({ name, storage }) => storage && !isStorageVersion(name))?.name;
    if (to === undefined || from === undefined) missing.push(kind.crdName);
    else migrated.push({ crd: kind.crdName, group: kind.group, kind: kind.kind, plural: kind.facts.plural, from, to });
  }
  migrated.sort((a, b) => (a.crd < b.crd ? -1 : 1));
  return { migrated, missing, own };
}

/** The version in which a CRD of ASO stores objects; undefined: it is none of ASO. */
export function asoStorage(crd: KubernetesObject | undefined, kind: Kind): string | undefined {
  const stored = crd && versionsOf(crd).find(({ storage }) => storage)?.name;
  if (stored === undefined) return undefined;
  return isStorageVersion(stored) || isHandwritten(kind) ? stored : undefined;
}

function expectedStorage(kind: Kind): string {
  return isHandwritten(kind) ? kind.facts.storageVersion : `${kind.facts.storageVersion}storage`;
}

/** Kinds without ARM have one version, which ASO stores as it is. */
function isHandwritten(kind: Kind): boolean {
  return kind.versionNames.every((name) => kind.version(name)?.facts.handwritten);
}

/** Kinds of this package that ASO never had: `DatabaseAccess`. */
function isOurs({ group }: Kind): boolean {
  return group.endsWith(OWN_GROUPS);
}
