import { settled } from './fake-clock';
import { CONFIG_MAPS, Crash, GROUP_ID, group, GROUPS, IDENTITIES, identity, IDENTITY_ID, TestEnvironment } from './harness';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { POLLER_ID, POLLER_TOKEN, PUT_RECORD } from '../../../src/azure/annotations';

/**
 * Everything that leaves the process, before and after it has arrived: where a process may die. From then on nothing leaves it any more.
 */
function crashAt(environment: TestEnvironment, point: number): () => number {
  let passed = 0;
  const step = () => {
    passed += 1;
    if (passed < point) return;
    if (passed === point) void environment.kill();
    throw new Crash(`at point ${point}`);
  };
  Object.assign(environment.azure, { before: step, after: step });
  Object.assign(environment.cluster, { before: step, after: step });
  return () => passed;
}

function noMoreCrashes(environment: TestEnvironment): void {
  const nothing = () => undefined;
  Object.assign(environment.azure, { before: nothing, after: nothing });
  Object.assign(environment.cluster, { before: nothing, after: nothing });
}

/** The spec exports, and the identity waits for its group. */
async function applied(polls: number): Promise<TestEnvironment> {
  const environment = new TestEnvironment();
  environment.azure.polls = polls;
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(
    IDENTITIES,
    identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } }),
  );
  return environment;
}

/** Runs until it crashes or is done; answers whether it crashed. */
async function runInto(environment: TestEnvironment): Promise<boolean> {
  await environment.start();
  for (let i = 0; i < 60 && environment.running; i += 1) await environment.clock.advance(1_000);
  return !environment.running;
}

function expectDone(environment: TestEnvironment): void {
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True', reason: 'Succeeded' });
  expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'westeurope' } });
  for (const [type, name] of [[GROUPS, 'rg'], [IDENTITIES, 'id']] as const) {
    expect(annotation(environment.stored(type, name)!, POLLER_TOKEN)).toBeUndefined();
    expect(JSON.parse(annotation(environment.stored(type, name)!, PUT_RECORD)!)).toMatchObject({ answered: true });
  }
}

describe.each([['done at once', 0], ['operations of three polls', 3]])('creation, %s', (_, polls) => {
  test('a crash at any point loses nothing and sends nothing twice', async () => {
    let point = 1;
    for (; ; point += 1) {
      const environment = await applied(polls);
      const passed = crashAt(environment, point);
      const crashed = await runInto(environment);
      noMoreCrashes(environment);
      if (!crashed) {
        expect(passed()).toBeLessThan(point);
        break;
      }
      await runInto(environment);
      try {
        expectDone(environment);
        expect(Object.fromEntries(environment.azure.created)).toEqual({ [GROUP_ID]: 1, [IDENTITY_ID]: 1 });
        expect(Object.fromEntries(environment.azure.updated)).toEqual({});
      } catch (error) {
        throw new Error(`crash at point ${point}: ${(error as Error).message}\n${environment.azure.requests.join('\n')}`);
      }
      await environment.kill();
    }
    // The walk has been through every write and request of both objects.
    expect(point).toBeGreaterThan(polls > 0 ? 30 : 20);
  });

  test('a second crash during the recovery changes nothing', async () => {
    for (let first = 2; first < 26; first += 4) {
      for (let second = 1; second < 16; second += 3) {
        const environment = await applied(polls);
        crashAt(environment, first);
        await runInto(environment);
        crashAt(environment, second);
        await runInto(environment);
        noMoreCrashes(environment);
        await environment.kill();
        await runInto(environment);
        expectDone(environment);
        expect([first, second, [...environment.azure.created.values()], [...environment.azure.updated]]).toEqual([
          first,
          second,
          [1, 1],
          [],
        ]);
        await environment.kill();
      }
    }
  });
});

test('a change of the spec survives a crash at any point, and creates nothing', async () => {
  for (let point = 1; ; point += 1) {
    const environment = await applied(2);
    await runInto(environment);
    await environment.kill();
    const restarted = environment;
    await restarted.start();
    crashAt(restarted, point);
    await restarted.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } }).catch(() => undefined);
    for (let i = 0; i < 30 && restarted.running; i += 1) await restarted.clock.advance(1_000);
    noMoreCrashes(restarted);
    const crashed = !restarted.running;
    if (crashed) await runInto(restarted);
    await restarted.clock.advance(120_000);
    expect(restarted.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(restarted.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { a: 'b' } });
    expect([point, restarted.azure.created.get(GROUP_ID)]).toEqual([point, 1]);
    await restarted.kill();
    if (!crashed) break;
  }
});

