import { withRows } from './rows';
import { Sweep, subjectOf } from '../../controller/sweep';
import { ACCOUNTS, CONFIG_MAPS, FEDERATIONS, group, GROUPS, IDENTITIES, identity, object, QUEUES, World } from '../reconcile/harness';

const HOUR = 3_600_000;
const LAG = 300_000;
let world: World;

beforeEach(() => {
  world = new World();
  withRows(world.azure);
});
afterEach(async () => {
  await world.kill();
  expect(world.errors).toEqual([]);
});

async function start(defaultPolicy: 'manage' | 'skip' = 'manage'): Promise<void> {
  await world.start({
    defaultPolicy,
    sweep: (cluster, credentials) => new Sweep({
      clock: world.clock, syncPeriod: HOUR, lag: LAG, subjectOf: (key) => subjectOf(key, { cluster, credentials, defaultPolicy }),
    }),
  });
}

/** The requests of the next hours, by what they are. */
async function requestsIn(hours: number): Promise<Record<string, number>> {
  const from = world.azure.requests.length;
  await world.clock.advance(hours * HOUR);
  const counts: Record<string, number> = {};
  for (const request of world.azure.requests.slice(from)) {
    const what = request.startsWith('POST') ? 'rows' : request.startsWith('GET') && /federatedIdentityCredentials$|queues$/i.test(request) ? 'list' : request.split(' ')[0];
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);
const idOf = (name: string) => [...world.azure.resources.keys()].find((id) => id.endsWith(`/${name}`))!;

test('at rest a query and a list do for many objects, and what somebody changes is put right', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  for (const index of numbered(20)) await world.cluster.create(IDENTITIES, identity(`id${index}`, { tags: { by: 'us' } }));
  await world.clock.advance(10_000);
  for (const index of numbered(4)) {
    const spec = { owner: { name: 'id0' }, issuer: 'https://i', subject: `s${index}`, audiences: ['a'] };
    await world.cluster.create(FEDERATIONS, object(FEDERATIONS, `fic${index}`, spec));
  }
  // Made, and read once behind a row.
  await world.clock.advance(1.5 * HOUR);
  const before = world.passes.length;
  expect(await requestsIn(6)).toEqual({ rows: 12, list: 6 });
  expect(world.passes.length).toBe(before);

  world.azure.meddle(idOf('id7'), { tags: { by: 'somebody' } });
  world.azure.meddle(idOf('fic2'), { properties: { issuer: 'https://other', subject: 's2', audiences: ['a'] } });
  expect(await requestsIn(1.25)).toMatchObject({ PUT: 2 });
  expect(world.azure.resources.get(idOf('id7'))!.body.tags).toEqual({ by: 'us' });
  expect(world.azure.resources.get(idOf('fic2'))!.body.properties).toMatchObject({ issuer: 'https://i' });
});

test('a resource that somebody has deleted is made again', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  await world.cluster.create(IDENTITIES, identity());
  await world.clock.advance(2.6 * HOUR);
  const id = idOf('id');
  world.azure.resources.delete(id);
  await world.clock.advance(1.3 * HOUR);
  expect(world.azure.resources.has(id)).toBe(true);
});

test('what is only read follows Azure', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  await world.cluster.create(IDENTITIES, identity('id', { tags: { a: 'b' } }));
  await world.clock.advance(0.5 * HOUR);
  await world.kill();
  await start('skip');
  await world.clock.advance(2.6 * HOUR);
  const passes = world.passes.length;
  await world.clock.advance(1.25 * HOUR);
  expect(world.passes.length).toBe(passes);
  world.azure.meddle(idOf('id'), { tags: { a: 'c' } });
  await world.clock.advance(1.3 * HOUR);
  expect(world.stored(IDENTITIES, 'id')!.status).toMatchObject({ tags: { a: 'c' } });
});

test('who exports keys asks for them in every sync', async () => {
  const { intercept } = world.azure;
  world.azure.intercept = (request) => (/listkeys/i.test(request.url) ? { body: { keys: [{ keyName: 'key1', value: 'a' }] } } : intercept(request));
  await world.cluster.create(GROUPS, group());
  await start();
  const spec = { location: 'westeurope', owner: { name: 'rg' }, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  await world.cluster.create(ACCOUNTS, object(ACCOUNTS, 'sa', { ...spec, operatorSpec: { secrets: { key1: { name: 'keys', key: 'one' } } } }));
  await world.clock.advance(3 * HOUR);
  const from = world.azure.requests.length;
  await world.clock.advance(4 * HOUR);
  expect(world.azure.requests.slice(from).filter((request) => /listkeys/i.test(request)).length).toBe(4);
});

test('an export that somebody has removed is written again in the next sync', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  await world.cluster.create(IDENTITIES, identity('id', { operatorSpec: { configMaps: { clientId: { name: 'ids', key: 'client' } } } }));
  await world.clock.advance(2_000);
  world.azure.meddle(idOf('id'), { properties: { clientId: 'c', principalId: 'p', tenantId: 't' } });
  await world.clock.advance(3.2 * HOUR);
  expect(world.stored(CONFIG_MAPS, 'ids')).toMatchObject({ data: { client: 'c' } });
  await world.cluster.delete(CONFIG_MAPS, 'ids', 'default');
  await world.clock.advance(1.3 * HOUR);
  expect(world.stored(CONFIG_MAPS, 'ids')).toMatchObject({ data: { client: 'c' } });
});

test('each resource is read by itself once a day', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  await world.cluster.create(IDENTITIES, identity());
  await world.clock.advance(2 * HOUR);
  const counts = await requestsIn(25);
  expect(counts.GET).toBe(2);
  expect(counts.PUT).toBeUndefined();
});

test('one child alone is read, and queues of no table are listed', async () => {
  await world.cluster.create(GROUPS, group());
  await start();
  const namespace = { by: `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.ServiceBus/namespaces/bus` };
  for (const name of ['q1', 'q2']) await world.cluster.create(QUEUES, object(QUEUES, name, { owner: { armId: namespace.by } }));
  await world.clock.advance(1.5 * HOUR);
  expect(await requestsIn(4)).toEqual({ rows: 4, list: 4 });
  await world.cluster.delete(QUEUES, 'q2', 'default');
  await world.clock.advance(1_000);
  expect(await requestsIn(4)).toMatchObject({ GET: 4 });
});
