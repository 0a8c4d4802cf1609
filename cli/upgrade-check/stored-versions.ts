import type { UpgradeFinding } from './finding';
import type { Upgrade } from './releases';
import { isGone } from './successor';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog, removedIn } from '../../src/catalog';
import { isOfNoRelease, isUpTo, servedVersion, sinceOf } from '../../src/core/versions/served-version';
import { isRecord, isText, text } from '../../src/util/records';
import { counted, firstOf } from '../../src/util/words';

const CLUSTER = { file: 'cluster' } as const;
const MOST_NAMED = 5;

/** Versions in which objects of a cluster may be stored, by its CRDs, and which the target does not have. */
export function crdFindings(crds: readonly KubernetesObject[], upgrade: Upgrade, catalog = Catalog.default()): UpgradeFinding[] {
  return crds.flatMap((crd) => {
    const spec = isRecord(crd.spec) ? crd.spec : {};
    const [group, kind] = [text(spec, 'group') ?? '', text(spec.names, 'kind') ?? ''];
    const known = catalog.kind(group, kind);
    const stored = Array.isArray(crd.status?.storedVersions) ? crd.status.storedVersions.filter(isText) : [];
    const lost = stored.filter((version) => {
      // ASO stores in a version of its own for each: v1api20230101storage.
      const name = version.replace(/storage$/, '');
      if (isGone(group, kind, name, upgrade.to)) return true;
      if (!known?.version(name)) return removedIn(group, kind, name) === undefined;
      return !isOfNoRelease(known, name) && !isUpTo(sinceOf(known, name), upgrade.to);
    });
    if (lost.length === 0) return [];
    return [{
      ...CLUSTER,
      severity: 'error' as const,
      rule: 'stored-version',
      apiVersion: crd.apiVersion,
      kind: crd.kind,
      name: crd.metadata.name,
      field: 'status.storedVersions',
      message: `names ${firstOf(lost, MOST_NAMED)}, which ${upgrade.to} does not have`,
      why: 'the API server refuses the new CRD (status.storedVersions: must appear in spec.versions), and the operator does not start',
      fix: 'before the upgrade run asoctl clean crds, which has each object stored anew and takes the version out',
    }];
  });
}

/** Kinds whose objects are stored in another version after the upgrade: there is no way back for them. */
export function storageFindings(
  kinds: readonly { readonly group: string; readonly kind: string }[], upgrade: Upgrade, catalog = Catalog.default(),
): UpgradeFinding[] {
  const { from, to } = upgrade;
  if (from === undefined) return [];
  const moved = kinds.flatMap(({ group, kind: name }) => {
    const kind = catalog.kind(group, name);
    if (!kind) return [];
    const [before, after] = [servedVersion(kind, from), servedVersion(kind, to)];
    return before !== undefined && after !== undefined && before !== after ? [`${name} (${before} → ${after})`] : [];
  });
  if (moved.length === 0) return [];
  return [{
    file: 'operator',
    severity: 'info',
    rule: 'storage-version',
    message: `${counted(moved.length, 'kind')} will be stored in a newer version: ${firstOf(moved, MOST_NAMED)}`,
    why: `objects that ${to} has written cannot be read by ${from}: going back means to apply them again`,
    fix: 'keep the manifests of all objects: kubectl get azure -A -o yaml prints them',
  }];
}

/** The release that most CRDs of a cluster have as their label; undefined where none has one. */
export function installedRelease(crds: readonly KubernetesObject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { metadata } of crds) {
    const release = metadata.labels?.['app.kubernetes.io/version'];
    if (release && /^v2\.\d+\.\d+/.test(release)) counts.set(release, (counts.get(release) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
