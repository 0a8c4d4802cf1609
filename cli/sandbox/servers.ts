import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from './options';
import { startAzure, startKubernetes, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import type { Kind } from '../../src/catalog';

type Environment = Readonly<Record<string, string | undefined>>;

/** The servers that the controller works on. */
export interface Servers {
  readonly kubernetesUrl: string;
  readonly kubeconfigFile: string;
  /** Undefined where the environment names another Azure. */
  readonly azure?: AzureSimulator | undefined;
  /**
   * Flags for a controller that works on it: time passes as fast for it as in the simulator, or in a stand-in of the user's on this
   * machine.
   */
  readonly controllerFlags: readonly string[];
  /** Variables that a controller needs in its environment, besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const FOREIGN_AZURE = [
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
  'AZURE_AUTHORITY_HOST',
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'NODE_EXTRA_CA_CERTS',
] as const;

export const CONTROLLER_NAMESPACE = 'azureserviceoperator-system';

/**
 * Starts the Kubernetes API and, unless the environment names an Azure, the simulator; writes the files that a controller reads.
 * @param crds the kinds that it serves; default: all of the catalog
 */
export async function startServers(options: SandboxOptions, environment: Environment, crds?: readonly Kind[]): Promise<Servers> {
  const aksKubeconfig = options.aksKubeconfig === undefined ? undefined : readFileSync(options.aksKubeconfig, 'utf8');
  const simulate = !environment.AZURE_RESOURCE_MANAGER_ENDPOINT;
  const kubernetes = await startKubernetes({
    ...(options.kubernetesPort === undefined ? {} : { port: options.kubernetesPort }),
    ...(crds && { crds }),
  });
  const { tokens } = kubernetes;
  const azure = simulate
    ? await startAzure({
      ...(options.azurePort === undefined ? {} : { port: options.azurePort }),
      timeScale: options.timeScale,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      existing: options.existing,
      ...(options.allowForeignScopes === undefined ? {} : { allowForeignScopes: options.allowForeignScopes }),
      ...(options.principalDelay === undefined ? {} : { principalDelaySeconds: options.principalDelay }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.azureRules === undefined ? {} : { rules: options.azureRules }),
      ...(aksKubeconfig === undefined ? {} : { aksKubeconfig }),
      ...(options.azureTypes === undefined ? {} : { azureTypes: options.azureTypes }),
      ...(options.contrary === undefined ? {} : { contrary: options.contrary === true ? String(randomInt(1_000_000)) : options.contrary }),
      // The files name the issuers of real clusters; this one stands for all of them.
      federation: { issuers: [{ issuer: tokens.issuer, keys: () => tokens.jwks, standsForAll: true }] },
    })
    : undefined;
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-sandbox-'));
  const kubeconfigFile = options.kubeconfig ?? join(directory, 'kubeconfig');
  writeFileSync(kubeconfigFile, kubernetes.kubeconfig(), { mode: 0o600 });
  const tokenFile = join(directory, 'federated-token');
  writeFileSync(tokenFile, controllerToken(kubernetes), { mode: 0o600 });
  const given = Object.fromEntries(FOREIGN_AZURE.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  return {
    kubernetesUrl: kubernetes.url,
    kubeconfigFile,
    azure,
    controllerFlags:
      simulate || isLoopback(environment.AZURE_RESOURCE_MANAGER_ENDPOINT!) ? ['--delay-scale', String(options.timeScale)] : [],
    environment: {
      ...(azure ? azure.env : given),
      // Workload identity: there is no kubelet that would put the service account's token there.
      AZURE_FEDERATED_TOKEN_FILE: environment.AZURE_FEDERATED_TOKEN_FILE && !azure ? environment.AZURE_FEDERATED_TOKEN_FILE : tokenFile,
      ...workloadIdentityMode(options, environment),
      KUBECONFIG: kubeconfigFile,
      POD_NAMESPACE: CONTROLLER_NAMESPACE,
      NO_PROXY: ['localhost', '127.0.0.1', environment.NO_PROXY ?? environment.no_proxy].filter(Boolean).join(','),
    },
    close: async () => {
      await Promise.all([kubernetes.close(), azure?.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Of the settings of an Azure that is not meant, this one is kept: it says how the controller of the cluster signs in. */
function workloadIdentityMode(
  { strict }: SandboxOptions,
  { AZURE_WORKLOAD_IDENTITY_AUTH_MODE: inherited }: Environment,
): Record<string, string> {
  const mode = strict ? 'strict' : inherited;
  return mode ? { AZURE_WORKLOAD_IDENTITY_AUTH_MODE: mode } : {};
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

/** The token that the kubelet would put into the controller's pod; it is not renewed here, so it lasts longer than any sandbox. */
function controllerToken({ tokens }: SandboxKubernetes): string {
  return tokens.token(
    { namespace: CONTROLLER_NAMESPACE, name: 'azureserviceoperator-default' },
    ['api://AzureADTokenExchange'],
    365 * 24 * 3600,
  );
}

/** `NAME=value` lines, for `set -a; . FILE`. */
export function environmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment).map(([name, value]) => `${name}='${value.replace(/'/g, '\'\\\'\'')}'\n`).join('');
}