test('a crash during the deletion leaves nothing behind', async () => {
  for (let point = 1; ; point += 1) {
    const environment = await applied(0);
    await runInto(environment);
    crashAt(environment, point);
    await environment.cluster.delete(IDENTITIES, 'id', 'default').catch(() => undefined);
    await settled();
    const crashed = !environment.running;
    noMoreCrashes(environment);
    // The deletion itself may be what did not arrive.
    if (crashed && !environment.stored(IDENTITIES, 'id')?.metadata.deletionTimestamp) {
      await environment.cluster.delete(IDENTITIES, 'id', 'default').catch(() => undefined);
    }
    if (crashed) await runInto(environment);
    expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
    expect([...environment.azure.resources.keys()]).toEqual([GROUP_ID.toLowerCase()]);
    await environment.kill();
    if (!crashed) break;
  }
});

describe('a restart', () => {
  test('with everything in sync reads and sends nothing, nor at the next sync', async () => {
    const environment = await applied(0);
    await runInto(environment);
    await environment.kill();
    await environment.clock.advance(1_800_000);
    const sent = environment.azure.count('PUT');
    await environment.start();
    expect(environment.azure.count('PUT')).toBe(sent);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    const before = environment.azure.requests.length;
    await environment.clock.advance(3_600_000);
    expect(environment.azure.requests.slice(before).map((request) => request.split(' ')[0])).toEqual(['GET', 'GET']);
    await environment.kill();
  });

  test('after the sync was due sends what differs only', async () => {
    const environment = await applied(0);
    await runInto(environment);
    await environment.kill();
    await environment.clock.advance(7_200_000);
    const sent = environment.azure.count('PUT');
    environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await environment.start();
    expect(environment.azure.count('PUT')).toBe(sent + 1);
    await environment.kill();
  });

  test('finds a resource that was deleted meanwhile, and makes it again', async () => {
    const environment = await applied(0);
    await runInto(environment);
    await environment.kill();
    environment.azure.resources.delete(IDENTITY_ID.toLowerCase());
    await environment.start();
    expect(environment.azure.created.get(IDENTITY_ID)).toBe(2);
    await environment.kill();
  });

  test('takes over an operation that another operator has begun, by watching the resource', async () => {
    const environment = await applied(0);
    await runInto(environment);
    await environment.kill();
    const stored = environment.stored(GROUPS, 'rg')!;
    const foreign = withAnnotations(stored, {
      [POLLER_TOKEN]: '{"type":"of another program"}',
      [POLLER_ID]: 'GenericClient.CreateOrUpdateByID',
    });
    environment.cluster.objects.set('resources.azure.com/ResourceGroup/default/rg', foreign);
    const sent = environment.azure.count('PUT');
    await environment.start();
    await environment.clock.advance(5_000);
    expect(environment.azure.count('PUT')).toBe(sent);
    expect(annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toBeUndefined();
    await environment.kill();
  });

  test('sends the spec over a resource that was there before the object', async () => {
    const environment = new TestEnvironment();
    environment.azure.resources.set(GROUP_ID.toLowerCase(), {
      body: { location: 'elsewhere', systemData: { createdAt: '2020-01-01T00:00:00Z' } },
      polls: 0,
    });
    await environment.cluster.create(GROUPS, group());
    environment.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before it was sent');
    };
    await environment.start();
    noMoreCrashes(environment);
    await environment.start();
    expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope' });
    await environment.kill();
  });

  test('sends the spec over a resource of which nothing tells since when it is there: it may have come with its parent', async () => {
    const environment = new TestEnvironment();
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { location: 'elsewhere' }, polls: 0 });
    await environment.cluster.create(GROUPS, group());
    environment.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before it was sent');
    };
    await environment.start();
    noMoreCrashes(environment);
    await environment.start();
    expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope' });
    await environment.kill();
  });
});
