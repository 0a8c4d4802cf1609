import { kubectl, startController, describeWithKubectl, type LoggedRequest, type TestCluster } from './cluster';
import { clusters as all } from './clusters';
import { applyObjects, buildStore, claimOf, conditionOf, isObserved, startComposer, statusOf, type BuiltStore } from './composer';
import { startReal } from './real-cluster';
import { Catalog } from '../../src/catalog';
import { atNight } from '../setup/at-night';
import { BEAT_MS, ControlProcess } from '../setup/control-process';
import { until } from '../setup/until';

const KINDS = Catalog.default().allKinds.filter(({ group, kind }) => ['resources/ResourceGroup', 'storage/StorageAccount'].includes(`${group.split('.')[0]}/${kind}`));
const both = all.map((one, index) => (index === 0 ? one : { ...one, start: () => startReal({ kinds: KINDS }) }));
const clusters = atNight(both, both.slice(-1));

const COLLECTIONS = {
  configmap: '/api/v1/namespaces/shop/configmaps',
  resourcegroup: '/apis/resources.azure.com/v1api20200601/namespaces/shop/resourcegroups',
  storageaccount: '/apis/storage.azure.com/v1api20230101/namespaces/shop/storageaccounts',
};

const store = (name: string, spec: object) => ({ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name, namespace: 'shop' }, spec });

