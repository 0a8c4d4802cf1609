import { releaseOf } from './asos-installation';
import { readClusterState, type ClusterState } from './cluster-state';
import { controllerRightFindings } from './controller-rights';
import { credentialFindings } from './credential-findings';
import { deployerFindings } from './deployer-findings';
import type { Finding } from './finding';
import { helmFindings } from './helm-findings';
import { grantFindings, installRights } from './install-rights';
import { sortCrds } from './migrated-kinds';
import { podReferenceFindings } from './pod-references';
import { policyProbes, probeFindings } from './policy-probe';
import { readinessFindings } from './readiness-findings';
import { rehearseFromAso } from './rehearsal/from-aso';
import { removalFindings } from './removal-findings';
import { rightsFindings, rightsNeeded } from './rights';
import { settingsFindings } from './settings-findings';
import { asoDeployment, findingsOf } from './state-findings';
import { namedObjects } from './steps/remove-aso';
import { traceFindings } from './trace-findings';
import type { Connection, RestClient } from '../../engine/kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { Catalog } from '../../src/catalog';
import { deployersOf } from '../cluster/deployers';

const RELEASE = /^v\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** Everything that a migration has to know before it begins. */
export interface Preflight {
  readonly findings: readonly Finding[];
  readonly state: ClusterState;
  /** The operator's namespace; undefined: ASO was not found. */
  readonly namespace?: string;
  readonly helmRelease?: string;
  /** The release of ASO that is there; undefined: it is not known, or there is none. */
  readonly asoRelease?: string;
}

/** A look at a cluster before a migration, which changes nothing. @throws KubernetesError where the cluster does not answer */
export type LookAt = (
  connection: Connection, client: RestClient, install: readonly KubernetesObject[], catalog: Catalog, now: () => number,
) => Promise<Preflight>;

export const preflightFromAso: LookAt = async (connection, client, install, catalog, now) => {
  const sort = (crds: readonly KubernetesObject[]) => sortCrds(crds, install, catalog);
  const state = await readClusterState({ connection, client, now, sort, converted: ({ to }) => to });
  const deployment = asoDeployment(state);
  const namespace = deployment?.metadata.namespace;
  const findings = [...findingsOf(state, install, catalog), ...readinessFindings(state.kinds)];
  if (!deployment || namespace === undefined) {
    const traces = state.controllers.length === 0 ? await traceFindings(client, state.crds) : [];
    return { findings: traces.length > 0 ? [...findings.filter(({ check }) => check !== 'installation' && check !== 'crds'), ...traces] : findings, state };
  }
  const installed = await installRights(client, install);
  findings.push(...installed.findings);
  if (installed.findings.length === 0) findings.push(...await grantFindings(connection, client, install));
  const rights = await rightsFindings(client, [...rightsNeeded(namespace, state.crds.migrated), ...installed.rights]);
  findings.push(...rights);
  findings.push(...await settingsFindings(client, deployment, install));
  findings.push(...await deployerFindings(client, deployment));
  findings.push(...await credentialFindings(client, namespace, state.kinds));
  const helmRelease = deployersOf(deployment).find(({ by }) => by === 'Helm')?.name;
  const release = releaseOf(deployment) ?? '';
  const found: Preflight = {
    findings, state, namespace, ...(helmRelease !== undefined && { helmRelease }), ...(RELEASE.test(release) && { asoRelease: release }),
  };
  // Without the rights for it, a dry run tells nothing else.
  if (rights.some(({ severity }) => severity === 'stop')) return found;
  const removed = await namedObjects(client, namespace);
  const crds = state.crds.migrated.flatMap(({ crd }) => state.installed.get(crd) ?? []);
  findings.push(...await helmFindings(client, namespace, helmRelease, crds, removed));
  findings.push(...removalFindings(removed));
  const going = new Set(removed.map(({ type, name }) => `${type.kind} ${name}`));
  findings.push(...await podReferenceFindings(client, install, going));
  findings.push(...await controllerRightFindings(client, install, state.kinds, going));
  findings.push(...await probeFindings(connection, namespace, policyProbes(state.crds.migrated, (name) => state.installed.get(name))));
  if (installed.findings.length === 0) {
    findings.push(...await rehearseFromAso({ client, catalog, namespace, deployment, state, install, removed, now }));
  }
  return found;
};
