import { App, Chart, Testing } from 'cdk8s';
import { Api } from './api';
import { OPERATOR_NAMESPACE, SUBSCRIPTION, TIME_SCALE, type CapzEnvironment, type ManagementCluster } from './environment';
import { capzKinds, createOwnerCrds } from './kinds';
import { BundledController, ControllerKinds } from '../../../src/operator';
import { IMAGE, type Manifest } from '../../operator/app';
import { installForReal, type Controller } from '../../operator/real-install';
import { until } from '../../setup/until';
import type { LoggedRequest, TestCluster } from '../cluster';
import { startReal, type RealCluster } from '../real-cluster';

/** On real kube-apiservers, with the installation of docs/capz.md: its rights, its CRDs in all versions, its webhooks. */
export async function startOnReal(existingGroups: readonly string[]): Promise<CapzEnvironment> {
  const azureFlags = existingGroups.flatMap((name) => ['--existing', `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`]);
  const [first, other] = await Promise.all([startReal({ timeScale: TIME_SCALE, azureFlags }), startReal({ timeScale: TIME_SCALE })]);
  const { environment: azure } = first;
  const [management, second] = await Promise.all([install(first, azure), install(other, azure)]);
  const value = (name: string) => azure[name]!;
  return {
    management,
    second,
    credential: Object.fromEntries(
      ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'].map((name) => [name, value(name)]),
    ),
    requests: async () => (await first.azure('/__requests')).requests as readonly LoggedRequest[],
    close: async () => {
      await Promise.all([management.close(), second.close()]);
      await Promise.all([first.close(), other.close()]);
    },
  };
}

async function install(cluster: RealCluster, azure: Readonly<Record<string, string>>): Promise<ManagementCluster> {
  const { KUBECONFIG, AZURE_FEDERATED_TOKEN_FILE } = cluster.environment;
  const under: TestCluster & RealCluster = {
    ...cluster, environment: { ...azure, KUBECONFIG: KUBECONFIG!, AZURE_FEDERATED_TOKEN_FILE: AZURE_FEDERATED_TOKEN_FILE! },
  };
  const installed = await installForReal(under, manifests());
  await createOwnerCrds(cluster.connection);
  let running: Controller = installed.start();
  let earlier = '';
  const api = new Api(cluster.connection);
  const probe = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'probe' } };
  const webhooksAnswer = () => until('the webhooks answer', async () => {
    const made = await api.tryCreate({ ...probe, spec: { location: 'uksouth' } }).catch(() => undefined);
    return made !== undefined;
  });
  await webhooksAnswer();
  return {
    api,
    startController: async (settings) => {
      running = installed.start(settings);
      await webhooksAnswer();
    },
    stopController: async () => {
      earlier += running.log();
      // The Lease is given back.
      await running.stop();
    },
    log: () => earlier + running.log(),
    close: () => installed.close(),
  };
}

/** The installation that docs/capz.md describes. */
function manifests(): readonly Manifest[] {
  const chart = new Chart(Testing.app() as App, 'controller');
  new BundledController(chart, 'controller', {
    image: IMAGE,
    namespace: OPERATOR_NAMESPACE,
    kinds: ControllerKinds.of(...capzKinds.map(({ group, kind }) => `${group}/${kind}`)),
  });
  return Testing.synth(chart) as Manifest[];
}
