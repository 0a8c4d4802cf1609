import { FakeAzure } from './fake-azure';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, TestEnvironment, type EnvironmentSettings } from './harness';
import { Budget, ThrottledError } from '../../../controller/budget';
import type { ArmRequest } from '../../../engine/arm/types';

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const methods = () => environment.azure.requests.map((request) => request.split(' ')[0]);

/** A budget that has no room for the first requests of a method. */
function noRoomFor(method: ArmRequest['method'], times: number): EnvironmentSettings['budget'] {
  let left = times;
  return {
    forget: () => undefined,
    clientFor: ({ client }, use) => ({
      ...client,
      send: async (request, signal) => {
        if (request.method === method && left > 0) {
          left -= 1;
          use.onThrottled!(new ThrottledError('writes of the subscription', 1000));
          signal!.throwIfAborted();
        }
        return client.send(request, signal);
      },
    }),
  };
}

test('a PUT that was throttled was not sent: the next reconcile sends it without a look', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start({ budget: noRoomFor('PUT', 3) });
  expect(methods()).toEqual([]);
  await environment.clock.advance(5_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(methods()).toEqual(['PUT']);
});

test('what was in doubt before a PUT was throttled still is', async () => {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'elsewhere' }, polls: 0 });
  await environment.cluster.create(GROUPS, group());
  let lost = 1;
  environment.azure.after = ({ method }: ArmRequest) => {
    if (method === 'PUT' && lost-- > 0) throw new Error('the process stumbles over the answer');
  };
  await environment.start();
  environment.errors.length = 0;
  await environment.kill();
  environment.azure.requests.length = 0;
  environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  await environment.start({ budget: noRoomFor('PUT', 1) });
  await environment.clock.advance(5_000);
  expect(methods()).toEqual(['GET', 'GET', 'PUT']);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('the reads of an object do not depend on how often it was throttled', async () => {
  const reads = async (times: number): Promise<number> => {
    const other = new TestEnvironment();
    await other.cluster.create(GROUPS, group());
    await other.start({ budget: noRoomFor('PUT', times) });
    await other.clock.advance(60_000);
    await other.kill();
    expect(other.azure).toBeInstanceOf(FakeAzure);
    return other.azure.count('GET');
  };
  expect([await reads(0), await reads(1), await reads(10)]).toEqual([0, 0, 0]);
});

test('an object that Azure\'s limits keep waiting says so, once, and is Ready when they have room', async () => {
  const { azure, cluster, clock } = environment;
  await cluster.create(GROUPS, group());
  await environment.start({ budget: new Budget({ clock }) });
  await clock.advance(1_000);
  azure.intercept = ({ method }) => (method !== 'PUT' ? undefined : {
    status: 429, headers: { 'retry-after': '60' }, body: { error: { code: 'SubscriptionRequestsThrottled', message: 'no' } },
  });
  await cluster.create(GROUPS, group('first'));
  await clock.advance(1_000);
  azure.intercept = () => undefined;
  await cluster.create(GROUPS, group('second'));
  await clock.advance(30_000);
  const { subscriptionId } = azure;
  expect(environment.ready(GROUPS, 'second')).toMatchObject({
    status: 'False',
    severity: 'Info',
    reason: 'Reconciling',
    message: `Waiting for Azure: its limit for writes of the subscription ${subscriptionId} has no room now. The request is sent as soon as there is`,
  });
  expect(cluster.writes.filter((write) => write === 'status ResourceGroup/second').length).toBeLessThanOrEqual(1);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  await clock.advance(60_000);
  expect(environment.ready(GROUPS, 'second')).toMatchObject({ status: 'True' });
});
