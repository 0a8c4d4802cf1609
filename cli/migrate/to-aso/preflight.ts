import { kindsForAso } from './kinds-for-aso';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { POLLER_TOKEN } from '../../../src/azure/annotations';
import type { Catalog } from '../../../src/catalog';
import { groupOf, versionNameOf } from '../../../src/object-id';
import { counted, firstOf, listed } from '../../../src/util/words';
import { isBundledController, releaseOf } from '../asos-installation';
import { readClusterState, type ClusterState } from '../cluster-state';
import { deployerFindings } from '../deployer-findings';
import { note, stop, warning, type Finding } from '../finding';
import { helmFindings } from '../helm-findings';
import { grantFindings, installRights } from '../install-rights';
import { isCrd, type SortedCrds } from '../migrated-kinds';
import { podReferenceFindings } from '../pod-references';
import type { LookAt } from '../preflight';
import { rehearseToAso } from '../rehearsal/to-aso';
import { removalFindings } from '../removal-findings';
import { rightsFindings, rightsNeeded } from '../rights';
import { settingsFindings } from '../settings-findings';
import { clockFindings, nameOf, podFindings, unreadFindings, webhookFindings } from '../state-findings';
import { namedObjects } from '../steps/remove-aso';
import { DEPLOYMENT } from '../steps/stop-watchers';
import { versionsOf } from '../storage-versions';

const MOST_NAMED = 5;

/** Looks at a cluster of this package's controller, and at the manifests of ASO. */
export const preflightToAso: LookAt = async (connection, client, install, catalog, now) => {
  let missing: readonly string[] = [];
  const sort = (crds: readonly KubernetesObject[]): SortedCrds => {
    const kinds = kindsForAso(crds, install, catalog);
    ({ missing } = kinds);
    const own = new Set(kinds.own);
    return { migrated: kinds.migrated, unknown: crds.filter(({ metadata }) => own.has(metadata.name)), foreign: [] };
  };
  const state = await readClusterState({
    connection,
    client,
    now,
    sort,
    converted: ({ from }, crd) => versionsOf(crd).find(({ name, served }) => served && name !== from)?.name,
  });
  const findings = toAsoFindings(state, missing, install, catalog);
  const deployment = state.controllers.find(isBundledController);
  const namespace = deployment?.metadata.namespace;
  if (!deployment || namespace === undefined) return { findings, state };
  const installed = await installRights(client, install);
  findings.push(...installed.findings);
  if (installed.findings.length === 0) findings.push(...await grantFindings(connection, client, install));
  const rights = await rightsFindings(client, [...rightsNeeded(namespace, state.crds.migrated), ...installed.rights]);
  findings.push(...rights);
  findings.push(...await settingsFindings(client, deployment, install));
  findings.push(...(await deployerFindings(client, deployment)).filter(({ severity }) => severity !== 'note'));
  // Without the rights for it, a dry run tells nothing else.
  if (rights.some(({ severity }) => severity === 'stop')) return { findings, state, namespace };
  const removed = await namedObjects(client, namespace);
  const { crds: { migrated: kinds } } = state;
  const crds = kinds.flatMap(({ crd }) => state.installed.get(crd) ?? []);
  findings.push(...await helmFindings(client, namespace, undefined, crds, removed), ...removalFindings(removed));
  findings.push(...await podReferenceFindings(client, install, new Set(removed.map(({ type, name }) => `${type.kind} ${name}`))));
  if (installed.findings.length === 0 && missing.length === 0) {
    findings.push(...await rehearseToAso({ client, namespace, deployment, kinds, install, removed }));
  }
  return { findings, state, namespace };
};

/** Findings about a cluster that goes back to ASO. Pure. */
export function toAsoFindings(
  state: ClusterState, missing: readonly string[], install: readonly KubernetesObject[], catalog: Catalog,
): Finding[] {
  return [
    ...unreadFindings(state),
    ...clockFindings(state),
    note('versions', `Kubernetes ${state.kubernetes.text}`),
    ...installationFindings(state, install),
    ...crdFindings(state, missing, install),
    ...webhookFindings(state, "this controller's"),
    ...objectFindings(state),
    ...manifestFindings(install, catalog),
  ];
}

