import { settled } from './fake-clock';
import { Crash, GROUP_ID, group, GROUPS, TestEnvironment } from './harness';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { ADOPT, FINALIZER, LATEST_GENERATION, PUT_RECORD, RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';

const PATH = GROUP_ID.toLowerCase();
const declared = (adopt: string, more: Record<string, string> = {}): KubernetesObject =>
  withAnnotations(group(), { [ADOPT]: adopt, ...more });

/** A resource group of another owner. */
function foreign(environment: TestEnvironment): void {
  environment.azure.resources.set(PATH, { body: { id: GROUP_ID, location: 'northeurope', tags: { of: 'somebody else' } }, polls: 0 });
}

async function environmentWith(object: KubernetesObject, there = false): Promise<TestEnvironment> {
  const environment = new TestEnvironment();
  if (there) foreign(environment);
  await environment.cluster.create(GROUPS, object);
  await environment.start();
  return environment;
}

const record = (environment: TestEnvironment) => JSON.parse(annotation(environment.stored(GROUPS, 'rg')!, PUT_RECORD) ?? 'null') as unknown;

describe('IfPresent', () => {
  test('what is not there is waited for, and never created', async () => {
    const environment = await environmentWith(declared('IfPresent'));
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'AzureResourceNotFound',
      message: expect.stringContaining('keeps this controller from creating it'),
    });
    await environment.clock.advance(600_000);
    expect(environment.azure.count('PUT')).toBe(0);
    expect(record(environment)).toBeNull();
    foreign(environment);
    await environment.clock.advance(600_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
    expect([environment.azure.created.size, environment.azure.updated.get(GROUP_ID)]).toEqual([0, 1]);
  });

  test('what is there is brought under management at once', async () => {
    const environment = await environmentWith(declared('IfPresent'), true);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'PUT']);
    expect(record(environment)).toMatchObject({ answered: true });
  });

  test('what was removed from Azure meanwhile is not made again by a sync', async () => {
    const environment = await environmentWith(declared('IfPresent'), true);
    environment.azure.resources.clear();
    await environment.clock.advance(5_000_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', reason: 'AzureResourceNotFound' });
    expect(environment.azure.created.size).toBe(0);
  });

  test('a deletion before it was brought under management leaves it', async () => {
    const environment = await environmentWith(declared('IfPresent'));
    foreign(environment);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    expect(environment.azure.count('DELETE')).toBe(0);
  });

  test('a deletion afterwards is one', async () => {
    const environment = await environmentWith(declared('IfPresent'), true);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.azure.count('DELETE')).toBe(1);
  });

  test('a crash before the PUT does not pass for one that arrived: the spec is sent', async () => {
    const environment = new TestEnvironment();
    foreign(environment);
    await environment.cluster.create(GROUPS, declared('IfPresent'));
    environment.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before the PUT');
    };
    await environment.start();
    expect(record(environment)).toMatchObject({ answered: false, found: 'resource' });
    environment.azure.before = () => undefined;
    await environment.start();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.updated.get(GROUP_ID)).toBe(1);
  });
});

