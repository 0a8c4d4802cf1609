import { request } from 'node:https';
import { clusters } from './clusters';
import { Metrics } from '../../controller/metrics';
import { serveMetrics } from '../../controller/process/endpoints';
import { systemClock } from '../../engine/clock';
import { Connection, loadClusterAccess, RestClient, type KubernetesObject } from '../../engine/kubernetes';
import { silentLogger } from '../../runtime/log/log';

const RBAC = 'rbac.authorization.k8s.io';
const account = (name: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } });
const OBJECTS = [
  account('metrics-scraper'),
  account('metrics-stranger'),
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'metrics-reader' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'metrics-reader' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'metrics-reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'metrics-scraper', namespace: 'default' }],
  },
];

test.each(clusters)(
  'docs/spec/metrics.md#metrics-endpoint: secure: /metrics for a service account that may get it, on $name',
  async ({ start }) => {
    const cluster = await start();
    const connection = new Connection(await loadClusterAccess({ path: cluster.kubeconfig }));
    try {
      const client = new RestClient(connection);
      const types = await client.discover();
      for (const object of OBJECTS) {
        await client.create(
          types.find(({ kind }) => kind === object.kind)!,
          object as unknown as KubernetesObject,
        );
      }
      const metrics = new Metrics();
      const [endpoint] = await serveMetrics({
        metricsAddr: '127.0.0.1:0',
        secureMetrics: true,
        metrics,
        client,
        clock: systemClock,
        logger: silentLogger(),
      });
      const status = (token?: string) =>
        new Promise((resolve, reject) => {
          const headers = token ? { authorization: `Bearer ${token}` } : {};
          const options = { host: '127.0.0.1', port: endpoint!.port, path: '/metrics', headers, rejectUnauthorized: false, agent: false };
          request(options, (response) => resolve(response.resume().statusCode))
            .on('error', reject)
            .end();
        });
      // For the server itself: what a scraper's pod has.
      const { text } = await connection.request({ method: 'GET', path: '/.well-known/openid-configuration' });
      const audience = (JSON.parse(text) as { issuer: string }).issuer;
      const tokenOf = async (name: string) => (await client.createToken('default', name, audience, 3600)).token;
      expect([await status(), await status('garbage')]).toEqual([401, 401]);
      expect(await status(await tokenOf('metrics-stranger'))).toBe(403);
      expect(await status(await tokenOf('metrics-scraper'))).toBe(200);
      await endpoint!.close();
    } finally {
      await connection.close();
      await cluster.close();
    }
  },
);
