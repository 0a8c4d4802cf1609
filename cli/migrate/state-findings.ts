import { containersOf, isBundledController, releaseOf } from './asos-installation';
import type { ClusterState, KindObjects } from './cluster-state';
import { note, stop, warning, type Finding } from './finding';
import { isCrd, isMoved } from './migrated-kinds';
import { originalVersionOf } from './recorded-versions';
import { DEPLOYMENT } from './steps/stop-watchers';
import { versionsOf } from './storage-versions';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ASO_PREFIX, FINALIZER, POLLER_TOKEN } from '../../src/azure/annotations';
import type { Catalog } from '../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../src/catalog/crd';
import { groupOf } from '../../src/object-id';
import { counted, firstOf, listed } from '../../src/util/words';

const MOST_NAMED = 5;
/** Leases and certificates tolerate less than this. */
const CLOCK_DIFFERENCE_MS = 5_000;
/** The rest is room for the annotation with members that the stored version does not have. */
const MOST_ANNOTATION_BYTES = 224 * 1024;
/** ValidatingAdmissionPolicy is of v1 since then. */
const OLDEST_MINOR = 30;

/** Findings about what was read from the cluster and about the manifests of the new installation. Pure. */
export function findingsOf(state: ClusterState, install: readonly KubernetesObject[], catalog: Catalog): Finding[] {
  return [
    ...unreadFindings(state),
    ...kubernetesFindings(state),
    ...clockFindings(state),
    ...controllerFindings(state, install),
    ...crdFindings(state, install),
    ...versionFindings(state, catalog),
    ...webhookFindings(state, "ASO's"),
    ...objectFindings(state),
    ...installFindings(state, install, catalog),
  ];
}

export function unreadFindings({ unread }: ClusterState): Finding[] {
  return unread.map(({ what, why, isForbidden }) => (isForbidden
    ? stop('rights', `${what} cannot be read: ${why}`, 'use a kubeconfig with the rights of a cluster administrator')
    : stop('objects', `${what} cannot be read: ${why}`, 'see why: the webhook that converts them, or a CRD that is older than its objects (install the release of ASO that has stored them)')));
}

function kubernetesFindings({ kubernetes: { major, minor, text } }: ClusterState): Finding[] {
  const isOld = major < 1 || (major === 1 && minor < OLDEST_MINOR);
  return [
    isOld
      ? stop('versions', `Kubernetes ${text} has no ValidatingAdmissionPolicy, which keeps writes from losing members meanwhile`, 'upgrade the cluster to Kubernetes 1.30 or newer')
      : note('versions', `Kubernetes ${text}`),
  ];
}

export function clockFindings({ clockDifferenceMs }: ClusterState): Finding[] {
  const seconds = Math.round(Math.abs(clockDifferenceMs) / 1000);
  return [
    ...(Math.abs(clockDifferenceMs) > CLOCK_DIFFERENCE_MS
      ? [warning('clocks', `this machine's clock is ${seconds} s ${clockDifferenceMs > 0 ? 'ahead of' : 'behind'} the API server's`, 'correct it; times in the journal are of this machine')]
      : []),
  ];
}

/** The one Deployment of ASO; undefined where there is none, or several. */
export function asoDeployment({ controllers }: Pick<ClusterState, 'controllers'>): KubernetesObject | undefined {
  const found = controllers.filter((deployment) => !isBundledController(deployment));
  return found.length === 1 ? found[0] : undefined;
}

function controllerFindings(state: ClusterState, install: readonly KubernetesObject[]): Finding[] {
  const named = ({ metadata }: KubernetesObject) => `${metadata.namespace}/${metadata.name}`;
  const asos = state.controllers.filter((deployment) => !isBundledController(deployment));
  const ours = state.controllers.filter(isBundledController);
  const findings: Finding[] = ours.map((deployment) => stop('installation', `this package's controller runs already: Deployment ${named(deployment)}`, 'a cluster with both controllers cannot be migrated: remove one of them'));
  const [aso] = asos;
  if (!aso) {
    findings.push(stop('installation', 'ASO has no Deployment, so no webhook converts its objects', 'install ASO again in the release that was there (half an installation), then start over'));
    return findings;
  }
  if (asos.length > 1) {
    findings.push(stop('installation', `ASO has several Deployments: ${asos.map(named).join(', ')}`, 'a split installation is not supported: install ASO as one Deployment first'));
    return findings;
  }
  if (aso.metadata.name !== DEPLOYMENT) findings.push(stop('installation', `the Deployment of ASO is called ${named(aso)}`, `only installations with the Deployment ${DEPLOYMENT} are known`));
  findings.push(...podFindings(aso));
  const namespaces = [...new Set(install.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.namespace))];
  for (const namespace of namespaces.filter((each) => each !== aso.metadata.namespace)) {
    findings.push(stop('installation', `the new installation is in the namespace ${namespace}, ASO in ${aso.metadata.namespace}`, 'use the same namespace: the annotation operator-namespace of the objects names it'));
  }
  const release = releaseOf(aso);
  findings.push(note('installation', `ASO ${release ?? 'of an unknown release'}, Deployment ${named(aso)}`));
  if (containersOf(aso).length === 0) findings.push(stop('installation', `the Deployment ${named(aso)} has no container`, 'repair the installation of ASO'));
  return findings;
}