describe('Never', () => {
  test('what is there is left alone, and the condition says why', async () => {
    const environment = await environmentWith(declared('Never'), true);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'ResourceAlreadyExists',
      message: expect.stringContaining('was not created by this object'),
    });
    await environment.clock.advance(600_000);
    expect(environment.azure.count('PUT')).toBe(0);
  });

  test('the object of what was left alone is deleted without a request', async () => {
    const environment = await environmentWith(declared('Never'), true);
    expect(environment.stored(GROUPS, 'rg')!.metadata.finalizers).toContain(FINALIZER);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    expect([environment.azure.count('DELETE'), environment.azure.resources.has(PATH)]).toEqual([0, true]);
  });

  test('what is not there is created, kept in sync and deleted', async () => {
    const environment = await environmentWith(declared('Never'));
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
    await settled();
    expect([environment.azure.created.get(GROUP_ID), environment.azure.updated.get(GROUP_ID)]).toEqual([1, 1]);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.azure.count('DELETE')).toBe(1);
  });

  test('when the other one has gone it is created', async () => {
    const environment = await environmentWith(declared('Never'), true);
    environment.azure.resources.clear();
    await environment.clock.advance(180_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.created.get(GROUP_ID)).toBe(1);
  });

  test('after a refusal Azure is looked at anew', async () => {
    const environment = new TestEnvironment();
    let refused = false;
    environment.azure.intercept = ({ method }) => {
      if (method !== 'PUT' || refused) return undefined;
      refused = true;
      foreign(environment);
      return { status: 409, body: { error: { code: 'Conflict', message: 'somebody is faster' } } };
    };
    await environment.cluster.create(GROUPS, declared('Never'));
    await environment.start();
    await environment.clock.advance(60_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'ResourceAlreadyExists' });
    expect(environment.azure.count('PUT')).toBe(1);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.azure.count('DELETE')).toBe(0);
  });

  test.each(['somebody is faster', 'the name is not free'])(
    'an object whose PUT was refused, and that is deleted before it looks again, deletes nothing of another party: %s', async (message) => {
      const environment = new TestEnvironment();
      environment.azure.intercept = ({ method }) => (
        method === 'PUT' ? { status: 409, body: { error: { code: 'Conflict', message } } } : undefined
      );
      await environment.cluster.create(GROUPS, declared('Never'));
      await environment.start();
      expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'Conflict' });
      foreign(environment);
      await environment.cluster.delete(GROUPS, 'rg', 'default');
      await settled();
      expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
      expect([environment.azure.count('DELETE'), environment.azure.resources.has(PATH)]).toEqual([0, true]);
    },
  );

  test.each([
    ['no systemData', undefined],
    ['systemData', 'now'],
  ])("a crash at any point: what it has created is never taken for another's, %s", async (_, created) => {
    for (let point = 1; ; point += 1) {
      const environment = new TestEnvironment();
      await environment.cluster.create(GROUPS, declared('Never'));
      let passed = 0;
      const step = () => {
        passed += 1;
        if (passed < point) return;
        if (passed === point) void environment.kill();
        throw new Crash(`at point ${point}`);
      };
      Object.assign(environment.azure, { before: step, after: step });
      Object.assign(environment.cluster, { before: step, after: step });
      await environment.start();
      const nothing = () => undefined;
      Object.assign(environment.azure, { before: nothing, after: nothing });
      Object.assign(environment.cluster, { before: nothing, after: nothing });
      const there = environment.azure.resources.get(PATH);
      if (there && created) there.body.systemData = { createdAt: new Date(environment.clock.now()).toISOString() };
      if (passed < point) {
        expect(point).toBeGreaterThan(10);
        break;
      }
      await environment.start();
      await environment.clock.advance(10_000);
      expect([
        point,
        environment.ready(GROUPS, 'rg')?.status,
        environment.azure.created.get(GROUP_ID),
        environment.azure.updated.size,
      ]).toEqual([point, 'True', 1, 0]);
      await environment.cluster.delete(GROUPS, 'rg', 'default');
      await settled();
      expect(environment.azure.resources.size).toBe(0);
      await environment.kill();
    }
  });

  test('a crash at any point: what was there before is never touched', async () => {
    for (let point = 1; point < 12; point += 1) {
      const environment = new TestEnvironment();
      foreign(environment);
      await environment.cluster.create(GROUPS, declared('Never'));
      let passed = 0;
      environment.cluster.after = () => {
        passed += 1;
        if (passed === point) throw new Crash(`at point ${point}`);
      };
      await environment.start();
      environment.cluster.after = () => undefined;
      await environment.start();
      await environment.clock.advance(10_000);
      expect([point, environment.ready(GROUPS, 'rg')?.reason, environment.azure.count('PUT')]).toEqual([point, 'ResourceAlreadyExists', 0]);
      await environment.kill();
    }
  });

  test('what ASO has created counts as the object\'s own', async () => {
    const object = declared('Never', { [RESOURCE_ID]: GROUP_ID, [LATEST_GENERATION]: '1' });
    const environment = await environmentWith({ ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } }, true);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  });
});

describe('with reconcile policies', () => {
  test('skip first, then manage: Never refuses, IfPresent takes over, each at once', async () => {
    const environment = await environmentWith(declared('Never', { [RECONCILE_POLICY]: 'skip' }), true);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'northeurope' });
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
    await settled();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'ResourceAlreadyExists' });
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { [ADOPT]: 'IfPresent' });
    await settled();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.updated.get(GROUP_ID)).toBe(1);
  });

  test('OrCreate is what happens without a declaration', async () => {
    const requests: string[][] = [];
    for (const object of [group(), declared('OrCreate')]) {
      for (const there of [false, true]) requests.push((await environmentWith(object, there)).azure.requests);
    }
    expect(requests.map((one) => one.map((request) => request.split(' ')[0]))).toEqual(Array(4).fill(['PUT']));
  });

  test('a value that is none stops everything but a deletion, which leaves Azure alone', async () => {
    const environment = await environmentWith(declared('ifPresent'), true);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      severity: 'Error',
      reason: 'Failed',
      message: 'annotation aso.cdk8s.io/adopt holds "ifPresent": write IfPresent, OrCreate, Never, or remove it (then it is OrCreate)',
    });
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { [ADOPT]: 'IfPresent' });
    await settled();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  });
});
