import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiServerUsage, type ApiServerUsage } from './api-server-usage';
import { FlakyLink } from './flaky-link';
import { crowd } from './teams';
import { usageOf, type Usage } from './usage';
import {
  anonymousAccess,
  Connection,
  loadClusterAccess,
  objectPath,
  RestClient,
  type KubernetesObject,
  type ResourceType,
} from '../../../engine/kubernetes';
import type { AzureEnvironment, AzureOptions, Fault } from '../../../sandbox/azure';
import { Catalog, type Kind } from '../../../src/catalog';
import { startReal } from '../../../test/e2e/real-cluster';
import { Servers } from '../../../test/e2e/servers';

/** A request that Azure was sent. */
export interface AzureRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  /** Whether it asked for the state of a long-running operation. */
  readonly poll?: boolean;
  readonly created?: boolean;
}

export interface BenchEnvironmentOptions {
  readonly kubernetes: 'embedded' | 'real';
  /** `group/Kind`: whose CRDs are installed, by a real API server in the versions in use; absent: all, in all versions. */
  readonly kinds?: readonly string[] | undefined;
  /** So many of Azure's seconds pass in one. */
  readonly speed: number;
  /** The longest that a watch of the embedded API lasts. */
  readonly watchSeconds?: number;
  readonly azure?: Partial<AzureOptions>;
  /** Between the controller and the Kubernetes API is a link that can be cut. */
  readonly link?: boolean;
}

/** The two servers that a controller works on, each a process of its own. */
export interface BenchEnvironment {
  readonly connection: Connection;
  readonly client: RestClient;
  /** As the objects of teams have them. */
  readonly usedTypes: readonly ResourceType[];
  /** The environment variables of a controller. */
  readonly environment: Readonly<Record<string, string>>;
  readonly azure: AzureEnvironment;
  /** How much the servers have used; of a real Kubernetes this is not known. */
  usage(): Readonly<Record<string, Usage>>;
  /** The usage of a real API server and its etcd, by its own metrics; undefined: it is the embedded one. */
  apiServer(): Promise<ApiServerUsage | undefined>;
  /** The requests to Azure from a number on. */
  requests(since?: number): Promise<AzureRequest[]>;
  /** Ids of all resources in Azure. */
  resources(): Promise<string[]>;
  /** Something goes wrong in Azure; undefined: nothing goes wrong any more. */
  fault(fault?: Fault): Promise<void>;
  /** With `link`: the controller loses all its connections to the Kubernetes API, and gets no new one for so many milliseconds. */
  cut(milliseconds: number): void;
  /** The embedded API forgets its history: watches that begin again are answered 410. */
  compact(): void;
  typeOf(object: KubernetesObject): ResourceType;
  /** Server-side apply. */
  apply(object: KubernetesObject): Promise<void>;
  close(): Promise<void>;
}

/** Objects enough for one of each kind. */
const SAMPLE = 100;
const NOBODY = { tenantId: '', clientId: '', clientSecret: '' };

