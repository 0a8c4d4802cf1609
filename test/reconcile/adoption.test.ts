import { settled } from './fake-clock';
import { Crash, GROUP_ID, group, GROUPS, World } from './harness';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ADOPT, annotation, FINALIZER, LATEST_GENERATION, PUT_RECORD, RECONCILE_POLICY, RESOURCE_ID, withAnnotations } from '../../engine/objects/annotations';

const PATH = GROUP_ID.toLowerCase();
const declared = (adopt: string, more: Record<string, string> = {}): KubernetesObject => withAnnotations(group(), { [ADOPT]: adopt, ...more });

/** Somebody else's resource group. */
function foreign(world: World): void {
  world.azure.resources.set(PATH, { body: { id: GROUP_ID, location: 'northeurope', tags: { of: 'somebody else' } }, polls: 0 });
}

async function worldWith(object: KubernetesObject, there = false): Promise<World> {
  const world = new World();
  if (there) foreign(world);
  await world.cluster.create(GROUPS, object);
  await world.start();
  return world;
}

const record = (world: World) => JSON.parse(annotation(world.stored(GROUPS, 'rg')!, PUT_RECORD) ?? 'null') as unknown;

describe('IfPresent', () => {
  test('what is not there is waited for, and never created', async () => {
    const world = await worldWith(declared('IfPresent'));
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning', reason: 'AzureResourceNotFound', message: expect.stringContaining('keeps this controller from creating it') });
    await world.clock.advance(600_000);
    expect(world.azure.count('PUT')).toBe(0);
    expect(record(world)).toBeNull();
    foreign(world);
    await world.clock.advance(180_000);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
    expect([world.azure.created.size, world.azure.updated.get(GROUP_ID)]).toEqual([0, 1]);
  });

  test('what is there is brought under management at once', async () => {
    const world = await worldWith(declared('IfPresent'), true);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.azure.requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'PUT', 'GET']);
    expect(record(world)).toMatchObject({ answered: true });
  });

  test('what was removed from Azure meanwhile is not made again by a sync', async () => {
    const world = await worldWith(declared('IfPresent'), true);
    world.azure.resources.clear();
    await world.clock.advance(5_000_000);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', reason: 'AzureResourceNotFound' });
    expect(world.azure.created.size).toBe(0);
  });

  test('a deletion before it was brought under management leaves it', async () => {
    const world = await worldWith(declared('IfPresent'));
    foreign(world);
    await world.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(world.stored(GROUPS, 'rg')).toBeUndefined();
    expect(world.azure.count('DELETE')).toBe(0);
  });

  test('a deletion afterwards is one', async () => {
    const world = await worldWith(declared('IfPresent'), true);
    await world.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(world.azure.count('DELETE')).toBe(1);
  });

  test('a crash before the PUT does not pass for one that arrived: the spec is sent', async () => {
    const world = new World();
    foreign(world);
    await world.cluster.create(GROUPS, declared('IfPresent'));
    world.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before the PUT');
    };
    await world.start();
    expect(record(world)).toMatchObject({ answered: false, found: 'resource' });
    world.azure.before = () => undefined;
    await world.start();
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.azure.updated.get(GROUP_ID)).toBe(1);
  });
});

