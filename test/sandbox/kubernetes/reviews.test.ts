import { request } from 'node:https';
import { Metrics } from '../../../controller/metrics';
import { serveMetrics } from '../../../controller/process/endpoints';
import { systemClock } from '../../../engine/clock';
import { anonymousAccess, Connection, RestClient, type KubernetesObject } from '../../../engine/kubernetes';
import { silentLogger } from '../../../runtime/log/log';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox';

let kubernetes: SandboxKubernetes;
let connection: Connection;
let client: RestClient;

beforeAll(async () => {
  kubernetes = await startKubernetes({ crds: [] });
  connection = new Connection(anonymousAccess(kubernetes.url));
  client = new RestClient(connection);
  const rbac = 'rbac.authorization.k8s.io/v1';
  const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const subject = (name: string) => ({ kind: 'ServiceAccount', name, namespace: 'default' });
  await apply('ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'scraper', namespace: 'default' } });
  await apply('ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'stranger', namespace: 'default' } });
  await apply('ClusterRole', {
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: 'metrics' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  });
  await apply('ClusterRoleBinding', {
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'metrics' },
    roleRef: roleRef('ClusterRole', 'metrics'),
    subjects: [subject('scraper')],
  });
  const rules = [
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['*'] },
  ];
  await apply('Role', { apiVersion: rbac, kind: 'Role', metadata: { name: 'secrets', namespace: 'default' }, rules });
  await apply('RoleBinding', {
    apiVersion: rbac,
    kind: 'RoleBinding',
    metadata: { name: 'secrets', namespace: 'default' },
    roleRef: roleRef('Role', 'secrets'),
    subjects: [{ kind: 'Group', name: 'system:serviceaccounts:default' }],
  });
});
afterAll(async () => {
  await connection.close();
  await kubernetes.close();
});

async function apply(kind: string, object: object): Promise<KubernetesObject> {
  const type = (await client.discover()).find((one) => one.kind === kind)!;
  return client.create(type, object as KubernetesObject);
}

const tokenOf = async (name: string, audience = kubernetes.tokens.issuer) =>
  (await client.createToken('default', name, audience, 3600)).token;
const reviewed = async (kind: string, group: string, spec: object) =>
  (await apply(kind, { apiVersion: `${group}/v1`, kind, metadata: { name: '' }, spec })).status as Record<string, unknown>;
const tokenReview = (token: string, audiences?: string[]) =>
  reviewed('TokenReview', 'authentication.k8s.io', { token, ...(audiences ? { audiences } : {}) });
const mayDo = async (user: string, wish: object, groups: string[] = []) =>
  (await reviewed('SubjectAccessReview', 'authorization.k8s.io', { user, groups, ...wish })).allowed;

test('TokenReview: a token of a service account names it', async () => {
  expect(await tokenReview(await tokenOf('scraper'))).toMatchObject({
    authenticated: true,
    user: {
      username: 'system:serviceaccount:default:scraper',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    },
  });
});

test('TokenReview: garbage, a changed token and one for others are refused', async () => {
  const token = await tokenOf('scraper');
  const [header, payload, signature] = token.split('.');
  const forged = Buffer.from(Buffer.from(payload!, 'base64url').toString().replaceAll('scraper', 'admin')).toString('base64url');
  for (const bad of ['', 'garbage', 'a.b.c', `${header}.${forged}.${signature}`, await tokenOf('scraper', 'somebody')]) {
    expect((await tokenReview(bad)).authenticated).toBeUndefined();
  }
  expect(await tokenReview(await tokenOf('scraper', 'somebody'), ['somebody'])).toMatchObject({
    authenticated: true,
    audiences: ['somebody'],
  });
});

test('SubjectAccessReview: by the stored roles and bindings', async () => {
  const scraper = 'system:serviceaccount:default:scraper';
  const metrics = { nonResourceAttributes: { path: '/metrics', verb: 'get' } };
  expect(await mayDo(scraper, metrics)).toBe(true);
  expect(await mayDo(scraper, { nonResourceAttributes: { path: '/debug/pprof/', verb: 'get' } })).toBe(false);
  expect(await mayDo('system:serviceaccount:default:stranger', metrics)).toBe(false);
  expect(await mayDo('anybody', metrics, ['system:masters'])).toBe(true);
  const secret = (more: object) =>
    mayDo('x', { resourceAttributes: { group: '', resource: 'secrets', name: 'one', namespace: 'default', verb: 'get', ...more } }, [
      'system:serviceaccounts:default',
    ]);
  expect(await secret({})).toBe(true);
  expect(await Promise.all([{ name: 'two' }, { verb: 'list' }, { namespace: 'other' }, { group: 'apps' }].map(secret))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(await secret({ group: 'apps', resource: 'deployments', subresource: 'scale', verb: 'update' })).toBe(true);
});

test('/metrics of the controller: by these reviews', async () => {
  const [endpoint] = await serveMetrics({
    metricsAddr: '127.0.0.1:0',
    secureMetrics: true,
    metrics: new Metrics(),
    client,
    clock: systemClock,
    logger: silentLogger(),
  });
  const get = (token?: string) =>
    new Promise((resolve, reject) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      request({ host: '127.0.0.1', port: endpoint!.port, path: '/metrics', headers, rejectUnauthorized: false, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
  try {
    expect([await get(), await get('garbage'), await get(await tokenOf('stranger')), await get(await tokenOf('scraper'))]).toEqual([
      401, 401, 403, 200,
    ]);
  } finally {
    await endpoint!.close();
  }
});