/** `group/Kind` of all that teams have. */
export function kindsInUse(): string[] {
  return [...new Set(crowd('sample', SAMPLE, 0, NOBODY).objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`))];
}

/** The version of a kind in which the objects of teams are written: all that `cdk8s-aso crds` would let its CRD serve. */
function usedVersions({ group, kind, versionNames }: Kind): readonly string[] {
  const used = crowd('sample', SAMPLE, 0, NOBODY).objects.filter((object) => object.kind === kind).map(({ apiVersion }) => apiVersion);
  return versionNames.filter((version) => used.includes(`${group}/${version}`));
}

const NAMESPACE = 'azureserviceoperator-system';

export async function startEnvironment(options: BenchEnvironmentOptions): Promise<BenchEnvironment> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-bench-'));
  const servers = new Servers(directory);
  try {
    const azure = await program<{ administration: string; env: AzureEnvironment }>(servers, directory, 'azure', {
      timeScale: options.speed,
      seed: 'bench',
      ...options.azure,
    });
    const kubernetes = options.kubernetes === 'embedded' ? await embedded(servers, directory, options) : await real(options);
    const { connection } = kubernetes;
    const client = new RestClient(connection);
    const types = await client.discover();
    const typeOf = ({ apiVersion, kind }: KubernetesObject): ResourceType => {
      const found = types.find((type) => [type.group, type.version].filter(Boolean).join('/') === apiVersion && type.kind === kind);
      if (!found) throw new Error(`the cluster does not serve ${kind} of ${apiVersion}`);
      return found;
    };
    const link = options.link ? await linkTo(directory, kubernetes.kubeconfig) : undefined;
    const kubeconfig = link?.kubeconfig ?? kubernetes.kubeconfig;
    const json = async <T>(path: string) => (await fetch(`${azure.administration}${path}`)).json() as Promise<T>;
    return {
      connection,
      client,
      usedTypes: crowd('sample', SAMPLE, 0, NOBODY).objects.map(typeOf).filter((type, index, all) => all.indexOf(type) === index),
      typeOf,
      azure: azure.env,
      environment: { ...azure.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: NAMESPACE },
      fault: async (fault) => void (await json(`/fault${fault ? `?${encodeURIComponent(JSON.stringify(fault))}` : ''}`)),
      cut: (milliseconds) => link?.link.cut(milliseconds),
      usage: () => ({ azure: usageOf(azure.pid), ...(kubernetes.pid === undefined ? {} : { kubernetes: usageOf(kubernetes.pid) }) }),
      apiServer: async () => (options.kubernetes === 'real' ? apiServerUsage(connection) : undefined),
      requests: (since = 0) => json<AzureRequest[]>(`/requests?since=${since}`),
      resources: () => json<string[]>('/resources'),
      compact: () => void (kubernetes.pid !== undefined && process.kill(kubernetes.pid, 'SIGUSR2')),
      apply: (object) => apply(connection, typeOf(object), object),
      close: async () => {
        await Promise.all([connection.close(), link?.link.close()]);
        await Promise.all([servers.close(), kubernetes.close()]);
      },
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

interface Kubernetes {
  readonly connection: Connection;
  readonly kubeconfig: string;
  readonly pid?: number;
  close(): Promise<void>;
}

async function embedded(servers: Servers, directory: string, { kinds, watchSeconds }: BenchEnvironmentOptions): Promise<Kubernetes> {
  const { url, kubeconfig, pid } = await program<{ url: string; kubeconfig: string }>(servers, directory, 'kubernetes', {
    kinds,
    watchSeconds,
  });
  const file = join(directory, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const connection = new Connection(anonymousAccess(url), { userAgent: 'bench' });
  return { connection, kubeconfig: file, pid, close: async () => undefined };
}

async function real({ kinds }: BenchEnvironmentOptions): Promise<Kubernetes> {
  const { allKinds } = Catalog.default();
  const cluster = await startReal(kinds
    ? { kinds: allKinds.filter(({ group, kind }) => kinds.includes(`${group}/${kind}`)), versionsOf: usedVersions }
    : { kinds: allKinds });
  const connection = new Connection(await loadClusterAccess({ path: cluster.kubeconfig }), { userAgent: 'bench' });
  return {
    connection,
    kubeconfig: cluster.kubeconfig,
    close: async () => {
      await connection.close();
      await cluster.close();
    },
  };
}

/** Starts one of the programs beside this file, and answers what it says of itself. */
async function program<T>(servers: Servers, directory: string, name: string, options: object): Promise<T & { readonly pid: number }> {
  // Where tsx itself has loaded this file, what it resolves has a query.
  const loader = pathToFileURL(require.resolve('tsx').replace(/\?.*$/, '')).href;
  const said = () => servers.log(name).split('\n').find((line) => line.startsWith('{') && line.endsWith('}'));
  await servers.start({
    name,
    program: process.execPath,
    args: ['--import', loader, join(__dirname, 'programs', `${name}.ts`), JSON.stringify(options)],
    env: { TMPDIR: directory },
  }, () => said() !== undefined);
  return JSON.parse(said()!) as T & { pid: number };
}

async function apply(connection: Connection, type: ResourceType, object: KubernetesObject): Promise<void> {
  const { status, text } = await connection.request({
    method: 'PATCH',
    path: objectPath(type, object.metadata.name, object.metadata.namespace),
    query: { fieldManager: 'bench', force: true, fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(object),
  });
  if (status >= 300) throw new Error(`${object.kind} ${object.metadata.name} was refused: ${text}`);
}

/** A link to the server of a kubeconfig, and a kubeconfig that goes through it. */
async function linkTo(directory: string, kubeconfig: string): Promise<{ readonly link: FlakyLink; readonly kubeconfig: string }> {
  const text = readFileSync(kubeconfig, 'utf8');
  const [server, port] = /https?:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
  if (!server || !port) throw new Error(`${kubeconfig} names no server on this machine`);
  const link = await FlakyLink.to('127.0.0.1', Number(port));
  const file = join(directory, 'kubeconfig-through-link');
  writeFileSync(file, text.replaceAll(server, server.replace(port, String(link.port))), { mode: 0o600 });
  return { link, kubeconfig: file };
}
