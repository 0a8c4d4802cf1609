import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js';
import type { ClusterAccess, TlsMaterial } from './connection';
import { asText } from '../../src/util/words';

/** An authenticator of client-node: adds a header (or a client certificate) to the options of a request. */
interface Authenticator {
  isAuthProvider(user: User): boolean;
  applyAuthentication(user: User, options: RequestOptions): Promise<void>;
}

/** Milliseconds to cache an authenticator's result: FileAuth reads its file once a minute, an exec plugin may return no expiry. */
const KEEP = 60_000;

/** Access to a cluster as a user of a kubeconfig: certificates, tokens, token files, passwords, exec plugins, OpenID Connect. */
export function userAccess(cluster: Cluster, user: User, namespace?: string, now: () => number = Date.now): ClusterAccess {
  let authenticator: Promise<Authenticator | undefined> | undefined;
  let kept: { readonly until: number; readonly options: Promise<RequestOptions> } | undefined;
  const invalidate = () => {
    kept = undefined;
    authenticator = undefined;
  };
  const authenticated = (): Promise<RequestOptions> => {
    if (kept && kept.until > now()) return kept.options;
    authenticator ??= authenticatorFor(cluster, user);
    const options = authenticator.then(async (found) => {
      const request: RequestOptions = { headers: {} };
      await found?.applyAuthentication(withExecInfo(cluster, user), request);
      return request;
    });
    const mine = { until: now() + KEEP, options };
    kept = mine;
    // A failure is not cached: the next request tries again.
    options.catch(() => kept === mine && invalidate());
    return options;
  };
  return {
    server: cluster.server,
    namespace,
    proxyUrl: cluster.proxyUrl,
    invalidate,
    authenticate: async () => {
      const options = await authenticated();
      return { headers: headersOf(user, options), tls: tlsOf(cluster, user, options) };
    },
  };
}

async function authenticatorFor(cluster: Cluster, user: User): Promise<Authenticator | undefined> {
  if (!user.exec && !user.authProvider) return undefined;
  const [{ ExecAuth }, { FileAuth }, { OpenIDConnectAuth }] = await Promise.all([
    import('@kubernetes/client-node/dist/exec_auth.js'),
    import('@kubernetes/client-node/dist/file_auth.js'),
    import('@kubernetes/client-node/dist/oidc_auth.js'),
  ]);
  const known: Authenticator[] = [new ExecAuth(), new FileAuth(), new OpenIDConnectAuth()];
  const found = known.find((candidate) => candidate.isAuthProvider(user));
  if (!found) {
    throw new Error(`user "${user.name}" of cluster "${cluster.name}" uses auth-provider "${user.authProvider?.name}", which Kubernetes 1.26 removed: use an exec plugin instead (e.g. kubelogin)`);
  }
  return found;
}

/** Adds the API version that exec plugins of v1 expect; the library omits it. */
function withExecInfo(cluster: Cluster, user: User): User {
  if (!user.exec) return user;
  const exec = user.exec as { readonly apiVersion?: string; readonly env?: { name: string; value: string }[] | null };
  const info = {
    apiVersion: exec.apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: {
        'server': cluster.server,
        'certificate-authority-data': cluster.caData,
        'insecure-skip-tls-verify': cluster.skipTLSVerify || undefined,
      },
    },
  };
  return { ...user, exec: { ...user.exec, env: [{ name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }, ...(exec.env ?? [])] } };
}

function headersOf(user: User, options: RequestOptions): Record<string, string> {
  const given = Object.entries((options.headers ?? {}) as Record<string, unknown>);
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), asText(value).trim()]));
  if (user.username) headers.authorization = `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
  if (user.token) headers.authorization = `Bearer ${user.token.trim()}`;
  if (user.impersonateUser) headers['impersonate-user'] = user.impersonateUser;
  return headers;
}

function tlsOf(cluster: Cluster, user: User, options: RequestOptions): TlsMaterial {
  if (cluster.server.startsWith('http:')) return {};
  return {
    ca: textOf(cluster.caFile, cluster.caData),
    cert: (options.cert as string | undefined) ?? textOf(user.certFile, user.certData),
    key: (options.key as string | undefined) ?? textOf(user.keyFile, user.keyData),
    serverName: cluster.tlsServerName,
    skipVerify: cluster.skipTLSVerify,
  };
}

/** PEM from base64 or from a file, which is read each time because certificates are renewed in place. */
function textOf(file: string | null | undefined, data: string | null | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return file ? readFileSync(file, 'utf8') : undefined;
}
