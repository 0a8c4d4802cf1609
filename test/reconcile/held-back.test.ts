import { FakeAzure } from './fake-azure';
import { group, GROUP_ID, GROUPS, inWorldsOfTheirOwn, World, type WorldSettings } from './harness';
import { HeldBackError } from '../../controller/budget';
import type { ArmRequest } from '../../engine/arm/types';

let world: World;
inWorldsOfTheirOwn((made) => (world = made));

const methods = () => world.azure.requests.map((request) => request.split(' ')[0]);

/** A budget that has no room for the first requests of a method. */
function noRoomFor(method: ArmRequest['method'], times: number): WorldSettings['budget'] {
  let left = times;
  return {
    forget: () => undefined,
    clientFor: ({ client }, use) => ({
      ...client,
      send: async (request, signal) => {
        if (request.method === method && left > 0) {
          left -= 1;
          use.onHeldBack!(new HeldBackError('writes of the subscription', 1000));
          signal!.throwIfAborted();
        }
        return client.send(request, signal);
      },
    }),
  };
}

test('a PUT that was held back was not sent: the next reconcile sends it without a look', async () => {
  await world.cluster.create(GROUPS, group());
  await world.start({ budget: noRoomFor('PUT', 3) });
  expect(methods()).toEqual([]);
  await world.clock.advance(5_000);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(methods()).toEqual(['PUT', 'GET']);
});

test('what was in doubt before a PUT was held back still is', async () => {
  world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'elsewhere' }, polls: 0 });
  await world.cluster.create(GROUPS, group());
  let lost = 1;
  world.azure.after = ({ method }: ArmRequest) => {
    if (method === 'PUT' && lost-- > 0) throw new Error('the process stumbles over the answer');
  };
  await world.start();
  world.errors.length = 0;
  await world.kill();
  world.azure.requests.length = 0;
  world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  await world.start({ budget: noRoomFor('PUT', 1) });
  await world.clock.advance(5_000);
  expect(methods()).toEqual(['GET', 'GET', 'PUT', 'GET']);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('the reads of an object do not depend on how often it was held back', async () => {
  const reads = async (times: number): Promise<number> => {
    const other = new World();
    await other.cluster.create(GROUPS, group());
    await other.start({ budget: noRoomFor('PUT', times) });
    await other.clock.advance(60_000);
    await other.kill();
    expect(other.azure).toBeInstanceOf(FakeAzure);
    return other.azure.count('GET');
  };
  expect([await reads(0), await reads(1), await reads(10)]).toEqual([1, 1, 1]);
});
