import { describeWithKubectl, kubectl, manifestFile, startController, startSandbox, type LoggedRequest } from './cluster';
import type { KubernetesObject } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const FLAGS = ['--enable-leader-election', '--shards', 'auto', '--kinds', 'resources.azure.com/*;managedidentity.azure.com/*'];
const NAMESPACES = Array.from({ length: 12 }, (_, index) => `team-${index}`);

const versionOf = (group: string, kind: string) => `${group}/${Catalog.default().kind(group, kind)!.facts.storageVersion}`;
const COLLECTIONS = [
  `/apis/${versionOf('resources.azure.com', 'ResourceGroup')}/resourcegroups`,
  `/apis/${versionOf('managedidentity.azure.com', 'UserAssignedIdentity')}/userassignedidentities`,
];
const objectOf = (group: string, kind: string, namespace: string, name: string, spec: object, annotations = {}) =>
  ({ apiVersion: versionOf(group, kind), kind, metadata: { name, namespace, annotations }, spec: { location: 'uksouth', ...spec } });

/** A group and an identity in it in each namespace. The identity is propagated to the next namespace, which accepts it. */
const nextOf = (namespace: string) => NAMESPACES[(NAMESPACES.indexOf(namespace) + 1) % NAMESPACES.length]!;
const teams = manifestFile(NAMESPACES.map((namespace) => (
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: nextOf(namespace), annotations: { 'aso.cdk8s.io/accepts-credentials-from': namespace } } }
)));
const objectsOf = (tags: Record<string, string>) => NAMESPACES.flatMap((namespace) => [
  objectOf('managedidentity.azure.com', 'UserAssignedIdentity', namespace, 'identity', { owner: { name: 'group' }, azureName: `id-${namespace}` }, {
    'aso.cdk8s.io/propagate-credentials-to': `Secret/${nextOf(namespace)}/of-neighbour`,
  }),
  objectOf('resources.azure.com', 'ResourceGroup', namespace, 'group', { azureName: `rg-${namespace}`, tags }),
]);
const [first, second] = [manifestFile(objectsOf({ change: 'first' })), manifestFile(objectsOf({ change: 'second' }))];
/** Objects for the identities of other namespaces, some of which another replica looks after. */
const STAYING = NAMESPACES.slice(4, -1);
const taken = manifestFile(STAYING.map((namespace) => objectOf('managedidentity.azure.com', 'UserAssignedIdentity', nextOf(namespace), 'taken', {
  owner: { armId: `/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-${namespace}` }, azureName: `id-${namespace}`,
})));
const third = manifestFile(objectsOf({ change: 'third' }));