/** A migration needs webhooks that answer. */
export function podFindings({ metadata: { namespace, name }, spec, status }: KubernetesObject): Finding[] {
  if (spec?.replicas === 0) return [stop('installation', `the Deployment ${namespace}/${name} is scaled to 0, and its webhooks have to convert`, `kubectl scale deployment/${name} --namespace ${namespace} --replicas 2`)];
  const available = Number((status as Readonly<Record<string, unknown>> | undefined)?.availableReplicas ?? 0);
  return available > 0 ? [] : [stop('installation', `no pod of the Deployment ${namespace}/${name} is ready`, `see why: kubectl describe pods --namespace ${namespace}`)];
}

function crdFindings({ controllers, crds, unknownKinds }: ClusterState, install: readonly KubernetesObject[]): Finding[] {
  const names = (all: readonly KubernetesObject[]) => all.map(({ metadata }) => metadata.name);
  const wanted = new Set(install.filter(isCrd).map(({ metadata }) => metadata.name));
  const kept = crds.migrated.filter((kind) => !isMoved(kind)).map(({ crd }) => crd);
  const taken = names(crds.foreign).filter((name) => wanted.has(name));
  return [
    ...(taken.length > 0 ? [stop('crds', `--install has CRDs that are in the cluster without ASO's label: ${firstOf(taken, MOST_NAMED)}`, `if they are ASO's, restore the label ${CRD_NAME_LABEL}=${CRD_NAME_LABEL_VALUE}; those of another project would be overwritten: leave the kinds out`)] : []),
    crds.migrated.length === kept.length && controllers.length === 0
      ? stop('crds', 'no CRD of the cluster is one of ASO', 'there is nothing to migrate: install the controller (docs/operator.md)')
      : note('crds', `${counted(crds.migrated.length, 'CRD')} of ASO`),
    ...(kept.length > 0 ? [note('crds', `${counted(kept.length, 'CRD')} without storage versions of ASO: ${firstOf(kept, MOST_NAMED)}`)] : []),
    ...(crds.foreign.length > 0 ? [note('crds', `CRDs of other projects in the same groups are left alone: ${names(crds.foreign).join(', ')}`)] : []),
    ...unknownKinds.map(({ crd, objects }) => (objects > 0
      ? stop('crds', `the catalog has no kind for ${crd}, of which there are ${counted(objects, 'object')}`, 'use a release of this package whose catalog has it')
      : warning('crds', `the catalog has no kind for ${crd}; it is left alone, and without ASO nothing converts its objects`, 'delete the CRD if it is not needed'))),
  ];
}

function versionFindings({ kinds, installed }: ClusterState, catalog: Catalog): Finding[] {
  return kinds.flatMap(({ kind, objects }) => {
    const facts = catalog.kind(kind.group, kind.kind);
    const found = new Map<string, string[]>();
    for (const object of objects) {
      const version = originalVersionOf(object, kind);
      if (!facts?.version(version)) found.set(version, [...(found.get(version) ?? []), nameOf(object)]);
    }
    const crd = installed.get(kind.crd);
    const served = crd ? versionsOf(crd).filter((version) => version.served).map(({ name }) => name) : [];
    return [
      ...[...found].map(([version, names]) => stop('versions', `the catalog has no version ${version} of ${kind.kind}, in which ${counted(names.length, 'object was', 'objects were')} applied: ${firstOf(names, MOST_NAMED)}`, 'apply them in another version')),
      ...(served.includes(kind.to) && served.includes(kind.from)
        ? []
        : [stop('versions', `${kind.crd} serves ${listed(served)}, and not both ${kind.from} and ${kind.to}`, `use the release of this package for this release of ASO (${ASO_PREFIX.slice(0, -1)})`)]),
    ];
  });
}

