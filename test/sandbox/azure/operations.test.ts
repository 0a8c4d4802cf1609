import { Azure, GROUP } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start();
  await azure.group();
});
afterEach(() => azure.close());

const SERVER = `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/server1`;
const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/account1`;
const pathOf = (url: string) => url.replace(/^https:\/\/[^/]+/, '');

test('azure-asyncoperation: status, Retry-After and length as recorded', async () => {
  const put = await azure.put(SERVER, { location: 'uksouth' });
  expect(put.status).toBe(202);
  expect(put.headers['retry-after']).toBe('60');
  const poll = pathOf(put.headers['azure-asyncoperation']!);
  expect((await azure.get(poll)).body.status).toBe('InProgress');
  azure.clock.advance(67);
  expect((await azure.get(poll)).body.status).toBe('InProgress');
  azure.clock.advance(1);
  const ended = await azure.get(poll);
  expect(ended.body).toMatchObject({ status: 'Succeeded', startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-01-01T00:01:08.000Z' });
  expect((await azure.get(pathOf(put.headers.location!))).body.id).toBe(SERVER);
});

test('location: 202 until it has ended', async () => {
  const put = await azure.put(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } });
  expect(put.status).toBe(202);
  expect(put.headers['azure-asyncoperation']).toBeUndefined();
  const poll = pathOf(put.headers.location!);
  expect((await azure.get(poll)).status).toBe(202);
  azure.clock.advance(27);
  expect((await azure.get(poll)).body.id).toBe(ACCOUNT);
});

test('an update as recorded: one of a storage account ends with its answer, one of a server is an operation', async () => {
  const account = { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  await azure.put(ACCOUNT, account);
  azure.clock.advance(27);
  const update = await azure.put(ACCOUNT, { ...account, tags: { a: 'b' } });
  expect([update.status, update.headers.location, update.body.tags]).toEqual([200, undefined, { a: 'b' }]);
  await azure.put(SERVER, { location: 'uksouth' });
  azure.clock.advance(68);
  const changed = await azure.put(SERVER, { location: 'uksouth', tags: { a: 'b' } });
  expect([changed.status, changed.headers['retry-after']]).toEqual([202, '60']);
});

test('provisioningState: only the resource itself tells', async () => {
  const put = await azure.put(BUS, { location: 'uksouth' });
  expect(put.status).toBe(200);
  expect([put.headers['azure-asyncoperation'], put.headers.location]).toEqual([undefined, undefined]);
  expect(put.body.properties.provisioningState).toBe('Creating');
  azure.clock.advance(8);
  expect((await azure.get(BUS)).body.properties.provisioningState).toBe('Succeeded');
});

test('the time scale shortens operations and Retry-After, which never becomes 0', async () => {
  const fast = await Azure.start({ timeScale: 60 });
  await fast.group();
  const put = await fast.put(SERVER, { location: 'uksouth' });
  expect(put.headers['retry-after']).toBe('1');
  fast.clock.advance(2);
  expect((await fast.get(pathOf(put.headers['azure-asyncoperation']!))).body.status).toBe('Succeeded');
  await fast.close();
});

test('while an operation runs, another write is refused and a child has to wait', async () => {
  await azure.put(SERVER, { location: 'uksouth' });
  const update = await azure.put(SERVER, { location: 'uksouth', tags: { a: 'b' } });
  expect([update.status, update.body.error.code]).toEqual([409, 'AnotherOperationInProgress']);
  expect((await azure.delete(SERVER)).status).toBe(409);
  expect((await azure.put(`${SERVER}/databases/db`, { properties: {} })).status).toBe(409);
  const role = { properties: { roleDefinitionId: '/x', principalId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11', principalType: 'User' } };
  expect(
    (await azure.put(`${SERVER}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`, role)).status,
  ).toBe(201);
  azure.clock.advance(68);
  expect((await azure.put(SERVER, { location: 'uksouth', tags: { a: 'b' } })).status).toBe(202);
});

test('an equal PUT changes nothing and begins nothing', async () => {
  await azure.put(BUS, { location: 'uksouth', sku: { name: 'Standard', tier: 'Standard' } });
  azure.clock.advance(8);
  const again = await azure.put(BUS, { sku: { tier: 'Standard', name: 'Standard' }, location: 'uksouth' });
  expect(again.body.properties.provisioningState).toBe('Succeeded');
});

test('deleting a group takes all that is in it, at the end of its operation', async () => {
  await azure.put(BUS, { location: 'uksouth' });
  azure.clock.advance(8);
  await azure.put(`${BUS}/queues/q`, { properties: {} });
  const removal = await azure.delete(GROUP);
  expect([removal.status, removal.headers['retry-after']]).toEqual([202, '15']);
  expect((await azure.get(GROUP)).body.properties.provisioningState).toBe('Deleting');
  expect((await azure.put(`${BUS}/queues/r`, { properties: {} })).body.error.code).toBe('ResourceGroupBeingDeleted');
  expect((await azure.delete(GROUP)).status).toBe(202);
  azure.clock.advance(68);
  expect((await azure.get(pathOf(removal.headers.location!))).status).toBe(200);
  expect((await azure.get(GROUP)).status).toBe(404);
  expect(azure.simulator.resources()).toEqual([]);
  expect((await azure.delete(`${BUS}/queues/q`)).body.error.code).toBe('ResourceGroupNotFound');
});

test('deleting what is not there: 204 under a parent that exists, 404 under none', async () => {
  expect((await azure.delete(BUS)).status).toBe(204);
  expect((await azure.delete(`${BUS}/queues/q`)).body.error.code).toBe('ParentResourceNotFound');
  expect((await azure.delete(GROUP.replace('/group', '/none'))).body.error.code).toBe('ResourceGroupNotFound');
});

test('the same guid is never handed out for two operations', async () => {
  const first = await azure.put(SERVER, { location: 'uksouth' });
  azure.clock.advance(100);
  const second = await azure.put(SERVER, { location: 'uksouth', tags: { a: 'b' } });
  expect(second.headers['azure-asyncoperation']).not.toBe(first.headers['azure-asyncoperation']);
  expect((await azure.get('/subscriptions/x/operationStatuses/nonsense?api-version=2024-01-01')).status).toBe(404);
});

describe('writes below one parent', () => {
  const NETWORK = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
  const put = (path: string) => azure.put(path, { ...(path === NETWORK ? { location: 'uksouth' } : {}), properties: {} });

  beforeEach(async () => {
    await put(NETWORK);
    azure.clock.advance(10);
  });

  test('a subnet while another one is being written: 409, as recorded', async () => {
    expect((await put(`${NETWORK}/subnets/a`)).status).toBe(201);
    const refused = await put(`${NETWORK}/subnets/b`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'AnotherOperationInProgress']);
    expect((await azure.put(NETWORK, { location: 'uksouth', tags: { a: 'b' }, properties: {} })).status).toBe(409);
    azure.clock.advance(10);
    expect((await put(`${NETWORK}/subnets/b`)).status).toBe(201);
    expect((await azure.delete(`${NETWORK}/subnets/a`)).body.error.code).toBe('AnotherOperationInProgress');
  });

  test('a subnet while a peering is being written: 429 with a time, as recorded', async () => {
    await put(`${NETWORK}/virtualNetworkPeerings/p`);
    const refused = await put(`${NETWORK}/subnets/a`);
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([429, 'RetryableError', '12']);
  });

  test('another network has nothing to do with it', async () => {
    const other = NETWORK.replace('/net', '/net2');
    await azure.put(other, { location: 'uksouth', properties: {} });
    azure.clock.advance(10);
    await put(`${NETWORK}/subnets/a`);
    expect((await put(`${other}/subnets/a`)).status).toBe(201);
  });
});
