import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { one, type Manifest } from './app';
import { kubectl, startController } from '../e2e/cluster';
import type { RealCluster } from '../e2e/real-cluster';
import { freePorts } from '../e2e/servers';

export interface RealInstall {
  readonly namespace: string;
  readonly ports: { readonly health: number; readonly metrics: number; readonly webhooks: number };
  /** Another controller process, as the service account of the installation, with its arguments and settings, and more settings. */
  start(more?: Readonly<Record<string, string>>): Controller;
  /** The token of a service account. */
  token(namespace: string, name: string): Promise<string>;
  /** Ends all processes and removes the files. */
  close(): Promise<void>;
}

interface PodSpec {
  readonly containers: readonly { readonly args: readonly string[] }[];
  readonly serviceAccountName: string;
}

export type Controller = ReturnType<typeof startController>;

/**
 * Applies an installation to a real kube-apiserver, as it is, but for one thing: no network leads from the API server to a Service, so the
 * Service of the webhooks leads to this machine instead, where the tests run what the Deployment would.
 */
export async function installForReal(cluster: RealCluster, manifests: readonly Manifest[]): Promise<RealInstall> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-install-'));
  const [health, metrics, webhooks] = await freePorts(3);
  const file = join(directory, 'install.json');
  const apply = (items: readonly Manifest[]) => {
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items.map((manifest) => reachable(manifest, webhooks!)) }));
    kubectl(cluster, 'apply', '--server-side', '-f', file);
  };
  // Webhooks are called from the moment on when they are there.
  const isCrd = ({ kind }: Manifest) => kind === 'CustomResourceDefinition';
  apply(manifests.filter((manifest) => !isCrd(manifest)));
  if (manifests.some(isCrd)) apply(manifests.filter(isCrd));
  const deployment = one(manifests, 'Deployment');
  const { namespace = '' } = deployment.metadata;
  const { containers: [container], serviceAccountName } = (deployment.spec.template.spec as PodSpec)!;
  const token = async (inNamespace: string, name: string): Promise<string> => {
    const { status, text } = await cluster.connection.request({
      method: 'POST',
      path: `/api/v1/namespaces/${inNamespace}/serviceaccounts/${name}/token`,
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
    });
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { status: { token: string } }).status.token;
  };
  const kubeconfig = join(directory, 'kubeconfig');
  const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as object;
  const users = [{ name: 'user', user: { token: await token(namespace, serviceAccountName) } }];
  writeFileSync(kubeconfig, JSON.stringify({ ...config, users }), { mode: 0o600 });
  const settings = one(manifests, 'Secret').stringData as Record<string, string>;
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  const flags = container!.args.map((arg) => arg
    .replace(/^--health-addr=.*/, `--health-addr=127.0.0.1:${health}`)
    .replace(/^--metrics-addr=:.*/, `--metrics-addr=127.0.0.1:${metrics}`)
    .replace(/^--webhook-port=9443$/, `--webhook-port=${webhooks}`));
  const running = new Set<Controller>();
  return {
    namespace,
    ports: { health: health!, metrics: metrics!, webhooks: webhooks! },
    token,
    start: (more = {}) => {
      const environment = { ...cluster.environment, ...given, ...more, KUBECONFIG: kubeconfig, POD_NAMESPACE: namespace };
      // Some denials are logged at the last level only.
      const controller = startController({ ...cluster, environment }, [...flags, '--verbose=3']);
      running.add(controller);
      return controller;
    },
    close: async () => {
      await Promise.all([...running].map((controller) => controller.kill()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The manifest with its Service, or its webhook configuration, leading to a port of this machine. */
export function reachable(manifest: Manifest, port: number): Manifest {
  if (manifest.kind === 'Service' && manifest.metadata.name === 'azureserviceoperator-webhook-service') {
    return { ...manifest, spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ name: 'webhooks', port }] } };
  }
  return JSON.parse(JSON.stringify(manifest), (key, value) =>
    key === 'clientConfig' ? { ...value, service: { ...value.service, port } } : value,
  ) as Manifest;
}
