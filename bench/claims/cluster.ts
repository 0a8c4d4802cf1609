// A real API server with the CRDs of the definition, the platform's own objects, and the built controller.
import { ApiObject, App, Chart } from 'cdk8s';
import definitions, { environment } from './definition';
import { Connection, loadClusterAccess, RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { startReal } from '../../test/e2e/real-cluster';
import { TestedController } from '../shared/environment/tested-controller';
import { PlatformCredential } from 'cdk8s-aso/platform';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { Namespace, SBSkuName } from 'cdk8s-aso/servicebus';

/** Further kinds of the platform itself. */
const OWN = ['servicebus.azure.com/Namespace'];

export interface BenchCluster {
  readonly controller: TestedController;
  /** As an administrator. */
  readonly client: RestClient;
  /** A client of a user who is in one group. */
  as(user: string, group: string): Promise<RestClient>;
  /** Server-side apply as an administrator. */
  apply(object: KubernetesObject): Promise<void>;
  types(): Promise<readonly ResourceType[]>;
  serves(group: string, kind: string): Promise<boolean>;
  typeOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): ResourceType;
  /** A kubeconfig with a token of a service account. */
  kubeconfigOf(namespace: string, serviceAccount: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts everything; what it starts ends with `close`. */
export async function startCluster(speed: number): Promise<BenchCluster> {
  const wanted = new Set([...OWN, ...definitions.flatMap(({ composes }) => composes.map(({ group, kind }) => `${group}/${kind}`))]);
  const kinds = Catalog.default().allKinds.filter(({ group, kind }) => wanted.has(`${group}/${kind}`));
  const real = await startReal({ kinds, timeScale: speed });
  const access = await loadClusterAccess({ path: real.kubeconfig });
  const connections: Connection[] = [];
  const clientOf = (headers: Readonly<Record<string, string>>) => {
    const authenticate = async () => {
      const own = await access.authenticate();
      return { headers: { ...own.headers, ...headers }, tls: own.tls };
    };
    const connection = new Connection({ ...access, authenticate });
    connections.push(connection);
    return new RestClient(connection);
  };
  const client = clientOf({});
  let known = await client.discover();
  const types = async () => (known = await client.discover());
  const find = (apiVersion: string, kind: string) =>
    known.find((type) => [type.group, type.version].filter(Boolean).join('/') === apiVersion && type.kind === kind);
  const typeOf = ({ apiVersion, kind = '' }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): ResourceType => {
    const found = find(apiVersion ?? '', kind);
    if (!found) throw new Error(`the cluster does not serve ${kind} of ${apiVersion}`);
    return found;
  };
  const apply = async (object: KubernetesObject) => {
    const { name, namespace } = object.metadata;
    await client.patch(typeOf(object), name, namespace, object, 'application/apply-patch+yaml');
  };
  for (const object of platformObjects()) await apply(object);
  const controller = new TestedController({ environment: real.environment, speed, memory: 512 });
  await controller.start();
  return {
    controller,
    client,
    as: async (user, group) => clientOf({ 'impersonate-user': user, 'impersonate-group': group }),
    apply,
    types,
    serves: async (group, kind) => (await types()).some((type) => type.group === group && type.kind === kind),
    typeOf,
    kubeconfigOf: async (namespace, serviceAccount) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
      const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7_200 } });
      const { text } = await real.connection.request({ method: 'POST', path, body });
      const { tls } = await access.authenticate();
      return JSON.stringify({
        'apiVersion': 'v1',
        'kind': 'Config',
        'current-context': 'composer',
        'contexts': [{ name: 'composer', context: { cluster: 'real', user: 'composer', namespace } }],
        'clusters': [{ name: 'real', cluster: { 'server': access.server, 'certificate-authority-data': Buffer.from(tls.ca ?? '').toString('base64') } }],
        'users': [{ name: 'composer', user: { token: (JSON.parse(text) as { status: { token: string } }).status.token } }],
      });
    },
    close: async () => {
      await controller.stop();
      await Promise.all(connections.map((connection) => connection.close()));
      await real.close();
    },
  };
}

const RBAC = 'rbac.authorization.k8s.io';

/** Namespaces, credential, what the platform shares, and the rights of its engineers. */
function platformObjects(): KubernetesObject[] {
  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  const metadata = { name: 'engineers' };
  const rules = [{ apiGroups: ['platform.example.com'], resources: ['*'], verbs: ['*'] }];
  new ApiObject(chart, 'role', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules });
  new ApiObject(chart, 'binding', {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'platform-engineers' }],
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'engineers' },
  });
  for (const name of ['platform', 'cdk8s-aso-composer']) new ApiObject(chart, name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  new PlatformCredential(chart, 'credential', { environment });
  const owner = new ResourceGroup(chart, 'group', { metadata: { name: 'rg-shared' }, location: 'uksouth' });
  new Namespace(chart, 'bus', { metadata: { name: 'sb-bench-shared' }, owner, location: 'uksouth', sku: { name: SBSkuName.PREMIUM } });
  return chart.toJson() as KubernetesObject[];
}
