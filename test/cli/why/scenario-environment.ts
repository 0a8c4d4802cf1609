import { runCommandLine } from '../../../cli/command-line';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { startAzure, type AzureSimulator } from '../../../sandbox';
import { SETTINGS_DIGEST } from '../../../src/azure/annotations';
import { MortalController } from '../../e2e/kill/mortal-controller';
import { until } from '../../setup/until';
import { captured } from '../capture';
import { LiveCluster } from '../status/live-cluster';

export const OPERATOR_NAMESPACE = 'azureserviceoperator-system';
const TIME_SCALE = 60;
/** A resource group that is in Azure already. */
export const EXISTING_GROUP = 'there-already';

/** The part of `why --output json` that scenarios look at. */
export interface Why {
  readonly object: { readonly state: string; readonly reason: string };
  readonly cause?: {
    readonly code: string;
    readonly text: string;
    readonly object: { readonly kind: string; readonly name: string };
  };
  readonly chain: readonly { readonly object: string }[];
  readonly advice?: { readonly text: string; readonly commands: readonly string[] };
  readonly answer?: { readonly of: string; readonly code: string; readonly status?: number; readonly requestId?: string };
  readonly next?: { readonly by: string; readonly text: string };
}

/** `cdk8s-aso why`, for programs and for readers. */
export async function why(kubeconfig: string, object: string, namespace: string): Promise<{ readonly json: Why; readonly text: string }> {
  const run = async (...args: string[]) => {
    const terminal = captured();
    const status = await runCommandLine(['why', object, '-n', namespace, '--kubeconfig', kubeconfig, ...args], '0', terminal);
    if (status !== 0) throw new Error(`why ${object}: ${terminal.err.join('\n')}`);
    return terminal.out.join('\n');
  };
  return { json: JSON.parse(await run('--output', 'json')) as Why, text: await run() };
}

/** A Deployment of the controller, as it would be in a cluster. */
export function deployment(readyReplicas: number): KubernetesObject {
  const labels = { 'app.kubernetes.io/name': 'azure-service-operator', 'control-plane': 'controller-manager' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'azureserviceoperator-controller-manager', namespace: OPERATOR_NAMESPACE, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { [SETTINGS_DIGEST]: 'x' } },
        spec: { containers: [{ name: 'manager', image: 'example.azurecr.io/cdk8s-aso:1.0.0' }] },
      },
    },
    status: { readyReplicas },
  };
}

/** The embedded Kubernetes API, the simulated Azure, and the built controller as a process of its own. */
export class ScenarioEnvironment {
  public static async start(...kinds: string[]): Promise<ScenarioEnvironment> {
    const cluster = await LiveCluster.start(...kinds);
    const subscription = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
    const azure = await startAzure({
      timeScale: TIME_SCALE, seed: 'scenarios', existing: [`/subscriptions/${subscription}/resourceGroups/${EXISTING_GROUP}`],
    });
    const environment = {
      ...azure.env, AZURE_SUBSCRIPTION_ID: subscription, KUBECONFIG: cluster.kubeconfig, POD_NAMESPACE: OPERATOR_NAMESPACE,
    };
    const controller = new MortalController({ environment, timeScale: TIME_SCALE });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR_NAMESPACE } }, deployment(1));
    controller.start();
    await until('the controller reconciles', () => controller.works);
    return new ScenarioEnvironment(cluster, azure, controller);
  }

  private constructor(
    public readonly cluster: LiveCluster, public readonly azure: AzureSimulator, private readonly controller: MortalController,
  ) {}

  public async close(): Promise<void> {
    await this.controller.stop();
    await Promise.all([this.cluster.close(), this.azure.close()]);
  }
}

