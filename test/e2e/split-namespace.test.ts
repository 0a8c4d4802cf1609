import { describeWithKubectl, kubectl, manifestFile, startController, startSandbox, type LoggedRequest } from './cluster';
import type { KubernetesObject } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const FLAGS = ['--enable-leader-election', '--shards', 'auto', '--kinds', 'resources.azure.com/*;network.azure.com/*'];
const TREES = Array.from({ length: 12 }, (_, index) => `tree-${index}`);

const versionOf = (group: string, kind: string) => `${group}/${Catalog.default().kind(group, kind)!.facts.storageVersion}`;
const objectOf = (group: string, kind: string, name: string, spec: object) => (
  { apiVersion: versionOf(group, kind), kind, metadata: { name, namespace: 'hot' }, spec }
);
/** In each tree a group, a network in it, and a subnet in that, in the wrong order. */
const objectsOf = (change: string) => manifestFile(TREES.flatMap((name) => [
  objectOf('network.azure.com', 'VirtualNetworksSubnet', `${name}-subnet`, { owner: { name: `${name}-network` }, addressPrefix: '10.0.0.0/24' }),
  objectOf('network.azure.com', 'VirtualNetwork', `${name}-network`, {
    owner: { name }, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
  }),
  objectOf('resources.azure.com', 'ResourceGroup', name, { location: 'uksouth', tags: { change } }),
]));
const namespace = manifestFile([
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hot', annotations: { 'aso.cdk8s.io/shard-by': 'owner' } } },
]);
const [first, second, third, fourth] = ['first', 'second', 'third', 'fourth'].map(objectsOf) as [string, string, string, string];
const COLLECTIONS = [
  `/apis/${versionOf('resources.azure.com', 'ResourceGroup')}/namespaces/hot/resourcegroups`,
  ...['virtualnetworks', 'virtualnetworkssubnets'].map((plural) => (
    `/apis/${versionOf('network.azure.com', 'VirtualNetwork')}/namespaces/hot/${plural}`)),
];

describeWithKubectl('three controllers with --shards auto, and a namespace that is split by owner', () => {
  type Controller = ReturnType<typeof startController>;
  let cluster: Awaited<ReturnType<typeof startSandbox>>;
  const controllers: Controller[] = [];
  const alive = () => controllers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
  const views = async () => {
    const items: KubernetesObject[] = (await cluster.api.list('/apis/coordination.k8s.io/v1/namespaces/azureserviceoperator-system/leases'))
      .filter(({ metadata }) => metadata.labels?.['aso.cdk8s.io/shard'] === 'true');
    return items
      .filter(({ spec }) => spec?.holderIdentity !== '')
      .map(({ metadata }) => JSON.parse(metadata.annotations!['aso.cdk8s.io/shard-view']!) as { members: string[]; split: string[] });
  };
  const agree = (count: number, split: string[]) => until(`${count} replicas agree on split ${split.join()}`, async () => {
    const all = (await views()).filter(({ members }) => members.length === count);
    return all.length >= count && all.every((view) => view.split.join() === split.join());
  });
  const requests = async () => ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests;
  const writes = async (method: string) => (await requests())
    .filter((request) => request.method === method && !request.poll)
    .map(({ path }) => path.toLowerCase().split('/').at(-1)!)
    .sort();
  const ready = (change: string) => until(`all are Ready with ${change}`, async () => {
    const items: (KubernetesObject & { spec: { tags?: Record<string, string> } })[] = await cluster.api.list(...COLLECTIONS);
    return items.length === 3 * TREES.length && items.every(({ kind, metadata, spec, status }) => {
      const condition = status?.conditions?.find(({ type }) => type === 'Ready');
      const isChanged = kind !== 'ResourceGroup' || spec.tags?.change === change;
      return isChanged && condition?.status === 'True' && condition.observedGeneration === metadata.generation;
    });
  });
  /** The groups that each controller has reconciled since it has logged so much. */
  const groupsOf = (controller: Controller, from = 0) => new Set(
    controller.log().slice(from).split('\n').filter((line) => line.includes('reconciled')).flatMap((line) => /\btree-\d+\b(?!-)/.exec(line) ?? []),
  );
  const once = (...names: (readonly string[])[]) => names.flat().sort();
  const below = TREES.flatMap((name) => [`${name}-network`, `${name}-subnet`]);

  beforeAll(async () => {
    cluster = await startSandbox({ args: ['--no-controller'], timeScale: 10 });
    kubectl(cluster, 'create', 'namespace', 'azureserviceoperator-system');
    kubectl(cluster, 'apply', '-f', namespace);
    for (let count = 0; count < 3; count += 1) controllers.push(startController(cluster, FLAGS));
    await agree(3, ['hot']);
  });
  afterAll(async () => {
    await Promise.all(controllers.map((controller) => controller.kill()));
    await cluster?.close();
  });

  test('all objects become Ready with one PUT each, and several replicas have worked', async () => {
    kubectl(cluster, 'apply', '-f', first);
    await ready('first');
    expect(await writes('PUT')).toEqual(once(TREES, below));
    const shares = alive().map((controller) => groupsOf(controller));
    expect(shares.filter(({ size }) => size > 0).length).toBeGreaterThan(1);
    // No tree in two shares.
    expect(shares.reduce((sum, { size }) => sum + size, 0)).toBe(TREES.length);
  });

  test('one is killed: the others take its trees over, and nothing is sent twice', async () => {
    const loaded = alive().sort((a, b) => groupsOf(b).size - groupsOf(a).size);
    await loaded[0]!.kill();
    kubectl(cluster, 'apply', '-f', second);
    await ready('second');
    await agree(2, ['hot']);
    expect(await writes('PUT')).toEqual(once(TREES, TREES, below));
    expect(await writes('DELETE')).toEqual([]);
  });

  test('without the annotation one replica looks after all of it, and nothing is sent again', async () => {
    kubectl(cluster, 'annotate', 'namespace', 'hot', 'aso.cdk8s.io/shard-by-');
    await agree(2, []);
    const before = alive().map((controller) => ({ controller, from: controller.log().length }));
    expect(await writes('PUT')).toEqual(once(TREES, TREES, below));
    kubectl(cluster, 'apply', '-f', third);
    await ready('third');
    expect(await writes('PUT')).toEqual(once(TREES, TREES, TREES, below));
    expect(await writes('DELETE')).toEqual([]);
    const shares = before.map(({ controller, from }) => groupsOf(controller, from).size).filter((size) => size > 0);
    expect(shares).toEqual([TREES.length]);
  });

  test('annotated with all its objects in it, and edited at once: several replicas work, each edit is sent once', async () => {
    const before = alive().map((controller) => ({ controller, from: controller.log().length }));
    kubectl(cluster, 'annotate', 'namespace', 'hot', 'aso.cdk8s.io/shard-by=owner');
    // While trees move, objects are edited.
    kubectl(cluster, 'apply', '-f', fourth);
    await ready('fourth');
    await agree(2, ['hot']);
    expect(await writes('PUT')).toEqual(once(TREES, TREES, TREES, TREES, below));
    expect(await writes('DELETE')).toEqual([]);
    await until('several replicas have looked at its trees', () => (
      before.filter(({ controller, from }) => groupsOf(controller, from).size > 0).length > 1
    ));
  });
});