describe('Never', () => {
  test('what is there is left alone, and the condition says why', async () => {
    const world = await worldWith(declared('Never'), true);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning', reason: 'ResourceAlreadyExists', message: expect.stringContaining('was not created by this object') });
    await world.clock.advance(600_000);
    expect(world.azure.count('PUT')).toBe(0);
  });

  test('the object of what was left alone is deleted without a request', async () => {
    const world = await worldWith(declared('Never'), true);
    expect(world.stored(GROUPS, 'rg')!.metadata.finalizers).toContain(FINALIZER);
    await world.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(world.stored(GROUPS, 'rg')).toBeUndefined();
    expect([world.azure.count('DELETE'), world.azure.resources.has(PATH)]).toEqual([0, true]);
  });

  test('what is not there is created, kept in sync and deleted', async () => {
    const world = await worldWith(declared('Never'));
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    await world.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
    await settled();
    expect([world.azure.created.get(GROUP_ID), world.azure.updated.get(GROUP_ID)]).toEqual([1, 1]);
    await world.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(world.azure.count('DELETE')).toBe(1);
  });

  test('when the other one has gone it is created', async () => {
    const world = await worldWith(declared('Never'), true);
    world.azure.resources.clear();
    await world.clock.advance(180_000);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.azure.created.get(GROUP_ID)).toBe(1);
  });

  test('after a refusal Azure is looked at anew', async () => {
    const world = new World();
    let refused = false;
    world.azure.intercept = ({ method }) => {
      if (method !== 'PUT' || refused) return undefined;
      refused = true;
      foreign(world);
      return { status: 409, body: { error: { code: 'Conflict', message: 'somebody is faster' } } };
    };
    await world.cluster.create(GROUPS, declared('Never'));
    await world.start();
    await world.clock.advance(60_000);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ reason: 'ResourceAlreadyExists' });
    expect(world.azure.count('PUT')).toBe(1);
    await world.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(world.azure.count('DELETE')).toBe(0);
  });

  test.each([['no systemData', undefined], ['systemData', 'now']])('a crash at any point: what it has created is never taken for another\'s, %s', async (_, created) => {
    for (let point = 1; ; point += 1) {
      const world = new World();
      await world.cluster.create(GROUPS, declared('Never'));
      let passed = 0;
      const step = () => {
        passed += 1;
        if (passed < point) return;
        if (passed === point) void world.kill();
        throw new Crash(`at point ${point}`);
      };
      Object.assign(world.azure, { before: step, after: step });
      Object.assign(world.cluster, { before: step, after: step });
      await world.start();
      const nothing = () => undefined;
      Object.assign(world.azure, { before: nothing, after: nothing });
      Object.assign(world.cluster, { before: nothing, after: nothing });
      const there = world.azure.resources.get(PATH);
      if (there && created) there.body.systemData = { createdAt: new Date(world.clock.now()).toISOString() };
      if (passed < point) {
        expect(point).toBeGreaterThan(10);
        break;
      }
      await world.start();
      await world.clock.advance(10_000);
      expect([point, world.ready(GROUPS, 'rg')?.status, world.azure.created.get(GROUP_ID), world.azure.updated.size]).toEqual([point, 'True', 1, 0]);
      await world.cluster.delete(GROUPS, 'rg', 'default');
      await settled();
      expect(world.azure.resources.size).toBe(0);
      await world.kill();
    }
  });

  test('a crash at any point: what was there before is never touched', async () => {
    for (let point = 1; point < 12; point += 1) {
      const world = new World();
      foreign(world);
      await world.cluster.create(GROUPS, declared('Never'));
      let passed = 0;
      world.cluster.after = () => {
        passed += 1;
        if (passed === point) throw new Crash(`at point ${point}`);
      };
      await world.start();
      world.cluster.after = () => undefined;
      await world.start();
      await world.clock.advance(10_000);
      expect([point, world.ready(GROUPS, 'rg')?.reason, world.azure.count('PUT')]).toEqual([point, 'ResourceAlreadyExists', 0]);
      await world.kill();
    }
  });

  test('what ASO has created counts as the object\'s own', async () => {
    const object = declared('Never', { [RESOURCE_ID]: GROUP_ID, [LATEST_GENERATION]: '1' });
    const world = await worldWith({ ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } }, true);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  });
});

describe('with reconcile policies', () => {
  test('skip first, then manage: Never refuses, IfPresent takes over, each at once', async () => {
    const world = await worldWith(declared('Never', { [RECONCILE_POLICY]: 'skip' }), true);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'northeurope' });
    await world.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
    await settled();
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ reason: 'ResourceAlreadyExists' });
    await world.cluster.annotate(GROUPS, 'default', 'rg', { [ADOPT]: 'IfPresent' });
    await settled();
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.azure.updated.get(GROUP_ID)).toBe(1);
  });

  test('OrCreate is what happens without a declaration', async () => {
    const requests: string[][] = [];
    for (const object of [group(), declared('OrCreate')]) {
      for (const there of [false, true]) requests.push((await worldWith(object, there)).azure.requests);
    }
    expect(requests.map((one) => one.map((request) => request.split(' ')[0]))).toEqual(Array(4).fill(['PUT', 'GET']));
  });

  test('a value that is none stops everything but a deletion, which leaves Azure alone', async () => {
    const world = await worldWith(declared('ifPresent'), true);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Error', reason: 'Failed', message: 'annotation aso.cdk8s.io/adopt holds "ifPresent": write IfPresent, OrCreate, Never, or remove it (then it is OrCreate)' });
    await world.cluster.annotate(GROUPS, 'default', 'rg', { [ADOPT]: 'IfPresent' });
    await settled();
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  });
});
