import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { Catalog } from '../../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../../src/catalog/crd';
import { isCrd, type MigratedKind } from '../migrated-kinds';
import { isStorageVersion, versionsOf } from '../storage-versions';

/** Which kinds get back to ASO's CRDs. */
export interface KindsForAso {
  readonly migrated: readonly MigratedKind[];
  /** CRDs of the cluster for which the manifests have none of ASO. */
  readonly missing: readonly string[];
}

/**
 * The kinds of the cluster's CRDs that the manifests of ASO have, with the version that is stored now and ASO's storage version. In the
 * middle of a migration the stored version is the one in `status.storedVersions` that is none of ASO's. Without manifests, ASO's storage
 * version is the expected one, until its CRDs are there. Pure.
 */
export function kindsForAso(crds: readonly KubernetesObject[], install: readonly KubernetesObject[], catalog: Catalog): KindsForAso {
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  const kinds = new Map(catalog.allKinds.map((kind) => [kind.crdName, kind]));
  const migrated: MigratedKind[] = [];
  const missing: string[] = [];
  for (const crd of crds) {
    const kind = kinds.get(crd.metadata.name);
    if (!kind || crd.metadata.labels?.[CRD_NAME_LABEL] !== CRD_NAME_LABEL_VALUE) continue;
    const to = install.length === 0 ? `${kind.facts.storageVersion}storage` : versionsOf(given.get(kind.crdName) ?? crd).find(({ name, storage }) => storage && isStorageVersion(name))?.name;
    const from = versionsOf(crd).find(({ name, storage }) => storage && !isStorageVersion(name))?.name;
    if (to === undefined || from === undefined) missing.push(kind.crdName);
    else migrated.push({ crd: kind.crdName, group: kind.group, kind: kind.kind, plural: kind.facts.plural, from, to });
  }
  migrated.sort((a, b) => (a.crd < b.crd ? -1 : 1));
  return { migrated, missing };
}
