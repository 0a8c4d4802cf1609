import { settled } from './fake-clock';
import { CONFIG_MAPS, Crash, GROUP_ID, group, GROUPS, IDENTITIES, identity, IDENTITY_ID, World } from './harness';
import { annotation, PUT_RECORD, POLLER_ID, POLLER_TOKEN, withAnnotations } from '../../engine/objects/annotations';

/** Everything that leaves the process, before and after it has arrived: where a process may die. From then on nothing leaves it any more. */
function crashAt(world: World, point: number): () => number {
  let passed = 0;
  const step = () => {
    passed += 1;
    if (passed < point) return;
    if (passed === point) void world.kill();
    throw new Crash(`at point ${point}`);
  };
  Object.assign(world.azure, { before: step, after: step });
  Object.assign(world.cluster, { before: step, after: step });
  return () => passed;
}

function noMoreCrashes(world: World): void {
  const nothing = () => undefined;
  Object.assign(world.azure, { before: nothing, after: nothing });
  Object.assign(world.cluster, { before: nothing, after: nothing });
}

/** The spec exports, and the identity waits for its group. */
async function applied(polls: number): Promise<World> {
  const world = new World();
  world.azure.polls = polls;
  await world.cluster.create(GROUPS, group());
  await world.cluster.create(IDENTITIES, identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } }));
  return world;
}

/** Runs until it crashes or is done; answers whether it crashed. */
async function runInto(world: World): Promise<boolean> {
  await world.start();
  for (let i = 0; i < 60 && world.running; i += 1) await world.clock.advance(1_000);
  return !world.running;
}

function expectDone(world: World): void {
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
  expect(world.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True', reason: 'Succeeded' });
  expect(world.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'westeurope' } });
  for (const [type, name] of [[GROUPS, 'rg'], [IDENTITIES, 'id']] as const) {
    expect(annotation(world.stored(type, name)!, POLLER_TOKEN)).toBeUndefined();
    expect(JSON.parse(annotation(world.stored(type, name)!, PUT_RECORD)!)).toMatchObject({ answered: true });
  }
}

describe.each([['done at once', 0], ['operations of three polls', 3]])('creation, %s', (_, polls) => {
  test('a crash at any point loses nothing and sends nothing twice', async () => {
    let point = 1;
    for (; ; point += 1) {
      const world = await applied(polls);
      const passed = crashAt(world, point);
      const crashed = await runInto(world);
      noMoreCrashes(world);
      if (!crashed) {
        expect(passed()).toBeLessThan(point);
        break;
      }
      await runInto(world);
      try {
        expectDone(world);
        expect(Object.fromEntries(world.azure.created)).toEqual({ [GROUP_ID]: 1, [IDENTITY_ID]: 1 });
        expect(Object.fromEntries(world.azure.updated)).toEqual({});
      } catch (error) {
        throw new Error(`crash at point ${point}: ${(error as Error).message}\n${world.azure.requests.join('\n')}`);
      }
      await world.kill();
    }
    // The walk has been through every write and request of both objects.
    expect(point).toBeGreaterThan(polls > 0 ? 30 : 20);
  });

  test('a second crash during the recovery changes nothing', async () => {
    for (let first = 2; first < 26; first += 4) {
      for (let second = 1; second < 16; second += 3) {
        const world = await applied(polls);
        crashAt(world, first);
        await runInto(world);
        crashAt(world, second);
        await runInto(world);
        noMoreCrashes(world);
        await world.kill();
        await runInto(world);
        expectDone(world);
        expect([first, second, [...world.azure.created.values()], [...world.azure.updated]]).toEqual([first, second, [1, 1], []]);
        await world.kill();
      }
    }
  });
});

test('a change of the spec survives a crash at any point, and creates nothing', async () => {
  for (let point = 1; ; point += 1) {
    const world = await applied(2);
    await runInto(world);
    await world.kill();
    const restarted = world;
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
    const world = await applied(0);
    await runInto(world);
    crashAt(world, point);
    await world.cluster.delete(IDENTITIES, 'id', 'default').catch(() => undefined);
    await settled();
    const crashed = !world.running;
    noMoreCrashes(world);
    // The deletion itself may be what did not arrive.
    if (crashed && !world.stored(IDENTITIES, 'id')?.metadata.deletionTimestamp) await world.cluster.delete(IDENTITIES, 'id', 'default').catch(() => undefined);
    if (crashed) await runInto(world);
    expect(world.stored(IDENTITIES, 'id')).toBeUndefined();
    expect([...world.azure.resources.keys()]).toEqual([GROUP_ID.toLowerCase()]);
    await world.kill();
    if (!crashed) break;
  }
});

describe('a restart', () => {
  test('with everything in sync reads and sends nothing, nor at the next sync', async () => {
    const world = await applied(0);
    await runInto(world);
    await world.kill();
    await world.clock.advance(1_800_000);
    const sent = world.azure.count('PUT');
    await world.start();
    expect(world.azure.count('PUT')).toBe(sent);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    const before = world.azure.requests.length;
    await world.clock.advance(3_600_000);
    expect(world.azure.requests.slice(before).map((request) => request.split(' ')[0])).toEqual(['GET', 'GET']);
    await world.kill();
  });

  test('after the sync was due sends what differs only', async () => {
    const world = await applied(0);
    await runInto(world);
    await world.kill();
    await world.clock.advance(7_200_000);
    const sent = world.azure.count('PUT');
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.start();
    expect(world.azure.count('PUT')).toBe(sent + 1);
    await world.kill();
  });

  test('finds a resource that was deleted meanwhile, and makes it again', async () => {
    const world = await applied(0);
    await runInto(world);
    await world.kill();
    world.azure.resources.delete(IDENTITY_ID.toLowerCase());
    await world.start();
    expect(world.azure.created.get(IDENTITY_ID)).toBe(2);
    await world.kill();
  });

  test('takes over an operation that another operator has begun, by watching the resource', async () => {
    const world = await applied(0);
    await runInto(world);
    await world.kill();
    const stored = world.stored(GROUPS, 'rg')!;
    const foreign = withAnnotations(stored, { [POLLER_TOKEN]: '{"type":"of another program"}', [POLLER_ID]: 'GenericClient.CreateOrUpdateByID' });
    world.cluster.objects.set('resources.azure.com/ResourceGroup/default/rg', foreign);
    const sent = world.azure.count('PUT');
    await world.start();
    await world.clock.advance(5_000);
    expect(world.azure.count('PUT')).toBe(sent);
    expect(annotation(world.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toBeUndefined();
    await world.kill();
  });

  test('sends the spec over a resource that was there before the object', async () => {
    const world = new World();
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { location: 'elsewhere', systemData: { createdAt: '2020-01-01T00:00:00Z' } }, polls: 0 });
    await world.cluster.create(GROUPS, group());
    world.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before it was sent');
    };
    await world.start();
    noMoreCrashes(world);
    await world.start();
    expect(world.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope' });
    await world.kill();
  });

  test('sends the spec over a resource of which nothing tells since when it is there: it may have come with its parent', async () => {
    const world = new World();
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { location: 'elsewhere' }, polls: 0 });
    await world.cluster.create(GROUPS, group());
    world.azure.before = ({ method }) => {
      if (method === 'PUT') throw new Crash('before it was sent');
    };
    await world.start();
    noMoreCrashes(world);
    await world.start();
    expect(world.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope' });
    await world.kill();
  });
});
