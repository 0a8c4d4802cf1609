import { releaseOf } from './asos-installation';
import { readClusterState, type ClusterState } from './cluster-state';
import { credentialFindings } from './credential-findings';
import { deployerFindings } from './deployer-findings';
import type { Finding } from './finding';
import { grantFindings, installRights } from './install-rights';
import { sortCrds } from './migrated-kinds';
import { rightsFindings, rightsNeeded } from './rights';
import { settingsFindings } from './settings-findings';
import { asoDeployment, findingsOf } from './state-findings';
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
  const findings = [...findingsOf(state, install, catalog)];
  if (!deployment || namespace === undefined) {
    const traces = state.controllers.length === 0 ? await traceFindings(client, state.crds) : [];
    return { findings: traces.length > 0 ? [...findings.filter(({ check }) => check !== 'installation' && check !== 'crds'), ...traces] : findings, state };
  }
  const installed = await installRights(client, install);
  findings.push(...installed.findings);
  if (installed.findings.length === 0) findings.push(...await grantFindings(connection, client, install));
  findings.push(...await rightsFindings(client, [...rightsNeeded(namespace, state.crds.migrated), ...installed.rights]));
  findings.push(...await settingsFindings(client, deployment, install));
  findings.push(...await deployerFindings(client, deployment));
  findings.push(...await credentialFindings(client, namespace, state.kinds));
  const helmRelease = deployersOf(deployment).find(({ by }) => by === 'Helm')?.name;
  const release = releaseOf(deployment) ?? '';
  const asoRelease = RELEASE.test(release) ? release : undefined;
  return { findings, state, namespace, ...(helmRelease !== undefined && { helmRelease }), ...(asoRelease !== undefined && { asoRelease }) };
};
