import { accessSync, readFileSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node/dist/config_types.js';
import type { ClusterAccess } from './connection';
import { userAccess } from './user-access';
import { firstDocumentOf } from '../yaml/yaml-documents';

/** Enough for the certificates of more than a thousand clusters. */
const LARGEST_FILE_BYTES = 8 * 1024 * 1024;
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A kubeconfig that cannot be read or does not determine the cluster. */
export class KubeconfigError extends Error {
  public constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KubeconfigError';
  }
}

export interface KubeconfigOptions {
  /** `--kubeconfig`; takes precedence over everything else. */
  readonly path?: string | undefined;
  /** Context to use instead of the current one. */
  readonly context?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Access in the precedence of controller-runtime: the given path, `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
export async function loadClusterAccess(options: KubeconfigOptions = {}): Promise<ClusterAccess> {
  const environment = options.environment ?? process.env;
  const paths = options.path ? [options.path] : (environment.KUBECONFIG ?? '').split(delimiter).filter(Boolean);
  if (paths.length > 0) return accessOf(await readFiles(paths), options.context, paths.join(delimiter));
  if (environment.KUBERNETES_SERVICE_HOST && readable(`${SERVICE_ACCOUNT}/token`)) return inClusterAccess(environment);
  const home = join(environment.HOME ?? homedir(), '.kube', 'config');
  if (readable(home)) return accessOf(await readFiles([home]), options.context, home);
  throw new KubeconfigError('no cluster to connect to: give --kubeconfig FILE or set KUBECONFIG; outside a pod there is no service account, and there is no ~/.kube/config');
}

/** The service account of the pod; its token is read again every minute. */
export async function inClusterAccess(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  root: string = SERVICE_ACCOUNT,
): Promise<ClusterAccess> {
  const host = environment.KUBERNETES_SERVICE_HOST;
  const port = environment.KUBERNETES_SERVICE_PORT ?? '443';
  if (!host) throw new KubeconfigError('not in a pod: KUBERNETES_SERVICE_HOST is not set');
  const namespace = readable(`${root}/namespace`) ? readFileSync(`${root}/namespace`, 'utf8').trim() : undefined;
  const cluster: Cluster = {
    name: 'inCluster', server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`, caFile: `${root}/ca.crt`, skipTLSVerify: false,
  };
  return userAccess(cluster, { name: 'inCluster', authProvider: tokenFile(`${root}/token`) }, namespace);
}

interface Loaded {
  readonly clusters: readonly Cluster[];
  readonly users: readonly User[];
  readonly contexts: readonly Context[];
  readonly current?: string | undefined;
}

async function readFiles(paths: readonly string[]): Promise<Loaded> {
  const files = await Promise.all(paths.map((path) => readOne(path)));
  // Merges like kubectl: of two entries with one name the first wins.
  return {
    clusters: firstByName(files.flatMap((file) => file.clusters)),
    users: firstByName(files.flatMap((file) => file.users)),
    contexts: firstByName(files.flatMap((file) => file.contexts)),
    current: files.find((file) => file.current)?.current,
  };
}

async function readOne(path: string): Promise<Loaded> {
  // Loaded lazily, and only these two modules: the package's index loads the generated API (1.8 MB).
  const { newClusters, newContexts, newUsers } = await import('@kubernetes/client-node/dist/config_types.js');
  const raw = rawOf(path);
  const directory = dirname(resolve(path));
  const absolute = (file: string) => (isAbsolute(file) ? file : join(directory, file));
  try {
    return {
      clusters: newClusters(raw.clusters).map((cluster) => ({ ...cluster, ...(cluster.caFile && { caFile: absolute(cluster.caFile) }) })),
      users: newUsers(withoutTokenFiles(raw.users)).map((user, index) => {
        const { token, ...others } = user;
        const file = raw.users?.[index]?.user?.tokenFile;
        return {
          ...others,
          ...(file ? { authProvider: tokenFile(absolute(file)) } : token === undefined ? {} : { token }),
          ...(user.certFile && { certFile: absolute(user.certFile) }),
          ...(user.keyFile && { keyFile: absolute(user.keyFile) }),
        };
      }),
      contexts: newContexts(raw.contexts),
      current: raw['current-context'] || undefined,
    };
  } catch (error) {
    throw new KubeconfigError(`kubeconfig ${path}: ${(error as Error).message}`);
  }
}

function rawOf(path: string): RawKubeconfig {
  try {
    if (statSync(path).size > LARGEST_FILE_BYTES) throw new KubeconfigError(`it is larger than ${LARGEST_FILE_BYTES / 1024 / 1024} MiB`);
    const document = firstDocumentOf(readFileSync(path, 'utf8'), { logLevel: 'error' });
    if (document && document.errors.length > 0) throw document.errors[0];
    return (document?.toJS() ?? {}) as RawKubeconfig;
  } catch (error) {
    const { code } = error as { code?: string };
    // Omits the parser's own message, which may quote a line with a token.
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code?.startsWith('E')
          ? code
          : error instanceof KubeconfigError
            ? error.message
            : 'it is no YAML';
    throw new KubeconfigError(`kubeconfig ${path} cannot be read: ${why}`);
  }
}

interface RawKubeconfig {
  readonly 'clusters'?: unknown[];
  readonly 'contexts'?: unknown[];
  readonly 'users'?: { readonly name?: string; readonly user?: Record<string, string> & { readonly tokenFile?: string } }[];
  readonly 'current-context'?: string;
}

/** Drops token files: the library knows only `token-file` and reads it once; kubectl's name is `tokenFile`, and such tokens are renewed. */
function withoutTokenFiles(users: RawKubeconfig['users']): unknown {
  return users?.map(({ user, ...rest }) => ({
    ...rest,
    user: user && Object.fromEntries(Object.entries(user).filter(([key]) => key !== 'token-file')),
  }));
}

function tokenFile(file: string): { name: string; config: { tokenFile: string } } {
  return { name: 'tokenFile', config: { tokenFile: file } };
}

function accessOf(loaded: Loaded, wanted: string | undefined, source: string): ClusterAccess {
  const name = wanted ?? loaded.current;
  if (!isText(name)) throw new KubeconfigError(`kubeconfig ${source} has no current-context: set one with kubectl config use-context`);
  const context = loaded.contexts.find((candidate) => candidate.name === name);
  if (!context) throw new KubeconfigError(`kubeconfig ${source} has no context "${name}"`);
  const { cluster: clusterName, user: userName } = context as { readonly cluster?: unknown; readonly user?: unknown };
  const cluster = loaded.clusters.find((candidate) => candidate.name === clusterName);
  if (!cluster) {
    throw new KubeconfigError(
      `kubeconfig ${source}: context "${name}" names cluster "${isText(clusterName) ? clusterName : ''}", which is not there`,
    );
  }
  const user = userName ? loaded.users.find((candidate) => candidate.name === userName) : { name: '' };
  if (!user) {
    throw new KubeconfigError(
      `kubeconfig ${source}: context "${name}" names user "${isText(userName) ? userName : ''}", which is not there`,
    );
  }
  return userAccess(cluster, user, context.namespace);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function firstByName<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const item of all) if (!first.has(item.name)) first.set(item.name, item);
  return [...first.values()];
}

function readable(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
}
