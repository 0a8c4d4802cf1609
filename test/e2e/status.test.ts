import { readFileSync, writeFileSync } from 'node:fs';
import { startController } from './cluster';
import type { RunningProgram } from './program';
import { startReal, type RealCluster } from './real-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import { runCommandLine } from '../../cli/command-line';
import { RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { captured } from '../cli/capture';
import { until } from '../setup/until';

const KINDS = ['ResourceGroup', 'StorageAccount', 'StorageAccountsBlobService'];
const NAMESPACE = 'shop';

/** Selectors, metadata lists, events, RBAC and watches of a real API server. */
describeWithRealKubernetes('status and why on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let controller: RunningProgram;
  let client: RestClient;
  let types: ResourceType[];

  beforeAll(async () => {
    cluster = await startReal({ kinds: Catalog.default().allKinds.filter(({ kind }) => KINDS.includes(kind)) });
    controller = startController(cluster);
    client = new RestClient(cluster.connection);
    types = await client.discover();
    for (const object of [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      azure('resources.azure.com/v1api20200601', 'ResourceGroup', 'group', { location: 'uksouth' }),
      account('data', 'group', { location: 'uksouth' }),
      account('lost', 'grup', { location: 'uksouth' }),
      // A kind that Azure does not have: refused with a request id.
      account('refused', 'group', { location: 'uksouth', sku: { name: 'Premium_LRS' }, kind: 'BlobStorage' }),
      azure('storage.azure.com/v1api20230101', 'StorageAccountsBlobService', 'blobs', { owner: { name: 'lost' } }),
    ]) await client.create(typeOf(object), object);
    await until('all are looked at', async () => {
      const { out } = await run('status', '--output', 'json');
      const { states } = JSON.parse(out) as { states: Record<string, number> };
      return states.Unclaimed === 0 && states.Reconciling === 0;
    });
  });
  afterAll(async () => {
    await controller?.kill();
    await cluster?.close();
  });

  function azure(apiVersion: string, kind: string, name: string, spec: Record<string, unknown>): KubernetesObject {
    return { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec };
  }

  function account(name: string, owner: string, spec: Record<string, unknown>): KubernetesObject {
    const all = { azureName: `e2e${name}4711`, owner: { name: owner }, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...spec };
    return azure('storage.azure.com/v1api20230101', 'StorageAccount', name, all);
  }

  function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    return types.find((type) => type.kind === kind && type.group === group && type.version === version)!;
  }

  async function run(...args: string[]) {
    return runWith(cluster.kubeconfig, ...args);
  }

  async function runWith(kubeconfig: string, ...args: string[]) {
    const terminal = captured();
    const exit = await runCommandLine([...args, '--kubeconfig', kubeconfig], '0', terminal);
    return { exit, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
  }

  test('status names the cause of what waits', async () => {
    const { exit, out, err } = await run('status');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain('! 2 objects wait: ResourceGroup shop/grup does not exist');
    expect(out).toMatch(/✓ ResourceGroup group +Ready/);
  });

  test('why follows the chain, and suggests the name', async () => {
    const { out } = await run('why', 'StorageAccountsBlobService/blobs', '-n', NAMESPACE);
    expect(out).toContain('Cause       ResourceGroup shop/grup does not exist (2 objects wait for it)');
    expect(out).toContain("Did you mean 'group'?");
  });

  test("why finds Azure's answer in the events", async () => {
    const { out } = await run('why', 'st/refused', '-n', NAMESPACE);
    expect(out).toMatch(/^Azure {7}HTTP 4\d\d \w+, /m);
    expect(out).toMatch(/^ {12}request id [\w-]{10,}$/m);
  });

  test('a user with rights on one namespace sees that namespace', async () => {
    for (const object of [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'viewer', namespace: NAMESPACE } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'viewer', namespace: NAMESPACE },
        rules: [{ apiGroups: ['resources.azure.com', 'storage.azure.com'], resources: ['*'], verbs: ['get', 'list'] }],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'viewer', namespace: NAMESPACE },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'viewer' },
        subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: NAMESPACE }],
      },
    ] as KubernetesObject[]) await client.create(typeOf(object), object);
    const { token } = await client.createToken(NAMESPACE, 'viewer', 'https://kubernetes.default.svc', 3600);
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as { users: { name: string; user: object }[] };
    const kubeconfig = `${cluster.kubeconfig}-viewer`;
    writeFileSync(kubeconfig, JSON.stringify({ ...config, users: config.users.map(({ name }) => ({ name, user: { token } })) }));
    const all = await runWith(kubeconfig, 'status');
    expect(all.exit).toBe(1);
    expect(all.err).toContain('note: nothing may be read in all namespaces at once; -n NAMESPACE reads one');
    const own = await runWith(kubeconfig, 'status', '-n', NAMESPACE);
    expect(own.out).toContain('2 objects wait: ResourceGroup shop/grup does not exist');
    expect(own.err).toContain('note: not read: ');
    expect(own.exit).toBe(0);
  });
});
