import { Catalog } from '../../../src/catalog';
import { parseApiVersion } from '../../../src/object-id';
import { serviceOfGroup } from '../../../src/util/api-groups';
import { firstOf, listed, plural } from '../../../src/util/words';
import type { ClusterFacts, CrdFacts } from '../facts';
import type { Finding } from '../finding';
import { isAzureGroup } from '../read-facts';

const MOST_NAMED = 5;
/** A release of ASO. Other tags of images, such as `latest`, say nothing about the CRDs. */
const RELEASE = /^v?2\.\d+\.\d+/;

/** The CRDs of the cluster against the catalog and the controllers. */
export function crdFindings({ crds, controllers, objects, unread }: ClusterFacts, catalog = Catalog.default()): Finding[] {
  if (unread.some(({ area }) => area === 'CRDs')) return [];
  const azure = crds.filter(({ group }) => isAzureGroup(group));
  const known = azure.filter(({ group, kind, isLabelled }) => isLabelled && catalog.kind(group, kind) !== undefined);
  return [
    ...absent(crds, objects.length + controllers.length),
    ...foreign(azure, catalog),
    ...known.flatMap((crd) => [...notEstablished(crd), ...storedFindings(crd)]),
    ...(controllers.some(({ product }) => product === 'ASO') ? [] : known.flatMap(schemaFindings)),
    ...releaseFindings(known, controllers),
    ...ownersNotServed(azure, objects, catalog),
  ];
}

function absent(crds: readonly CrdFacts[], installed: number): Finding[] {
  if (crds.some(({ isLabelled }) => isLabelled) || installed === 0) return [];
  return [{
    id: 'crds-missing',
    severity: 'error',
    object: 'cluster',
    message: 'a controller is installed, but no CRD with the label app.kubernetes.io/name=azure-service-operator',
    cure: 'cdk8s-aso crds dist/ | kubectl apply --server-side -f -, or set crdPattern of ASO',
  }];
}

function foreign(crds: readonly CrdFacts[], catalog: Catalog): Finding[] {
  const others = crds.filter(({ group, kind, isLabelled }) =>
    !isLabelled && catalog.hasService(serviceOfGroup(group) ?? group) && catalog.kind(group, kind) === undefined);
  if (others.length === 0) return [];
  return [{
    id: 'crd-foreign',
    severity: 'info',
    object: 'cluster',
    message: `${plural(others.length, 'a CRD', 'CRDs')} of another project in a group of ASO: ${firstOf(others.map(({ name }) => name), MOST_NAMED)}`,
    cure: 'none is needed: the controller leaves them alone',
  }];
}

function notEstablished({ name, conditions }: CrdFacts): Finding[] {
  if (conditions.includes('Established') && conditions.includes('NamesAccepted')) return [];
  return [{
    id: 'crd-not-established',
    severity: 'error',
    object: `CRD ${name}`,
    message: 'is not established: the API server does not serve the kind',
    cure: `kubectl describe crd ${name} has the reason, often another CRD with the same names`,
  }];
}

function storedFindings({ name, storedVersions, versions }: CrdFacts): Finding[] {
  const storage = versions.find((version) => version.storage)?.name;
  const old = storedVersions.filter((version) => version !== storage);
  if (old.length === 0) return [];
  return [{
    id: 'crd-stored-versions',
    severity: 'warning',
    object: `CRD ${name}`,
    message: `objects may still be stored in ${listed(old)}; the API server refuses a CRD without ${plural(old.length, 'it', 'them')}`,
    cure: 'wait until each object was reconciled once by this release; the controller takes the version out within an hour if it manages CRDs. Else: asoctl clean crds',
  }];
}

/** A label tells who has written the CRD last; the schema tells what is kept. */
function schemaFindings({ name, group, kind, schema }: CrdFacts): Finding[] {
  if (!schema) return [];
  const { lacking, unknown } = schema;
  const apply = `cdk8s-aso crds --kind ${group}/${kind} | kubectl apply --server-side --force-conflicts -f -`;
  const some = (places: readonly string[]) => firstOf(places, MOST_NAMED);
  return [
    ...(lacking.length === 0 ? [] : [{
      id: 'crd-schema',
      severity: 'warning',
      object: `CRD ${name}`,
      message: `has no ${some(lacking)}: the API server drops what objects say there`,
      cure: `apply the CRD of the controller's release; with the CLI of that release: ${apply}`,
    } as const]),
    ...(unknown.length === 0 ? [] : [{
      id: 'crd-schema',
      severity: 'info',
      object: `CRD ${name}`,
      message: `has ${some(unknown)}, which this release does not know`,
      cure: `if the controller is of the release of this CLI: ${apply}`,
    } as const]),
  ];
}

/** ASO decides by the label whether it brings a CRD up to date. */
function releaseFindings(crds: readonly CrdFacts[], controllers: ClusterFacts['controllers']): Finding[] {
  const byRelease = new Map<string, string[]>();
  for (const { name, release } of crds) if (release !== undefined) byRelease.set(release, [...(byRelease.get(release) ?? []), name]);
  const releases = [...byRelease.keys()].sort();
  const named = (some: readonly string[]) => some.map((release) => `${release} (${firstOf(byRelease.get(release) ?? [], MOST_NAMED)})`);
  const asos = controllers.filter(({ product, version }) => product === 'ASO' && version !== undefined && RELEASE.test(version));
  const mixed: Finding[] = releases.length < 2 || asos.length === 0 ? [] : [{
    id: 'crd-releases-mixed',
    severity: 'warning',
    object: 'cluster',
    message: `CRDs are of ${releases.length} releases: ${listed(named(releases))}`,
    cure: 'apply the CRDs of one release; an installation that ended halfway leaves such a mixture',
  }];
  const differing = asos.filter(({ version }) => releases.length === 1 && releases[0] !== version);
  return [...mixed, ...differing.map(({ namespace, deployment, version }): Finding => ({
    id: 'crd-release',
    severity: 'warning',
    object: `Deployment ${namespace}/${deployment ?? ''}`,
    message: `is of release ${version ?? ''}, the CRDs are of ${listed(named(releases))}`,
    cure: 'bring both to one release: the controller knows no kinds and versions of the other',
  }))];
}

/** Objects whose owner is of a kind that the cluster does not serve wait forever. */
function ownersNotServed(crds: readonly CrdFacts[], objects: ClusterFacts['objects'], catalog: Catalog): Finding[] {
  const served = new Set(crds.map(({ group, kind }) => `${group}/${kind}`));
  const missing = new Map<string, number>();
  for (const { apiVersion, kind, spec } of objects) {
    const { group, version } = parseApiVersion(apiVersion);
    const owner = catalog.kind(group, kind)?.version(version)?.facts.owner;
    const { owner: named } = (spec ?? {}) as { owner?: { name?: unknown } };
    if (!owner || owner === 'any' || named?.name === undefined || served.has(`${owner.group}/${owner.kind}`)) continue;
    const key = `${owner.group}/${owner.kind}`;
    missing.set(key, (missing.get(key) ?? 0) + 1);
  }
  return [...missing].map(([key, count]): Finding => ({
    id: 'crd-of-owner-missing',
    severity: 'error',
    object: `CRD of ${key}`,
    message: `the cluster does not serve it, and ${count} ${plural(count, 'object names', 'objects name')} an owner of this kind`,
    cure: `cdk8s-aso crds --kind ${key} | kubectl apply --server-side -f -, or add it to crdPattern`,
  }));
}
