import { withRows } from './rows';
import { BatchDriftDetection, subjectOf } from '../../../controller/drift-detection';
import {
  ACCOUNTS,
  CONFIG_MAPS,
  FEDERATIONS,
  group,
  GROUPS,
  IDENTITIES,
  identity,
  object,
  QUEUES,
  TestEnvironment,
} from '../reconcile/harness';

const HOUR = 3_600_000;
const LAG = 300_000;
let environment: TestEnvironment;

beforeEach(() => {
  environment = new TestEnvironment();
  withRows(environment.azure);
});
afterEach(async () => {
  await environment.kill();
  expect(environment.errors).toEqual([]);
});

async function start(defaultPolicy: 'manage' | 'skip' = 'manage'): Promise<void> {
  await environment.start({
    defaultPolicy,
    driftDetection: (cluster, credentials) => new BatchDriftDetection({
      clock: environment.clock, syncPeriod: HOUR, lag: LAG, subjectOf: (key) => subjectOf(key, { cluster, credentials, defaultPolicy }),
    }),
  });
}

/** The requests of the next hours, by what they are. */
async function requestsIn(hours: number): Promise<Record<string, number>> {
  const from = environment.azure.requests.length;
  await environment.clock.advance(hours * HOUR);
  const counts: Record<string, number> = {};
  for (const request of environment.azure.requests.slice(from)) {
    const what = request.startsWith('POST')
      ? 'rows'
      : request.startsWith('GET') && /federatedIdentityCredentials$|queues$/i.test(request)
        ? 'list'
        : request.split(' ')[0];
    counts[what!] = (counts[what!] ?? 0) + 1;
  }
  return counts;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);
const idOf = (name: string) => [...environment.azure.resources.keys()].find((id) => id.endsWith(`/${name}`))!;

test('at rest a query and a list do for many objects, and what somebody changes is put right', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  for (const index of numbered(20)) await environment.cluster.create(IDENTITIES, identity(`id${index}`, { tags: { by: 'us' } }));
  await environment.clock.advance(10_000);
  for (const index of numbered(4)) {
    const spec = { owner: { name: 'id0' }, issuer: 'https://i', subject: `s${index}`, audiences: ['a'] };
    await environment.cluster.create(FEDERATIONS, object(FEDERATIONS, `fic${index}`, spec));
  }
  // Made, and read once behind a row.
  await environment.clock.advance(1.5 * HOUR);
  const before = environment.reconciles.length;
  expect(await requestsIn(6)).toEqual({ rows: 12, list: 6 });
  expect(environment.reconciles.length).toBe(before);

  environment.azure.meddle(idOf('id7'), { tags: { by: 'somebody' } });
  environment.azure.meddle(idOf('fic2'), { properties: { issuer: 'https://other', subject: 's2', audiences: ['a'] } });
  expect(await requestsIn(1.25)).toMatchObject({ PUT: 2 });
  expect(environment.azure.resources.get(idOf('id7'))!.body.tags).toEqual({ by: 'us' });
  expect(environment.azure.resources.get(idOf('fic2'))!.body.properties).toMatchObject({ issuer: 'https://i' });
});

test('a resource that somebody has deleted is made again', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  await environment.cluster.create(IDENTITIES, identity());
  await environment.clock.advance(2.6 * HOUR);
  const id = idOf('id');
  environment.azure.resources.delete(id);
  await environment.clock.advance(1.3 * HOUR);
  expect(environment.azure.resources.has(id)).toBe(true);
});

test('what is only read follows Azure', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  await environment.cluster.create(IDENTITIES, identity('id', { tags: { a: 'b' } }));
  await environment.clock.advance(0.5 * HOUR);
  await environment.kill();
  await start('skip');
  await environment.clock.advance(2.6 * HOUR);
  const reconciles = environment.reconciles.length;
  await environment.clock.advance(1.25 * HOUR);
  expect(environment.reconciles.length).toBe(reconciles);
  environment.azure.meddle(idOf('id'), { tags: { a: 'c' } });
  await environment.clock.advance(1.3 * HOUR);
  expect(environment.stored(IDENTITIES, 'id')!.status).toMatchObject({ tags: { a: 'c' } });
});

test('who exports keys asks for them in every sync', async () => {
  const { intercept } = environment.azure;
  environment.azure.intercept = (request) =>
    /listkeys/i.test(request.url) ? { body: { keys: [{ keyName: 'key1', value: 'a' }] } } : intercept(request);
  await environment.cluster.create(GROUPS, group());
  await start();
  const spec = { location: 'westeurope', owner: { name: 'rg' }, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  await environment.cluster.create(
    ACCOUNTS,
    object(ACCOUNTS, 'sa', { ...spec, operatorSpec: { secrets: { key1: { name: 'keys', key: 'one' } } } }),
  );
  await environment.clock.advance(3 * HOUR);
  const from = environment.azure.requests.length;
  await environment.clock.advance(4 * HOUR);
  expect(environment.azure.requests.slice(from).filter((request) => /listkeys/i.test(request)).length).toBe(4);
});

test('an export that somebody has removed is written again in the next sync', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  await environment.cluster.create(
    IDENTITIES,
    identity('id', { operatorSpec: { configMaps: { clientId: { name: 'ids', key: 'client' } } } }),
  );
  await environment.clock.advance(2_000);
  environment.azure.meddle(idOf('id'), { properties: { clientId: 'c', principalId: 'p', tenantId: 't' } });
  await environment.clock.advance(3.2 * HOUR);
  expect(environment.stored(CONFIG_MAPS, 'ids')).toMatchObject({ data: { client: 'c' } });
  await environment.cluster.delete(CONFIG_MAPS, 'ids', 'default');
  await environment.clock.advance(1.3 * HOUR);
  expect(environment.stored(CONFIG_MAPS, 'ids')).toMatchObject({ data: { client: 'c' } });
});

test('each resource is read by itself once a day', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  await environment.cluster.create(IDENTITIES, identity());
  await environment.clock.advance(2 * HOUR);
  const counts = await requestsIn(25);
  expect(counts.GET).toBe(2);
  expect(counts.PUT).toBeUndefined();
});

test('one child alone is read, and queues of no table are listed', async () => {
  await environment.cluster.create(GROUPS, group());
  await start();
  const namespace = {
    by: `/subscriptions/${environment.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.ServiceBus/namespaces/bus`,
  };
  for (const name of ['q1', 'q2']) await environment.cluster.create(QUEUES, object(QUEUES, name, { owner: { armId: namespace.by } }));
  await environment.clock.advance(1.5 * HOUR);
  expect(await requestsIn(4)).toEqual({ rows: 4, list: 4 });
  await environment.cluster.delete(QUEUES, 'q2', 'default');
  await environment.clock.advance(1_000);
  expect(await requestsIn(4)).toMatchObject({ GET: 4 });
});
