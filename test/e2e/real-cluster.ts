import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import type { TestCluster } from './cluster';
import { getJson, isOk } from './http';
import { installCrds } from './install-crds';
import { realKubernetes, type KubernetesPrograms } from './real-kubernetes';
import { freePorts, Servers } from './servers';
import { Connection, loadClusterAccess } from '../../engine/kubernetes';
import { loopbackCertificate } from '../../sandbox/azure/http/certificate';
import type { Kind } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';

/** A server of tests lives for a minute: with more room, a fifth of its processor time is saved. */
const LESS_GARBAGE_COLLECTION = { GOGC: '400', GOMEMLIMIT: '2GiB' };
const SANDBOX = join(__dirname, '..', '..', 'lib', 'sandbox', 'main.js');
const CONTROLLER = { namespace: 'azureserviceoperator-system', serviceAccount: 'azureserviceoperator-default' };

export interface RealClusterOptions {
  /** Kinds whose CRDs are installed; default: none. */
  readonly kinds?: readonly Kind[];
  /** The versions that a CRD serves; default: all. */
  readonly versionsOf?: (kind: Kind) => readonly string[];
  /** Flags of the kube-apiserver besides those that it needs; default: none. */
  readonly apiServerFlags?: readonly string[];
  /** Of the Azure simulator; default 60. */
  readonly timeScale?: number;
  /** Flags of the Azure simulator besides those that it needs; default: none. */
  readonly azureFlags?: readonly string[];
  /** Issuer of the service accounts' tokens; default: `https://kubernetes.default.svc`. */
  readonly issuer?: string;
}

export interface RealCluster extends TestCluster {
  /** Requests as a cluster administrator. */
  readonly connection: Connection;
  /** Log of a server (`etcd`, `kube-apiserver`, `kube-controller-manager`, `azure`). */
  log(server: string): string;
}

/**
 * Real etcd and kube-apiserver, with RBAC and all admission plugins that are on by default, and the Azure simulator. The controller
 * manager, where there is one, deletes namespaces and owned objects and makes service accounts and their roles; there are no nodes.
 */