describeWithKubectl.each(clusters)('the composer on $name', ({ start }) => {
  let cluster: TestCluster;
  let built: BuiltStore;
  let controller: ReturnType<typeof startController>;
  let composer: ReturnType<typeof startComposer>;
  const apply = (...objects: object[]) => applyObjects(cluster, objects);
  const is = (name: string, type: string, wanted: string) => async () => conditionOf(await claimOf(cluster, name), type) === wanted;
  const areApplied = async (...names: string[]) => (
    (await Promise.all(names.map((name) => is(name, 'Synced', 'True Applied')()))).every(Boolean));
  const get = (kind: keyof typeof COLLECTIONS, name: string) => cluster.api.find(`${COLLECTIONS[kind]}/${name}`);

  beforeAll(async () => {
    built = buildStore();
    cluster = await start({ timeScale: 60 });
    kubectl(cluster, 'apply', '--server-side', '-f', built.crds);
    kubectl(cluster, 'create', 'namespace', 'shop');
    kubectl(cluster, 'wait', '--for=condition=Established', 'crd/stores.platform.example.com', '--timeout=30s');
    controller = startController(cluster);
    composer = startComposer(cluster, built.bundle);
  });
  afterAll(async () => {
    await composer?.kill();
    await controller?.kill();
    await cluster?.close();
    built?.end();
  });

  test('a claim becomes Ready, with outputs, links and columns', async () => {
    apply(store('one', { accounts: ['data'], notes: 'hello' }));
    await until('Ready', is('one', 'Ready', 'True Ready'));
    const claim = (await claimOf(cluster, 'one'))!;
    expect(conditionOf(claim, 'Synced')).toBe('True Applied');
    expect(claim.status).toMatchObject({ observedGeneration: 1, links: { portal: 'https://portal.example.com/shop/one' } });
    expect(claim.status!.outputs).toEqual({ tier: 'Hot', pods: 'unknown', group: expect.stringMatching(/resourceGroups\/shop-one$/) });
    expect(claim.status!.objects).toHaveLength(3);
    expect(claim.metadata.annotations).toMatchObject({
      'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap,ResourceGroup.resources.azure.com,StorageAccount.storage.azure.com',
    });
    expect(kubectl(cluster, 'get', 'stores', '-n', 'shop')).toMatch(/NAME +TIER +SYNCED +READY +REASON +AGE\none +Hot +True +True +Ready/);
    const members = kubectl(cluster, 'get', 'configmaps', '-n', 'shop', '-l', `applyset.kubernetes.io/part-of=${claim.metadata.labels!['applyset.kubernetes.io/id']}`, '-o', 'name');
    expect(members.trim()).toBe('configmap/one-notes');
  });

  test('an edit changes objects, a removed object is pruned, what others change comes back', async () => {
    const before = (await statusOf(cluster, 'one')).objects!.find(({ kind }) => kind === 'StorageAccount')!.uid;
    apply(store('one', { accounts: ['data', 'logs'], tier: 'Cool' }));
    await until('the new account', async () => (await get('storageaccount', 'one-logs'))?.spec.accessTier === 'Cool' && (await get('storageaccount', 'one-data')).spec.accessTier === 'Cool');
    await until('the ConfigMap is pruned', async () => await get('configmap', 'one-notes') === undefined);
    expect((await get('storageaccount', 'one-data')).metadata.uid).toBe(before);
    kubectl(cluster, 'patch', 'storageaccount', 'one-data', '-n', 'shop', '--type=merge', '-p', '{"spec":{"accessTier":"Hot"}}');
    await until('the tier is back', async () => (await get('storageaccount', 'one-data')).spec.accessTier === 'Cool');
    apply(store('one', { accounts: ['data'] }));
    await until('the account is pruned', async () => await get('storageaccount', 'one-logs') === undefined);
    await until('Ready', async () => await is('one', 'Ready', 'True Ready')() && await isObserved(cluster, 'one'));
    expect((await statusOf(cluster, 'one')).objects).toHaveLength(2);
  });

  test('objects that a claim reads: missing, there, changed, changed while the composer is dead; a status is an output', async () => {
    const location = async () => (await get('resourcegroup', 'far'))?.spec.tags.location;
    const region = (to: string) => apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'north', namespace: 'shop' }, data: { location: to } });
    apply(store('far', { region: 'north' }));
    await until('it says what is missing', is('far', 'Synced', 'False ComposeFailed'));
    expect((await statusOf(cluster, 'far')).conditions!.find(({ type }) => type === 'Synced')!.message).toBe('there is no region north');
    region('northeurope');
    await until('the region', async () => await location() === 'northeurope');
    await until('Ready', is('far', 'Ready', 'True Ready'));
    region('uksouth');
    await until('another region', async () => await location() === 'uksouth');
    await composer.kill();
    region('ukwest');
    composer = startComposer(cluster, built.bundle, ['--leader-elect=false']);
    await until('the region of the time when it was dead', async () => await location() === 'ukwest');
    // The claim is Ready from before until the controller has begun: the group itself says which generation is Ready.
    const isCurrent = async () => {
      const { metadata: { generation }, status } = await get('resourcegroup', 'far');
      const conditions = status.conditions as readonly { type: string; status: string; observedGeneration: number }[];
      return conditions.some(({ type, status: state, observedGeneration }) => type === 'Ready' && state === 'True' && observedGeneration === generation);
    };
    await until('Ready again', async () => await is('far', 'Ready', 'True Ready')() && await isCurrent());
    const { metadata: { resourceVersion } } = await get('resourcegroup', 'far');
    apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'far', namespace: 'shop' }, spec: { hard: { pods: '9' } } });
    for (const pods of ['3', '4', '7']) {
      kubectl(cluster, 'patch', 'resourcequota', 'far', '-n', 'shop', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { used: { pods } } }));
    }
    await until('the use of the quota', async () => (await statusOf(cluster, 'far')).outputs?.pods === '7');
    expect((await get('resourcegroup', 'far')).metadata.resourceVersion).toBe(resourceVersion);
    kubectl(cluster, 'delete', 'store', 'far', '-n', 'shop', '--timeout=60s');
  });

  test('an object of somebody else is left alone', async () => {
    apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two-notes', namespace: 'shop' }, data: { mine: 'yes' } });
    apply(store('two', { notes: 'ours' }));
    await until('ObjectExists', is('two', 'Synced', 'False ObjectExists'));
    expect((await get('configmap', 'two-notes')).data).toEqual({ mine: 'yes' });
    expect((await get('configmap', 'two-notes')).metadata.labels).toBeUndefined();
    kubectl(cluster, 'delete', 'store', 'two', '-n', 'shop', '--timeout=60s');
    expect((await get('configmap', 'two-notes')).data).toEqual({ mine: 'yes' });
    expect(await get('resourcegroup', 'two')).toBeUndefined();
  });

  test('each mistake has its condition, and the other claims go on', async () => {
    const reasons = { 'throws': 'ComposeFailed', 'endless': 'TooSlow', 'too-many': 'TooManyObjects', 'not-declared': 'KindNotDeclared' };
    apply(...Object.keys(reasons).map((mistake) => store(mistake, { mistake })), store('invalid', { accounts: ['x', 'x'] }), store('fine', {}));
    await until('the sound claim', is('fine', 'Ready', 'True Ready'));
    for (const [mistake, reason] of Object.entries({ ...reasons, invalid: 'InvalidSpec' })) {
      await until(mistake, is(mistake, 'Synced', `False ${reason}`));
      expect((await statusOf(cluster, mistake)).objects).toEqual([]);
    }
    expect(kubectl(cluster, 'get', 'events', '-n', 'shop', '--field-selector', 'involvedObject.name=throws')).toContain('no region is free');
    kubectl(cluster, 'delete', 'stores', '-n', 'shop', ...Object.keys(reasons), 'invalid', 'fine', '--timeout=60s');
  });

  test('kill -9 while it works: nothing is made twice, nothing is left behind', async () => {
    apply(store('three', { accounts: ['a', 'b', 'c'], notes: 'x' }));
    await until('it has begun', async () => ((await statusOf(cluster, 'three')).objects?.length ?? 0) > 0);
    await composer.kill();
    apply(store('three', { accounts: ['b', 'c', 'd'] }));
    composer = startComposer(cluster, built.bundle, ['--leader-elect=false']);
    await until('Ready', async () => await is('three', 'Ready', 'True Ready')() && await isObserved(cluster, 'three'));
    await until('the rest is gone', async () => await get('configmap', 'three-notes') === undefined && await get('storageaccount', 'three-a') === undefined);
    const accounts = kubectl(cluster, 'get', 'storageaccounts', '-n', 'shop', '-o', 'name').trim().split('\n').filter((name) => name.includes('three-'));
    expect(accounts.map((name) => name.split('/')[1]).sort()).toEqual(['three-b', 'three-c', 'three-d']);
    const created = ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests.filter((one) => one.created).map(({ path }) => path.toLowerCase());
    expect(new Set(created).size).toBe(created.length);
  });

  test('a deletion goes from the end to the owner, and the claim goes last', async () => {
    kubectl(cluster, 'delete', 'store', 'three', '-n', 'shop', '--timeout=100s');
    expect(kubectl(cluster, 'get', 'storageaccounts,resourcegroups', '-n', 'shop', '-o', 'name')).not.toContain('three');
    const deleted = ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests
      .filter(({ method, path, poll }) => method === 'DELETE' && !poll && path.toLowerCase().includes('shop-three')).map(({ path }) => path.toLowerCase());
    expect(deleted.findIndex((path) => /shop-three(\?|$)/.test(path))).toBe(deleted.length - 1);
    expect(deleted.length).toBeGreaterThan(3);
  });

  test('a namespace that is being deleted: its claims go with it, and nothing of others moves', async () => {
    if (!cluster.deletesNamespaces) return; // the line about it is printed once (real-kubernetes.ts)
    const { metadata: { resourceVersion } } = await get('resourcegroup', 'one');
    kubectl(cluster, 'create', 'namespace', 'leaving');
    const leaving = (spec: object) => apply({ ...store('last', spec), metadata: { name: 'last', namespace: 'leaving' } });
    leaving({ accounts: ['data'], notes: 'x' });
    await until('Ready', async () => conditionOf(await claimOf(cluster, 'last', 'leaving'), 'Ready') === 'True Ready');
    kubectl(cluster, 'delete', 'namespace', 'leaving', '--wait=false');
    await until('the namespace is gone', async () => await cluster.api.find('/api/v1/namespaces/leaving') === undefined);
    const { value: resources } = (await cluster.azure('/__resources')) as { value: { id: string }[] };
    expect(resources.filter(({ id }) => id.toLowerCase().includes('leaving'))).toEqual([]);
    expect((await get('resourcegroup', 'one')).metadata.resourceVersion).toBe(resourceVersion);
    expect(await is('one', 'Ready', 'True Ready')()).toBe(true);
  });

  test('a deleted CRD: its claims go, their objects stay, and belong to the claims again when these are back', async () => {
    const { metadata: { uid } } = await get('resourcegroup', 'one');
    kubectl(cluster, 'delete', 'crd', 'stores.platform.example.com', '--timeout=60s');
    expect((await get('resourcegroup', 'one')).metadata).toMatchObject({ uid });
    expect(await get('storageaccount', 'one-data')).toBeDefined();
    kubectl(cluster, 'apply', '--server-side', '-f', built.crds);
    kubectl(cluster, 'wait', '--for=condition=Established', 'crd/stores.platform.example.com', '--timeout=30s');
    await until('the kind is served', () => {
      try {
        apply(store('one', { accounts: ['data'] }));
        return true;
      } catch {
        return false;
      }
    });
    await until('Ready', is('one', 'Ready', 'True Ready'));
    expect((await statusOf(cluster, 'one')).objects!.find(({ kind }) => kind === 'ResourceGroup')!.uid).toBe(uid);
  });

  test('a second composer of the kind waits; a new revision pauses at the claim that it cannot compose', async () => {
    apply(store('three', {}), store('two', {}));
    for (const name of ['one', 'two', 'three']) await until(`${name} is Ready`, is(name, 'Ready', 'True Ready'));
    await composer.stop();
    const broken = buildStore((code) => code.replace(/=(\w+)\.spec;if\((\w+)==="throws"\)/, '=$1.spec;if($2==="throws"||$1.name==="three")'));
    composer = startComposer(cluster, broken.bundle);
    const second = startComposer(cluster, broken.bundle);
    try {
      await until('the rollout is paused', () => (composer.log() + second.log()).includes('the rollout is paused'));
      await until('the other waits', () => [composer, second].some((one) => one.log().includes('waits: another composer works on this kind')));
      const revisions = Object.fromEntries(await Promise.all(
        ['one', 'two', 'three'].map(async (name) => [name, (await statusOf(cluster, name)).definition] as const),
      ));
      expect(revisions.one).not.toBe(revisions.three);
      // The order is one, three, two.
      expect(revisions.two).toBe(revisions.three);
      expect(conditionOf(await claimOf(cluster, 'three'), 'Synced')).toBe('False ComposeFailed');
      expect(await get('resourcegroup', 'three')).toBeDefined();
      kubectl(cluster, 'annotate', 'store', 'three', '-n', 'shop', `aso.cdk8s.io/continue-rollout=${revisions.one}`);
      await until('the next claim has the revision', async () => (await statusOf(cluster, 'two')).definition === revisions.one);
    } finally {
      await second.kill();
      await composer.kill();
      broken.end();
    }
    composer = startComposer(cluster, built.bundle, ['--leader-elect=false']);
    await until('the former revision', () => areApplied('one', 'two', 'three'));
  });

  test('a stored claim that a later schema refuses has its condition, can be deleted, and disturbs no other', async () => {
    await composer.stop();
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/tier';
    kubectl(cluster, 'patch', 'crd', 'stores.platform.example.com', '--type=json', '-p', JSON.stringify([{ op: 'replace', path, value: { type: 'integer' } }]));
    const later = buildStore((code) => code.replaceAll('"Hot"', '"Warm"'));
    composer = startComposer(cluster, later.bundle, ['--leader-elect=false']);
    try {
      await until('the condition', is('one', 'Synced', 'False InvalidSpec'));
      await until('the rollout is paused', () => composer.log().includes('the rollout is paused'));
      kubectl(cluster, 'delete', 'store', 'one', '-n', 'shop', '--timeout=60s');
      expect([await get('resourcegroup', 'one'), await get('storageaccount', 'one-data')]).toEqual([undefined, undefined]);
      await until('the next claim has its turn', is('three', 'Synced', 'False InvalidSpec'));
      expect(conditionOf(await claimOf(cluster, 'two'), 'Synced')).toBe('True Applied');
      for (const name of ['two', 'three']) expect(await get('resourcegroup', name)).toBeDefined();
    } finally {
      await composer.kill();
      later.end();
    }
    kubectl(cluster, 'apply', '--server-side', '--force-conflicts', '-f', built.crds);
    composer = startComposer(cluster, built.bundle, ['--leader-elect=false']);
    await until('the former revision', () => areApplied('two', 'three'));
  });

  test('it ends within its grace period', async () => {
    const control = await ControlProcess.start();
    // 10 s of an idle machine.
    expect(await control.during(async () => expect(await composer.stop()).toBe(0))).toBeLessThan(10_000 / BEAT_MS);
    await control.close();
  });
});
