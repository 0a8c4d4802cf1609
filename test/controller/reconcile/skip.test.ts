import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, NAMESPACES, object, TestEnvironment } from './harness';
import { annotation } from '../../../engine/objects/annotations';
import { POLLER_TOKEN, RECONCILE_POLICY } from '../../../src/azure/annotations';

const HOUR = 3_600_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

test('policy skip: claimed, read, never sent', async () => {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'here' }, polls: 0 });
  await environment.cluster.create(GROUPS, {
    ...group(),
    metadata: { name: 'rg', namespace: 'default', annotations: { [RECONCILE_POLICY]: 'skip' } },
  });
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'here' });
  expect(environment.azure.count('PUT')).toBe(0);
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
  await settled();
  expect(environment.azure.count('PUT')).toBe(1);
});

test('a failover, skip to manage, sends nothing where nothing differs', async () => {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  await environment.cluster.create(GROUPS, {
    ...group(),
    metadata: { name: 'rg', namespace: 'default', annotations: { [RECONCILE_POLICY]: 'skip' } },
  });
  await environment.start();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
  await settled();
  await environment.clock.advance(2 * 3_600_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(0);
});

test('the same after a restart under skip', async () => {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  await environment.cluster.create(GROUPS, {
    ...group(),
    metadata: { name: 'rg', namespace: 'default', annotations: { [RECONCILE_POLICY]: 'skip' } },
  });
  await environment.start();
  await environment.kill();
  await environment.start();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(0);
});

test('a second object for the same resource sends nothing where nothing differs', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.azure.count('PUT')).toBe(1);
  const second = (name: string, location: string) => object(GROUPS, name, { location, azureName: 'RG' });
  await environment.cluster.create(GROUPS, second('same', 'westeurope'));
  await settled();
  expect(environment.ready(GROUPS, 'same')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
  await environment.cluster.create(GROUPS, second('other', 'elsewhere'));
  await settled();
  expect(environment.azure.count('PUT')).toBe(2);
});

test('policy skip and absent: a warning, and the timer', async () => {
  await environment.cluster.create(NAMESPACES, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', annotations: { [RECONCILE_POLICY]: 'skip' } },
  });
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
  await environment.cluster.annotate(NAMESPACES, undefined, 'default', { [RECONCILE_POLICY]: null });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

describe('an operation that runs when the policy becomes skip', () => {
  /** Azure is at a PUT of the object for as long as somebody looks. */
  async function operating(): Promise<string[]> {
    const refused: string[] = [];
    const { azure } = environment;
    azure.polls = 1_000;
    azure.intercept = ({ method, url }) => {
      if (method !== 'PUT' || (azure.resources.get(GROUP_ID.toLowerCase())?.polls ?? 0) === 0) return undefined;
      refused.push(url);
      return { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: 'it is being written' } } };
    };
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    await environment.clock.advance(1_000);
    expect(annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toBeDefined();
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'skip' });
    await environment.clock.advance(1_000);
    expect(annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toBeUndefined();
    return refused;
  }

  const manage = () => environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });

  test('is waited for when the policy is manage again: nothing is sent into it', async () => {
    const refused = await operating();
    await manage();
    await environment.clock.advance(120_000);
    expect(refused).toEqual([]);
    environment.azure.resources.get(GROUP_ID.toLowerCase())!.polls = 1;
    await environment.clock.advance(120_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.count('PUT')).toBe(1);
  });

  test('an edit of meanwhile is sent when it is over', async () => {
    const refused = await operating();
    await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
    await settled();
    await manage();
    await environment.clock.advance(120_000);
    expect(refused).toEqual([]);
    environment.azure.resources.get(GROUP_ID.toLowerCase())!.polls = 1;
    environment.azure.polls = 0;
    await environment.clock.advance(120_000);
    expect(environment.azure.bodies.at(-1)).toMatchObject({ tags: { a: 'b' } });
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
  });
});

/** A group that does not exist in Azure, under `skip`. */
async function absentUnderSkip(syncPeriod?: number | 'never'): Promise<void> {
  const metadata = { name: 'rg', namespace: 'default', annotations: { [RECONCILE_POLICY]: 'skip' } };
  await environment.cluster.create(GROUPS, { ...group(), metadata });
  await environment.start(syncPeriod === undefined ? {} : { syncPeriod });
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
}

/** Requests in a span of time, in milliseconds. */
async function requestsIn(span: number): Promise<number> {
  const before = environment.azure.requests.length;
  await environment.clock.advance(span);
  return environment.azure.requests.length - before;
}

test('polls of what does not exist under skip begin early, and thin out to one a sync period', async () => {
  await absentUnderSkip();
  expect(await requestsIn(60_000)).toBe(5);
  expect(await requestsIn(HOUR - 60_000)).toBeLessThanOrEqual(7);
  expect(await requestsIn(2 * HOUR)).toBeLessThanOrEqual(3);
  expect(await requestsIn(24 * HOUR)).toBeLessThanOrEqual(32);
  expect(environment.azure.count('PUT')).toBe(0);
});

test('without a sync period they end at one an hour', async () => {
  await absentUnderSkip('never');
  await environment.clock.advance(3 * HOUR);
  expect(await requestsIn(24 * HOUR)).toBeLessThanOrEqual(32);
});

test('what comes into being is seen after at most as long again as it was waited for', async () => {
  await absentUnderSkip();
  await environment.clock.advance(100_000);
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'here' }, polls: 0 });
  await environment.clock.advance(105_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('a policy that changes from skip to manage sends at once what was just seen to be absent', async () => {
  await absentUnderSkip();
  expect(await requestsIn(0)).toBe(0);
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'manage' });
  await settled();
  expect(environment.azure.requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'PUT']);
});

test('… but looks again where that was minutes ago', async () => {
  await absentUnderSkip();
  await environment.clock.advance(188_000);
  const before = environment.azure.requests.length;
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'manage' });
  await settled();
  expect(environment.azure.requests.slice(before).map((request) => request.split(' ')[0])).toEqual(['GET', 'PUT']);
});