export function webhookFindings({ kinds }: ClusterState, whose: string): Finding[] {
  const broken = kinds.filter(({ conversionError }) => conversionError !== undefined);
  const asked = kinds.filter(({ kind, objects }) => isMoved(kind) && objects.length > 0).length;
  return [
    ...broken.map(({ kind, conversionError }) => stop('webhooks', `${whose} webhook does not convert ${kind.plural}.${kind.group}: ${conversionError}`, 'see why: pods, Service, certificate and caBundle')),
    ...(broken.length === 0 && asked > 0 ? [note('webhooks', `${whose} webhook converts ${counted(asked, 'kind')}`)] : []),
  ];
}

function objectFindings({ kinds }: ClusterState): Finding[] {
  const all = kinds.flatMap(({ kind, objects }: KindObjects) => objects.map((object) => ({ kind, object })));
  const named = (some: readonly { readonly object: KubernetesObject }[]) => firstOf(some.map(({ object }) => nameOf(object)), MOST_NAMED);
  const running = all.filter(({ object }) => object.metadata.annotations?.[POLLER_TOKEN]);
  const deleting = all.filter(({ object }) => object.metadata.deletionTimestamp !== undefined);
  const unclaimed = all.filter((each) => !deleting.includes(each) && !each.object.metadata.finalizers?.includes(FINALIZER));
  const others = all.filter(({ kind, object }) => originalVersionOf(object, kind) !== kind.to);
  const full = others.filter(({ object }) => annotationBytes(object) > MOST_ANNOTATION_BYTES);
  return [
    note('objects', `${counted(all.length, 'object')} of ${counted(kinds.filter(({ objects }) => objects.length > 0).length, 'kind')}, ${others.length} of them applied in another version than the one that is stored afterwards`),
    ...(running.length > 0 ? [warning('objects', `Azure works on ${counted(running.length, 'object')}: ${named(running)}`, 'wait for the end of their operations, or go on: the new controller looks after them')] : []),
    ...(full.length > 0 ? [stop('objects', `the annotations of ${counted(full.length, 'object')} leave no room for what the stored version has no place for: ${named(full)}`, `take annotations away until they have less than ${MOST_ANNOTATION_BYTES / 1024} KiB (the API server takes 256)`)] : []),
    ...(deleting.length > 0 ? [warning('objects', `${counted(deleting.length, 'object is', 'objects are')} being deleted: ${named(deleting)}`, 'wait until they are gone, or go on: the new controller deletes them')] : []),
    ...(unclaimed.length > 0 ? [warning('objects', `${counted(unclaimed.length, 'object')} without ASO's finalizer: ${named(unclaimed)}`, 'ASO has not claimed them yet: see their conditions')] : []),
  ];
}

function installFindings({ kinds }: ClusterState, install: readonly KubernetesObject[], catalog: Catalog): Finding[] {
  if (install.length === 0) return [];
  const crds = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  const azure = install.filter((object) => catalog.kind(groupOf(object), object.kind));
  const findings: Finding[] = [];
  if (!install.some(({ kind }) => kind === 'Deployment')) findings.push(stop('install', 'the manifests have no Deployment', 'give the chart with BundledController'));
  if (azure.length > 0) findings.push(stop('install', `the manifests have Azure objects: ${firstOf(azure.map(nameOf), MOST_NAMED)}`, 'give the chart with BundledController alone; apply the others afterwards'));
  if (crds.size === 0) return findings;
  for (const { kind, objects } of kinds.filter((each) => each.objects.length > 0)) {
    const crd = crds.get(kind.crd);
    if (!crd) {
      findings.push(stop('install', `the manifests have no CRD ${kind.crd}, of which there are ${counted(objects.length, 'object')}`, `add the kind: kinds: ControllerKinds.inApp().and(…) with ${kind.group}/${kind.kind}`));
      continue;
    }
    const names = versionsOf(crd).filter(({ served }) => served).map(({ name }) => name);
    const missing = [...new Set(objects.map((object) => originalVersionOf(object, kind)))].filter((version) => !names.includes(version));
    if (missing.length > 0) findings.push(stop('install', `the CRD ${kind.crd} of the manifests does not serve ${listed(missing)}, in which objects were applied`, 'add webhooks, so that all versions are served (docs/operator.md)'));
  }
  return findings;
}

function annotationBytes({ metadata: { annotations = {} } }: KubernetesObject): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}

/** `StorageAccount shop/data` */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}