describeWithKubectl('three controllers with --shards auto', () => {
  type Controller = ReturnType<typeof startController>;
  let cluster: Awaited<ReturnType<typeof startSandbox>>;
  const controllers: Controller[] = [];
  const start = () => {
    const controller = startController(cluster, FLAGS);
    controllers.push(controller);
    return controller;
  };
  const alive = () => controllers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
  /** The last report of each controller: the replicas that it knows, and its namespaces. */
  const shares = () => alive().map((controller) => {
    const [, text = '{}'] = [...controller.log().matchAll(/the share of this replica has changed(.*)/g)].at(-1) ?? [];
    const numberOf = (name: string) => Number(new RegExp(`${name}[=":\\s]+(\\d+)`).exec(text)?.[1] ?? NaN);
    return { replicas: numberOf('replicas'), owned: numberOf('namespaces') };
  });
  const areShared = (count: number) => until(`${count} replicas share all namespaces`, async () => {
    const all = shares();
    const total = all.reduce((sum, { owned }) => sum + owned, 0);
    // The namespaces of the system are shared, too. Fewer are owned while some move: a newcomer has none until the others give up theirs.
    const namespaces = (await cluster.api.list('/api/v1/namespaces')).length;
    return all.length === count && all.every(({ replicas }) => replicas === count) && total === namespaces;
  }).catch((error: unknown) => {
    const logs = alive().map((each) => each.log().split('\n').slice(-5).join('\n'));
    throw new Error(`${(error as Error).message}; ${JSON.stringify(shares())}\n${logs.join('\n---\n')}`);
  });
  const requests = async () => ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests;
  const writes = async (method: string) => (await requests())
    .filter((request) => request.method === method && !request.poll)
    .map(({ path }) => path.toLowerCase().split('/').at(-1)!);
  const ready = (change: string) => until(`all are Ready with ${change}`, async () => {
    const items: (KubernetesObject & { spec: { tags?: Record<string, string> } })[] = await cluster.api.list(...COLLECTIONS);
    return items.length === 2 * NAMESPACES.length && items.every(({ kind, metadata, spec, status }) => {
      const condition = status?.conditions?.find(({ type }) => type === 'Ready');
      const isChanged = kind !== 'ResourceGroup' || spec.tags?.change === change;
      return isChanged && condition?.status === 'True' && condition.observedGeneration === metadata.generation;
    });
  });
  const once = (names: readonly string[]) => [...names].sort();
  const groups = NAMESPACES.map((namespace) => `rg-${namespace}`);

  beforeAll(async () => {
    cluster = await startSandbox({ args: ['--no-controller'], timeScale: 10 });
    // Where there is a pod, there is its namespace.
    kubectl(cluster, 'create', 'namespace', 'azureserviceoperator-system');
  });
  afterAll(async () => {
    await Promise.all(controllers.map((controller) => controller.kill()));
    await cluster?.close();
  });

  test('all objects become Ready with one PUT each, and ids go to namespaces of other replicas', async () => {
    for (let count = 0; count < 3; count += 1) start();
    kubectl(cluster, 'apply', '-f', teams);
    kubectl(cluster, 'apply', '-f', first);
    await areShared(3);
    await ready('first');
    expect(once(await writes('PUT'))).toEqual(once([...groups, ...NAMESPACES.map((namespace) => `id-${namespace}`)]));
    await until('all ids are propagated', async () => {
      const secrets = (await cluster.api.list('/api/v1/secrets')).filter(({ metadata, data }) => metadata.name === 'of-neighbour' && data.AZURE_CLIENT_ID);
      return secrets.length === NAMESPACES.length;
    });
    // Which replica is given how much follows from random names; all to one of three has a chance of one in ten millions.
    expect(shares().filter(({ owned }) => owned > 0).length).toBeGreaterThan(1);
  });

  test('one is killed: the others take over, and nothing is sent twice', async () => {
    await alive()[0]!.kill();
    kubectl(cluster, 'apply', '-f', second);
    await ready('second');
    await areShared(2);
    expect(once(await writes('PUT'))).toEqual(once([...groups, ...groups, ...NAMESPACES.map((namespace) => `id-${namespace}`)]));
    expect(await writes('DELETE')).toEqual([]);
  });

  test('one ends by SIGTERM: the others take over at once', async () => {
    const other = start();
    await areShared(3);
    expect(await other.stop()).toBe(0);
    kubectl(cluster, 'apply', '-f', third);
    await ready('third');
    expect(once(await writes('PUT'))).toEqual(once([...groups, ...groups, ...groups, ...NAMESPACES.map((namespace) => `id-${namespace}`)]));
    expect(await writes('DELETE')).toEqual([]);
  });

  test('namespaces that are deleted while replicas come and go are deleted in Azure, each object once', async () => {
    start();
    const deleted = NAMESPACES.slice(0, 4);
    kubectl(cluster, 'delete', 'namespace', '--wait=false', ...deleted);
    await areShared(3);
    await until('the namespaces are gone', async () => (
      (await cluster.api.list('/api/v1/namespaces')).every(({ metadata }) => !deleted.includes(metadata.name))
    ));
    const { value } = (await cluster.azure('/__resources')) as { value: { name: string }[] };
    const left = value.map(({ name }) => name);
    expect(left.filter((name) => deleted.some((namespace) => name === `rg-${namespace}`))).toEqual([]);
    expect(left.filter((name) => name.startsWith('rg-'))).toHaveLength(NAMESPACES.length - deleted.length);
    const deletions = await writes('DELETE');
    expect(deletions).toEqual([...new Set(deletions)]);
  });

  test('an identity that goes with an object of another namespace is made again at once', async () => {
    const deletions = async () => (await requests()).filter(({ method, poll }) => method === 'DELETE' && !poll).length;
    const before = await deletions();
    kubectl(cluster, 'apply', '-f', taken);
    kubectl(cluster, 'wait', '--for=condition=Ready', '-f', taken, '--timeout=120s');
    kubectl(cluster, 'delete', '-f', taken);
    expect(await deletions()).toBe(before + STAYING.length);
    await until('all identities are there', async () => {
      const { value } = (await cluster.azure('/__resources')) as { value: { name: string }[] };
      const names = new Set(value.map(({ name }) => name));
      return STAYING.every((namespace) => names.has(`id-${namespace}`));
    });
  });
});
