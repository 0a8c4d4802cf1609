import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import { capzKinds, createOwnerCrds } from './kinds';
import { anonymousAccess, Connection } from '../../../engine/kubernetes';
import { startAzure, startKubernetes, type AzureSimulator } from '../../../sandbox';
import type { LoggedRequest } from '../cluster';
import { builtProgram, startProgram, type RunningProgram } from '../program';

/** So many of Azure's seconds pass in one: an AKS cluster is made in half a second. */
export const TIME_SCALE = 600;
const DELAY_SCALE = 600;
export const OPERATOR_NAMESPACE = 'capz-system';
export const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';

/** A management cluster with CAPZ's kinds, and this project's controller in it. */
export interface ManagementCluster {
  readonly api: Api;
  /** Resolves when the controller's webhooks answer, where there are any. */
  startController(settings?: Readonly<Record<string, string>>): Promise<void>;
  stopController(): Promise<void>;
  log(): string;
  close(): Promise<void>;
}

/** One Azure, and one or two management clusters. */
export interface CapzEnvironment {
  readonly management: ManagementCluster;
  /** The target of `clusterctl move`; where no cluster is moved, it may be the only one. */
  readonly second: ManagementCluster;
  /** Of the Secret that CAPZ writes for a cluster. */
  readonly credential: Readonly<Record<string, string>>;
  requests(): Promise<readonly LoggedRequest[]>;
  close(): Promise<void>;
}

/** Each resource is read once a second. */
const ALWAYS_SYNCHRONIZING = { AZURE_SYNC_PERIOD: '1s', DRIFT_DETECTION: 'individual' };

/** Starts the controllers again, as an upgrade does. */
export async function restart(
  { management, second }: CapzEnvironment, { isSynchronizing }: { readonly isSynchronizing: boolean },
): Promise<void> {
  for (const cluster of new Set([management, second])) {
    await cluster.stopController();
    await cluster.startController(isSynchronizing ? ALWAYS_SYNCHRONIZING : {});
  }
}

/** On embedded Kubernetes APIs: two, or one for clusters that stay where they are. */
export async function startEmbedded(
  existingGroups: readonly string[], { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<CapzEnvironment> {
  const azure = await startAzure({
    timeScale: TIME_SCALE, existing: existingGroups.map((name) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`),
  });
  const clusters = await Promise.all([startEmbeddedCluster(azure), ...(isAlone ? [] : [startEmbeddedCluster(azure)])]);
  const [management, second = management] = clusters;
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = azure.env;
  return {
    management,
    second,
    credential: { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET },
    requests: async () => azure.log() as readonly LoggedRequest[],
    close: async () => {
      await Promise.all(clusters.map((cluster) => cluster.close()));
      await azure.close();
    },
  };
}

async function startEmbeddedCluster(azure: AzureSimulator): Promise<ManagementCluster> {
  const kubernetes = await startKubernetes({ crds: capzKinds, defaultAzureName: true });
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-capz-'));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'capz-manager' });
  await createOwnerCrds(connection);
  const controllers = controllerIn({ ...azure.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: OPERATOR_NAMESPACE }, []);
  await controllers.startController();
  return {
    api: new Api(connection),
    ...controllers,
    close: async () => {
      await controllers.stopController();
      await Promise.all([connection.close(), kubernetes.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The built controller, which may be started again with other settings. */
export function controllerIn(
  environment: Readonly<Record<string, string>>, flags: readonly string[],
): Pick<ManagementCluster, 'startController' | 'stopController' | 'log'> {
  let running: RunningProgram | undefined;
  let earlier = '';
  return {
    startController: async (settings = {}) => {
      running = startProgram(builtProgram('controller'), ['--delay-scale', String(DELAY_SCALE), ...flags], {
        env: { PATH: process.env.PATH, ...environment, ...settings },
      });
    },
    stopController: async () => {
      earlier += running?.log() ?? '';
      await running?.kill();
      running = undefined;
    },
    log: () => earlier + (running?.log() ?? ''),
  };
}