function installationFindings({ controllers }: ClusterState, install: readonly KubernetesObject[]): Finding[] {
  const named = ({ metadata }: KubernetesObject) => `${metadata.namespace}/${metadata.name}`;
  const ours = controllers.filter(isBundledController);
  const asos = controllers.filter((deployment) => !isBundledController(deployment));
  const findings = asos.map((deployment) => stop('installation', `ASO is there already: Deployment ${named(deployment)}`, 'a cluster with both controllers cannot be migrated: remove one of them'));
  const [own] = ours;
  if (!own) return [...findings, stop('installation', "this package's controller has no Deployment", 'there is nothing to migrate: install ASO, or repair the installation')];
  if (ours.length > 1) return [...findings, stop('installation', `there are several Deployments: ${ours.map(named).join(', ')}`, 'install one Deployment first')];
  findings.push(...podFindings(own));
  if (own.metadata.name !== DEPLOYMENT) findings.push(stop('installation', `the Deployment is called ${named(own)}`, `only installations with the Deployment ${DEPLOYMENT} are known`));
  for (const { metadata } of install.filter(({ kind, metadata: other }) => kind === 'Deployment' && other.namespace !== own.metadata.namespace)) {
    findings.push(stop('installation', `ASO's manifests are for the namespace ${metadata.namespace}, the controller is in ${own.metadata.namespace}`, 'use the same namespace: the annotation operator-namespace of the objects names it'));
  }
  return [...findings, note('installation', `controller ${releaseOf(own) ?? 'of an unknown release'}, Deployment ${named(own)}`)];
}

function crdFindings(
  { crds, kinds, unknownKinds }: ClusterState, missing: readonly string[], install: readonly KubernetesObject[],
): Finding[] {
  const own = unknownKinds.map(({ crd, objects }) => (objects > 0
    ? warning('crds', `ASO has no kind for ${crd}: ${counted(objects, 'object stays', 'objects stay')} without a controller`, 'delete the objects first, while this controller can take back what they have made')
    : note('crds', `ASO has no kind for ${crd}; the CRD stays, and there is no object of it`)));
  const count = [...own, note('crds', `${counted(crds.migrated.length, 'CRD')} of this package`)];
  if (install.length === 0) {
    const message = 'without --install, you install ASO in the middle: meanwhile objects can be read and written in the stored version alone, and no controller reconciles them';
    return [warning('install', message, 'have helm and the values of ASO at hand, or give the CRDs of the release and the rendered chart with --install'), ...count];
  }
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  return [
    ...(missing.length > 0 ? [stop('crds', `the manifests have no CRD with a storage version of ASO for ${firstOf(missing, MOST_NAMED)}`, 'add the CRDs of the release of ASO')] : []),
    ...kinds.flatMap(({ kind, objects }) => {
      const served = versionsOf(given.get(kind.crd)!).filter((version) => version.served).map(({ name }) => name);
      const applied = new Set([kind.from, ...objects.map(versionNameOf)]);
      const unserved = [...applied].filter((version) => !served.includes(version));
      return unserved.length > 0 ? [stop('crds', `the CRD ${kind.crd} of ASO does not serve ${listed(unserved)}`, 'use a release of ASO that does, or apply the objects in another version')] : [];
    }),
    ...count,
  ];
}

function objectFindings({ kinds }: ClusterState): Finding[] {
  const all = kinds.flatMap(({ objects }) => objects);
  const running = all.filter(({ metadata }) => metadata.annotations?.[POLLER_TOKEN]);
  return [
    note('objects', `${counted(all.length, 'object')} of ${counted(kinds.filter(({ objects }) => objects.length > 0).length, 'kind')}`),
    ...(running.length > 0 ? [warning('objects', `Azure works on ${counted(running.length, 'object')}: ${firstOf(running.map(nameOf), MOST_NAMED)}`, 'wait for the end of their operations, or go on: ASO looks after them')] : []),
    note('requests', 'ASO sends a PUT for every object when its watchers start, as after each of its upgrades'),
  ];
}

function manifestFindings(install: readonly KubernetesObject[], catalog: Catalog): Finding[] {
  if (install.length === 0) return [];
  const deployments = install.filter(({ kind }) => kind === 'Deployment');
  const azure = install.filter((object) => catalog.kind(groupOf(object), object.kind));
  return [
    ...(deployments.length === 0 ? [stop('install', 'the manifests have no Deployment', 'give the rendered chart of ASO (helm template)')] : []),
    ...deployments.filter(isBundledController).map((deployment) => stop('install', `the Deployment ${nameOf(deployment)} is this package's controller`, 'give the rendered chart of ASO (helm template)')),
    ...(azure.length > 0 ? [stop('install', `the manifests have Azure objects: ${firstOf(azure.map(nameOf), MOST_NAMED)}`, 'give the chart and the CRDs of ASO alone')] : []),
  ];
}
