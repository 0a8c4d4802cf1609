import { createHash } from 'node:crypto';
import { Api, ApiError } from '../api';
import { NAMESPACE } from './aso-names';
import { issueCertificates } from './cert-manager';
import { startController } from '../cluster';
import { isOk } from '../http';
import type { RunningProgram } from '../program';
import type { RealCluster } from '../real-cluster';

const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/azureserviceoperator-controller-manager`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const SETTINGS = `${SECRETS}/aso-controller-settings`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/controllers-leader-election-azinfra-generated`;

export interface KubeletOptions {
  /** Of this package's controller, on this machine. */
  readonly ports: { readonly health: number; readonly webhooks: number };
  /** ASO's pods come and go: its webhooks answer while there is one. */
  onAso(state: { readonly running: boolean; readonly mode: string | undefined }): void | Promise<void>;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean } };
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly secret?: { readonly secretName: string; readonly optional?: boolean } }[];
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly Variable[];
}

/** Plays the Deployment controller and the kubelet of the operator's Deployment: pods, rollouts, this package's controller as a process. */
export class Kubelet {
  public controller: RunningProgram | undefined;
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
          if (!(error instanceof ApiError) || ![403, 404, 409, 429].includes(error.status)) process.stderr.write(`kubelet: ${String(error)}\n`);
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
    await issueCertificates(this.api);
    const deployment = await this.api.find(DEPLOYMENT);
    const hash = deployment ? createHash('sha256').update(JSON.stringify(deployment.spec.template)).digest('hex').slice(0, 8) : '';
    const pods: any[] = (await this.api.send('GET', PODS, undefined, { labelSelector: 'control-plane=controller-manager' })).items;
    const old = pods.filter(({ metadata }) => metadata.labels.hash !== hash);
    for (const pod of old) {
      await this.api.send('DELETE', `${PODS}/${pod.metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    }
    // A container without its Secrets is created when they are there.
    if (hash !== this.current) {
      const starts = deployment && await this.hasSecrets(deployment.spec.template.spec);
      await this.replaceProgram(starts ? deployment : undefined, starts ? hash : '');
    }
    if (!deployment || old.length > 0) return;
    const { replicas, template } = deployment.spec;
    for (let i = pods.length; i < replicas; i += 1) {
      const labels = { ...template.metadata.labels, hash };
      const name = `pod-${hash}-${i}`;
      await this.api.send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: { ...template.spec, nodeName: 'none' } });
    }
    const ready = this.isRunning && (!this.controller || await isOk(`http://127.0.0.1:${this.options.ports.health}/readyz`)) ? replicas : 0;
    const { generation: observedGeneration } = deployment.metadata;
    const status = { observedGeneration, replicas, updatedReplicas: replicas, availableReplicas: ready, readyReplicas: ready };
    const before = deployment.status ?? {};
    if (Object.entries(status).every(([key, value]) => before[key] === value)) return;
    await this.api.send('PATCH', `${DEPLOYMENT}/status`, { status });
  }

  private get isRunning(): boolean {
    return this.current !== '';
  }

  /** Whether everything is there that the pod names and that is not optional. */
  private async hasSecrets({ containers, volumes = [] }: PodSpec): Promise<boolean> {
    const keys = containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    const whole = volumes.flatMap(({ secret }) => (secret ? { name: secret.secretName, key: undefined, optional: secret.optional } : []));
    for (const { name, key, optional } of [...keys, ...whole]) {
      if (optional) continue;
      const found = await this.api.find(`${SECRETS}/${name}`);
      if (!found || (key !== undefined && found.data?.[key] === undefined)) return false;
    }
    return true;
  }

  private async replaceProgram(deployment: any, hash: string): Promise<void> {
    await this.controller?.kill();
    this.controller = undefined;
    const container = deployment?.spec.template.spec.containers[0];
    const isAso = container?.image.includes('azureserviceoperator:') ?? false;
    const settings = container ? await this.settings() : {};
    const setting = (name: string): string | undefined => container && settingOf(container, name, settings);
    const mode = setting('AZURE_OPERATOR_MODE');
    // ASO ends: AZURE_TARGET_NAMESPACES must include watchers to specify target namespaces.
    const running = isAso && (mode !== 'webhooks' || !setting('AZURE_TARGET_NAMESPACES'));
    await this.options.onAso({ running, mode });
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
    const settings = await this.settings();
    const values = Object.keys(settings).map((key) => [key, settingOf(container, key, settings)]);
    const flags = container.args.filter((arg) => !arg.startsWith('--metrics-addr')).map((arg) => arg
      .replace(/^--health-addr=.*/, `--health-addr=127.0.0.1:${health}`)
      .replace(/^--webhook-port=9443$/, `--webhook-port=${webhooks}`));
    const given = (container.env ?? []).flatMap(({ name, value, valueFrom }) => (valueFrom || name === 'NODE_OPTIONS' ? [] : [[name, value ?? '']]));
    // The simulator's credential, where the Secret has none.
    const set = [...values, ...given].filter(([name, value]) => value !== '' && value !== undefined || name === 'AZURE_TARGET_NAMESPACES');
    const environment = { ...this.cluster.environment, ...Object.fromEntries(set) as Record<string, string> };
    this.controller = startController({ ...this.cluster, environment }, [...flags, '--metrics-addr=0']);
  }

  private async settings(): Promise<Readonly<Record<string, string>>> {
    const data = ((await this.api.find(SETTINGS))?.data ?? {}) as Record<string, string>;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
  }
}

/** As the pod has it: the API server leaves out an empty value. */
function settingOf({ env = [] }: Container, name: string, settings: Readonly<Record<string, string>>): string | undefined {
  const found = env.find((each) => each.name === name);
  const key = found?.valueFrom?.secretKeyRef?.key;
  return (key === undefined ? found?.value : settings[key]) || undefined;
}
