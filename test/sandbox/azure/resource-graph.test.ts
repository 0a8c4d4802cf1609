import { Azure, GROUP, SUBSCRIPTION } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start({ resourceGraphLagSeconds: 30 });
  await azure.group();
});
afterEach(() => azure.close());

const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team`;
const FEDERATION = `${IDENTITY}/federatedIdentityCredentials/one`;
const ask = (query: string, more: object = {}) =>
  azure.send('POST', '/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01', {
    subscriptions: [SUBSCRIPTION],
    query,
    ...more,
  });
const idsOf = (reply: { body: any }) => reply.body.data.map(({ id }: { id: string }) => id);
const rows = (table: string, ...ids: string[]) =>
  ask(`${table} | where id in~ (${ids.map((id) => `'${id}'`).join(', ')}) | order by id asc`);

test('rows show a resource as it was a while ago', async () => {
  await azure.put(IDENTITY, { location: 'uksouth', tags: { a: 'one' } });
  expect(idsOf(await rows('resources', IDENTITY))).toEqual([]);
  azure.clock.advance(31);
  expect((await rows('Resources', IDENTITY.toUpperCase())).body.data).toEqual([
    expect.objectContaining({
      id: IDENTITY,
      type: 'microsoft.managedidentity/userassignedidentities',
      tags: { a: 'one' },
      location: 'uksouth',
      sku: null,
      subscriptionId: SUBSCRIPTION,
    }),
  ]);
  await azure.put(IDENTITY, { location: 'uksouth', tags: { a: 'two' } });
  expect((await rows('resources', IDENTITY)).body.data[0].tags).toEqual({ a: 'one' });
  azure.clock.advance(31);
  expect((await rows('resources', IDENTITY)).body.data[0].tags).toEqual({ a: 'two' });
  await azure.delete(IDENTITY);
  expect(idsOf(await rows('resources', IDENTITY))).toEqual([IDENTITY]);
  azure.clock.advance(31);
  expect(idsOf(await rows('resources', IDENTITY))).toEqual([]);
});

test('each type is in its own table, some in none', async () => {
  await azure.put(IDENTITY, { location: 'uksouth' });
  await azure.put(FEDERATION, { properties: { issuer: 'https://i', subject: 's', audiences: ['a'] } });
  azure.clock.advance(60);
  const all = [GROUP, IDENTITY, FEDERATION];
  expect(idsOf(await rows('resources', ...all))).toEqual([IDENTITY]);
  expect(idsOf(await rows('resourcecontainers', ...all))).toEqual([GROUP]);
  expect(idsOf(await rows('authorizationresources', ...all))).toEqual([]);
});

test('pages', async () => {
  const ids = ['a', 'b', 'c'].map((name) => `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`);
  for (const id of ids) await azure.put(id, { location: 'uksouth' });
  azure.clock.advance(60);
  const query = `resources | where id in~ (${ids.map((id) => `'${id}'`).join(',')})`;
  const first = await ask(query, { options: { $top: 2, resultFormat: 'objectArray' } });
  expect([idsOf(first), first.body.count, first.body.totalRecords]).toEqual([ids.slice(0, 2), 2, 3]);
  const second = await ask(query, { options: { $top: 2, $skipToken: first.body.$skipToken } });
  expect([idsOf(second), second.body.$skipToken]).toEqual([ids.slice(2), undefined]);
});

test('only the subscriptions that are asked for', async () => {
  await azure.put(IDENTITY, { location: 'uksouth' });
  azure.clock.advance(60);
  const reply = await ask(`resources | where id in~ ('${IDENTITY}')`, { subscriptions: ['11111111-1111-1111-1111-111111111111'] });
  expect(idsOf(reply)).toEqual([]);
});

test.each([
  ['another query', { query: 'resources | summarize count()' }, 'BadRequest'],
  ['another format', { query: 'resources | where id in~ (\'x\')', options: { resultFormat: 'table' } }, 'BadRequest'],
  ['no subscription', { query: 'resources | where id in~ (\'x\')', subscriptions: [] }, 'BadRequest'],
])('%s is refused', async (_, body, code) => {
  const reply = await ask('', body);
  expect([reply.status, reply.body.error.code]).toEqual([400, code]);
});

test('the api-version is required', async () => {
  const reply = await azure.send('POST', '/providers/Microsoft.ResourceGraph/resources?', { subscriptions: [SUBSCRIPTION], query: 'x' });
  expect([reply.status, reply.body.error.code]).toEqual([400, 'MissingApiVersionParameter']);
});