export async function startReal(
  {
    kinds = [], versionsOf = ({ versionNames }) => versionNames, apiServerFlags = [], timeScale = 60, azureFlags = [],
    issuer = 'https://kubernetes.default.svc',
  }: RealClusterOptions = {},
): Promise<RealCluster> {
  if (!realKubernetes) throw new Error('there is no real Kubernetes: run node scripts/real-kubernetes.mjs first');
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-real-'));
  const servers = new Servers(directory);
  try {
    const file = (name: string, content?: string) => {
      if (content !== undefined) writeFileSync(join(directory, name), content, { mode: 0o600 });
      return join(directory, name);
    };
    const azure = await startAzure(servers, directory, ['--time-scale', String(timeScale), ...azureFlags]);
    const { url, ca, administrator, manager } = await startKubernetes(servers, realKubernetes, file, [
      '--service-account-issuer', issuer, ...apiServerFlags,
    ]);
    const kubeconfig = file('kubeconfig', kubeconfigOf(url, ca, administrator));
    const connection = new Connection(await loadClusterAccess({ path: kubeconfig }));
    if (realKubernetes.controllerManager) {
      file('manager', kubeconfigOf(url, ca, manager));
      await startControllerManager(servers, realKubernetes.controllerManager, file);
    }
    await installCrds(connection, kinds.map((kind) => crdManifest(kind, { versions: versionsOf(kind) })));
    return {
      kubeconfig,
      connection,
      api: new Api(connection),
      timeScale,
      deletesNamespaces: realKubernetes.controllerManager !== undefined,
      environment: {
        ...azure,
        KUBECONFIG: kubeconfig,
        POD_NAMESPACE: CONTROLLER.namespace,
        AZURE_FEDERATED_TOKEN_FILE: file('federated-token', await federatedToken(connection)),
      },
      azure: (path) => getJson(`${azure.AZURE_RESOURCE_MANAGER_ENDPOINT}${path}`, readFileSync(azure.NODE_EXTRA_CA_CERTS!, 'utf8')),
      log: (name) => servers.log(name),
      close: async () => {
        await connection.close();
        await servers.close();
      },
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** Answers the environment of a controller. A process of its own: kubectl, which the tests wait for, must not stop it. */
async function startAzure(servers: Servers, directory: string, flags: readonly string[]): Promise<Record<string, string>> {
  const said = () => servers.log('azure').split('\n').find((line) => line.startsWith('{'));
  // Its files go with the directory.
  const server = {
    name: 'azure',
    program: process.execPath,
    args: [SANDBOX, '--no-kubernetes', ...flags],
    env: { TMPDIR: directory },
  };
  await servers.start(server, () => said()?.endsWith('}') ?? false);
  return (JSON.parse(said()!) as { env: Record<string, string> }).env;
}

interface Access {
  readonly url: string;
  readonly ca: string;
  /** Tokens. */
  readonly administrator: string;
  readonly manager: string;
}

/** The path of a file in the cluster's directory; with content, the file is written. */
type File = (name: string, content?: string) => string;

async function startKubernetes(servers: Servers, programs: KubernetesPrograms, file: File, flags: readonly string[]): Promise<Access> {
  const [client, peer, secure] = await freePorts(3);
  const etcd = `http://127.0.0.1:${client}`;
  await servers.start(
    {
      name: 'etcd',
      program: programs.etcd,
      args: [
        '--data-dir',
        file('etcd'),
        '--listen-client-urls',
        etcd,
        '--advertise-client-urls',
        etcd,
        '--listen-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-cluster',
        `default=http://127.0.0.1:${peer}`,
        '--unsafe-no-fsync',
        '--log-level',
        'warn',
      ],
    },
    () => isOk(`${etcd}/health`),
  );

  const certificate = await loopbackCertificate();
  const ca = file('ca.pem', certificate.ca);
  const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKey = file('service-accounts.key', accounts.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const publicKey = file('service-accounts.pub', accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const [administrator, manager] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
  const tokens = `${administrator},administrator,1,system:masters\n${manager},system:kube-controller-manager,2\n`;
  const url = `https://127.0.0.1:${secure}`;
  await servers.start(
    {
      name: 'kube-apiserver',
      program: programs.apiServer,
      env: LESS_GARBAGE_COLLECTION,
      args: [
        '--etcd-servers',
        etcd,
        '--bind-address',
        '127.0.0.1',
        '--advertise-address',
        '127.0.0.1',
        '--secure-port',
        String(secure),
        // There is no address that other machines could use.
        '--endpoint-reconciler-type',
        'none',
        '--tls-cert-file',
        file('server.pem', certificate.cert + certificate.ca),
        '--tls-private-key-file',
        file('server.key', certificate.key),
        '--service-account-key-file',
        publicKey,
        '--service-account-signing-key-file',
        privateKey,
        '--authorization-mode',
        'RBAC',
        '--token-auth-file',
        file('tokens.csv', tokens),
        '--service-cluster-ip-range',
        '10.0.0.0/24',
        '--profiling=false',
        ...flags,
      ],
    },
    () => isOk(`${url}/readyz`, certificate.ca),
  );
  return { url, ca, administrator, manager };
}

const CONTROLLERS = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'clusterrole-aggregation-controller',
  'root-ca-certificate-publisher-controller',
  'validatingadmissionpolicy-status-controller',
];

async function startControllerManager(servers: Servers, program: string, file: File): Promise<void> {
  await servers.start(
    {
      name: 'kube-controller-manager',
      program,
      args: [
        '--kubeconfig',
        file('manager'),
        '--controllers',
        CONTROLLERS.join(','),
        '--use-service-account-credentials',
        '--leader-elect=false',
        '--secure-port=0',
        '--service-account-private-key-file',
        file('service-accounts.key'),
        '--root-ca-file',
        file('ca.pem'),
        '-v',
        '2',
      ],
    },
    () => CONTROLLERS.every((name) => servers.log('kube-controller-manager').includes(`"Started controller" controller="${name}"`)),
  );
}

/** Content of a pod's projected volume: a token of the controller's service account for Azure. */
async function federatedToken(connection: Connection): Promise<string> {
  const { namespace, serviceAccount } = CONTROLLER;
  const post = async (path: string, object: object): Promise<string> => {
    const { status, text } = await connection.request({ method: 'POST', path, body: JSON.stringify(object) });
    if (status > 201 && status !== 409) throw new Error(`POST ${path}: ${text}`);
    return text;
  };
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await post(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccount } });
  const spec = { audiences: ['api://AzureADTokenExchange'], expirationSeconds: 24 * 3600 };
  const answer = await post(`${accounts}/${serviceAccount}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  return (JSON.parse(answer) as { status: { token: string } }).status.token;
}

function kubeconfigOf(server: string, caFile: string, token: string): string {
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'real', cluster: { server, 'certificate-authority': caFile } }],
    'users': [{ name: 'user', user: { token } }],
    'contexts': [{ name: 'real', context: { cluster: 'real', user: 'user' } }],
    'current-context': 'real',
  });
}
