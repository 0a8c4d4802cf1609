import { createHash } from 'node:crypto';
import { Api, ApiError } from './api';
import { NAMESPACE } from './aso-installation';
import { startController, type RunningController } from '../cluster';
import { isOk } from '../http';
import type { RealCluster } from '../real-cluster';

const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/azureserviceoperator-controller-manager`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const SETTINGS = `/api/v1/namespaces/${NAMESPACE}/secrets/aso-controller-settings`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/controllers-leader-election-azinfra-generated`;

export interface KubeletOptions {
  /** Of this package's controller, on this machine. */
  readonly ports: { readonly health: number; readonly webhooks: number };
  /** ASO's pods come and go: its webhooks answer while there is one. */
  onAso(state: { readonly running: boolean; readonly mode: string | undefined }): void | Promise<void>;
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** Plays the Deployment controller and the kubelet of the operator's Deployment: pods, rollouts, this package's controller as a process. */
export class Kubelet {
  public controller: RunningController | undefined;
  private readonly api: Api;
  private stopped = false;
  private running: Promise<void> | undefined;
  private current = '';

  public constructor(private readonly cluster: RealCluster, private readonly options: KubeletOptions) {
    this.api = new Api(cluster.connection);
  }

  public start(): void {
    this.running = (async () => {
      while (!this.stopped) {
        await this.step().catch((error: unknown) => {
          if (!(error instanceof ApiError) || ![404, 409, 429].includes(error.status)) process.stderr.write(`kubelet: ${String(error)}\n`);
        });
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.controller?.kill();
  }

  private async step(): Promise<void> {
    const deployment = await this.api.find(DEPLOYMENT);
    const hash = deployment ? createHash('sha256').update(JSON.stringify(deployment.spec.template)).digest('hex').slice(0, 8) : '';
    const pods: any[] = (await this.api.send('GET', PODS, undefined, { labelSelector: 'control-plane=controller-manager' })).items;
    const old = pods.filter(({ metadata }) => metadata.labels.hash !== hash);
    for (const pod of old) {
      await this.api.send('DELETE', `${PODS}/${pod.metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    }
    if (hash !== this.current) await this.replaceProgram(deployment, hash);
    if (!deployment || old.length > 0) return;
    const { replicas, template } = deployment.spec;
    for (let i = pods.length; i < replicas; i += 1) {
      const labels = { ...template.metadata.labels, hash };
      const name = `pod-${hash}-${i}`;
      await this.api.send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: { ...template.spec, serviceAccountName: 'default', nodeName: 'none' } });
    }
    const ready = !this.controller || await isOk(`http://127.0.0.1:${this.options.ports.health}/readyz`) ? replicas : 0;
    const { generation: observedGeneration } = deployment.metadata;
    const status = { observedGeneration, replicas, updatedReplicas: replicas, availableReplicas: ready, readyReplicas: ready };
    const before = deployment.status ?? {};
    if (Object.entries(status).every(([key, value]) => before[key] === value)) return;
    await this.api.send('PATCH', `${DEPLOYMENT}/status`, { status });
  }

  private async replaceProgram(deployment: any, hash: string): Promise<void> {
    await this.controller?.kill();
    this.controller = undefined;
    const container = deployment?.spec.template.spec.containers[0];
    const isAso = container?.image.includes('azureserviceoperator:') ?? false;
    const mode = container?.env.find(({ name }: { name: string }) => name === 'AZURE_OPERATOR_MODE')?.value;
    await this.options.onAso({ running: isAso, mode });
    if (isAso) {
      const spec = { holderIdentity: `pod-${hash}-0_uid`, leaseDurationSeconds: 15, renewTime: new Date().toISOString().replace('Z', '000Z') };
      const lease = await this.api.find(LEASE);
      const metadata = { name: LEASE.split('/').pop(), namespace: NAMESPACE };
      if (lease) await this.api.send('PUT', LEASE, { ...lease, spec });
      else await this.api.send('POST', LEASE.slice(0, LEASE.lastIndexOf('/')), { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
    } else if (container) {
      await this.startOurs(container);
    }
    this.current = hash;
  }

  private async startOurs(container: Container): Promise<void> {
    const { health, webhooks } = this.options.ports;
    const settings = (await this.api.send('GET', SETTINGS)).data as Record<string, string>;
    const values = Object.entries(settings).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]).filter(([, value]) => value !== '');
    const flags = container.args.filter((arg) => !arg.startsWith('--metrics-addr')).map((arg) => arg
      .replace(/^--health-addr=.*/, `--health-addr=127.0.0.1:${health}`)
      .replace(/^--webhook-port=9443$/, `--webhook-port=${webhooks}`));
    const given = (container.env ?? []).flatMap(({ name, value }) => (value === undefined || name === 'NODE_OPTIONS' ? [] : [[name, value]]));
    const environment = { ...this.cluster.environment, ...Object.fromEntries([...values, ...given]) as Record<string, string> };
    this.controller = startController({ ...this.cluster, environment }, [...flags, '--metrics-addr=0']);
  }
}
