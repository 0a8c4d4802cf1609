import { Azure, GROUP, SUBSCRIPTION } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start();
});
afterEach(() => azure.close());

const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/account1`;
const ACCOUNT_BODY = { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a resource is made, read whatever the case of its id, and keeps its first spelling', async () => {
  expect((await azure.put(GROUP, { location: 'uksouth' })).status).toBe(201);
  expect((await azure.put(GROUP, { location: 'uksouth', tags: { a: 'b' } })).status).toBe(200);
  const made = await azure.put(IDENTITY, { location: 'uksouth' });
  const read = await azure.get(IDENTITY.toUpperCase().replace('SUBSCRIPTIONS', 'subscriptions'));
  expect(read.status).toBe(200);
  expect(read.body).toEqual(made.body);
  expect(read.body).toMatchObject({
    id: IDENTITY,
    name: 'team',
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    location: 'uksouth',
  });
});

test('identities get ids that depend on seed and incarnation', async () => {
  await azure.group();
  const first = (await azure.put(IDENTITY, { location: 'uksouth' })).body.properties;
  expect(first.principalId).toMatch(GUID);
  expect(first.clientId).toMatch(GUID);
  expect(first.tenantId).toBe(azure.simulator.env.AZURE_TENANT_ID);
  expect((await azure.put(IDENTITY, { location: 'uksouth', tags: { a: 'b' } })).body.properties).toEqual(first);
  await azure.delete(IDENTITY);
  const again = (await azure.put(IDENTITY, { location: 'uksouth' })).body.properties;
  expect(again.principalId).not.toBe(first.principalId);

  const twin = await Azure.start();
  await twin.group();
  expect((await twin.put(IDENTITY, { location: 'uksouth' })).body.properties).toEqual(first);
  await twin.close();
});

test.each([
  ['resource group', ACCOUNT, 404, 'ResourceGroupNotFound', "Resource group 'group' could not be found."],
  [
    'subscription',
    '/subscriptions/nonsense/resourceGroups/g',
    400,
    'InvalidSubscriptionId',
    "The provided subscription identifier 'nonsense' is malformed or invalid.",
  ],
])("a missing %s is refused with Azure's words", async (_what, path, status, code, message) => {
  const reply = await azure.put(path, ACCOUNT_BODY);
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual({ error: { code, message } });
});

test('a missing parent, scope and resource each have their own refusal', async () => {
  await azure.group();
  const child = await azure.put(`${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus/queues/q`, { properties: {} });
  expect(child.status).toBe(404);
  expect(child.body.error.code).toBe('ParentResourceNotFound');
  expect(child.body.error.message).toBe(
    `Failed to perform 'write' on resource(s) of type 'namespaces/queues', because the parent resource '${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus' could not be found.`);
  const scope = await azure.put(`${ACCOUNT}/providers/Microsoft.Insights/diagnosticSettings/all`, { properties: {} });
  expect(scope.body.error).toMatchObject({
    code: 'ResourceNotFound',
    message: expect.stringContaining(
      "The Resource 'Microsoft.Storage/storageAccounts/account1' under resource group 'group' was not found.",
    ),
  });
  expect((await azure.get(IDENTITY)).body.error.code).toBe('ResourceNotFound');
  expect((await azure.get(`/subscriptions/${SUBSCRIPTION}/resourceGroups/other`)).body.error.code).toBe('ResourceGroupNotFound');
});

test('foreign scopes and resources that exist from the start can be allowed', async () => {
  const other = await Azure.start({ allowForeignScopes: true, existing: [ACCOUNT] });
  expect((await other.get(ACCOUNT)).status).toBe(200);
  const foreign = `/subscriptions/${SUBSCRIPTION}/resourceGroups/elsewhere/providers/Microsoft.ServiceBus/namespaces/shared`;
  expect((await other.put(`${foreign}/providers/Microsoft.Insights/diagnosticSettings/all`, { properties: { workspaceId: ACCOUNT } })).status).toBeLessThan(300);
  expect((await other.put(`${foreign}/queues/q`, { properties: {} })).status).toBe(404);
  await other.close();
});

test.each([
  ['no api-version', 'GET', `${GROUP}?x=1`, undefined, 400, 'MissingApiVersionParameter'],
  ['a malformed api-version', 'GET', `${GROUP}?api-version=v1`, undefined, 400, 'InvalidApiVersionParameter'],
  ['broken JSON', 'PUT', GROUP, '{"location":', 400, 'InvalidRequestContent'],
  ['no object', 'PUT', GROUP, '[1]', 400, 'InvalidRequestContent'],
  ['nothing', 'PUT', GROUP, '', 400, 'InvalidRequestContent'],
  ['no location', 'PUT', GROUP, {}, 400, 'LocationRequired'],
  ['an unknown namespace', 'PUT', `/subscriptions/${SUBSCRIPTION}/providers/nonsense/things/x`, {}, 404, 'InvalidResourceNamespace'],
  ['a method that is not one of a collection', 'PUT', `${GROUP}/providers/Microsoft.Storage/storageAccounts`, {}, 405, 'MethodNotAllowed'],
])('%s is refused', async (_what, method, path, body, status, code) => {
  const reply = await azure.send(method, path, body);
  expect([reply.status, reply.body.error.code]).toEqual([status, code]);
});

test('a location cannot change, however it is spelt', async () => {
  await azure.group('UK South');
  expect((await azure.put(GROUP, { location: 'uksouth' })).status).toBe(200);
  expect((await azure.put(GROUP, { location: 'westus' })).body.error.code).toBe('InvalidResourceGroupLocation');
  await azure.put(IDENTITY, { location: 'uksouth' });
  const moved = await azure.put(IDENTITY, { location: 'westus' });
  expect([moved.status, moved.body.error.code]).toEqual([409, 'InvalidResourceLocation']);
});

test('storage account names are checked and are unique in the environment', async () => {
  await azure.group();
  expect((await azure.put(`${GROUP}/providers/Microsoft.Storage/storageAccounts/Not-Valid`, ACCOUNT_BODY)).body.error.code).toBe(
    'AccountNameInvalid',
  );
  await azure.put(ACCOUNT, ACCOUNT_BODY);
  const second = GROUP.replace('/group', '/second');
  await azure.put(second, { location: 'uksouth' });
  const reply = await azure.put(ACCOUNT.replace('/group/', '/second/'), ACCOUNT_BODY);
  expect([reply.status, reply.body.error.code]).toEqual([409, 'StorageAccountAlreadyTaken']);
});

test('what nobody made is there with its parent', async () => {
  await azure.group();
  await azure.put(ACCOUNT, ACCOUNT_BODY);
  azure.clock.advance(60);
  expect((await azure.get(`${ACCOUNT}/blobServices/default`)).status).toBe(200);
  expect((await azure.get(`${ACCOUNT}/blobServices/other`)).status).toBe(404);
  expect((await azure.put(`${ACCOUNT}/blobServices/default/containers/data`, { properties: {} })).status).toBeLessThan(300);
});

test('secrets of a body are never answered', async () => {
  await azure.group();
  const server = `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/server1`;
  await azure.put(`${server}?api-version=2022-12-01`, {
    location: 'uksouth',
    properties: { administratorLogin: 'me', administratorLoginPassword: 'hunter2' },
  });
  azure.clock.advance(600);
  const read = await azure.get(server);
  expect(read.body.properties).toMatchObject({ administratorLogin: 'me', fullyQualifiedDomainName: 'server1.postgres.database.azure.com' });
  const everything = await azure.raw('GET', '/__resources');
  expect(JSON.stringify([read.body, everything.body])).not.toContain('hunter2');
});

test('exported addresses and keys have the shape that the catalog reads', async () => {
  await azure.group();
  await azure.put(ACCOUNT, ACCOUNT_BODY);
  azure.clock.advance(60);
  expect((await azure.get(ACCOUNT)).body.properties.primaryEndpoints.blob).toBe('https://account1.blob.core.windows.net/');
  const keys = await azure.send('POST', `${ACCOUNT}/listKeys`);
  expect(keys.body.keys.map((key: any) => key.keyName)).toEqual(['key1', 'key2']);
  expect(keys.body.keys[0].value).not.toBe(keys.body.keys[1].value);
  expect(await azure.send('POST', `${ACCOUNT}/listKeys`)).toMatchObject({ body: keys.body });

  const bus = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus`;
  await azure.put(bus, { location: 'uksouth', sku: { name: 'Standard' } });
  azure.clock.advance(60);
  const busKeys = await azure.send('POST', `${bus}/AuthorizationRules/RootManageSharedAccessKey/listKeys`);
  expect(busKeys.body.primaryConnectionString).toContain(busKeys.body.primaryKey);
  expect((await azure.send('POST', `${bus}/failover`)).status).toBe(404);
});

test('PATCH changes what it names and keeps the rest', async () => {
  await azure.group();
  await azure.put(IDENTITY, { location: 'uksouth', tags: { a: '1', b: '2' } });
  const reply = await azure.send('PATCH', IDENTITY, { tags: { a: null, c: '3' } });
  expect(reply.body).toMatchObject({ location: 'uksouth', tags: { b: '2', c: '3' } });
  expect(reply.body.tags).not.toHaveProperty('a');
  expect((await azure.send('PATCH', ACCOUNT, {})).status).toBe(404);
});

test('HEAD tells whether something exists', async () => {
  expect((await azure.send('HEAD', GROUP)).status).toBe(404);
  await azure.group();
  expect((await azure.send('HEAD', GROUP)).status).toBe(204);
});

test('lists: groups, resources of a group, resources of a type, children, in pages', async () => {
  await azure.group();
  await azure.put(ACCOUNT, ACCOUNT_BODY);
  await azure.put(IDENTITY, { location: 'uksouth' });
  const names = (reply: any) => reply.body.value.map((resource: any) => resource.name);
  const subscription = `/subscriptions/${SUBSCRIPTION}`;
  expect(names(await azure.get(`${subscription}/resourcegroups`))).toEqual(['group']);
  expect(names(await azure.get(`${GROUP}/resources`))).toEqual(['account1', 'team']);
  const filter = encodeURIComponent("resourceType eq 'microsoft.storage/storageaccounts'");
  expect(names(await azure.get(`${subscription}/resources?api-version=2021-04-01&$filter=${filter}`))).toEqual(['account1']);
  expect((await azure.get(`${subscription}/resources?api-version=2021-04-01&$filter=nonsense`)).status).toBe(400);
  expect(names(await azure.get(`${subscription}/providers/Microsoft.Storage/storageAccounts`))).toEqual(['account1']);
  expect(names(await azure.get(`${IDENTITY}/federatedIdentityCredentials`))).toEqual([]);
  const page = await azure.get(`${GROUP}/resources?api-version=2021-04-01&$top=1`);
  expect(names(page)).toEqual(['account1']);
  const next = new URL(page.body.nextLink);
  const second = await azure.get(next.pathname + next.search);
  expect(names(second)).toEqual(['team']);
  expect(second.body.nextLink).toBeUndefined();
});

test('a provider that is not registered is refused until it is', async () => {
  const other = await Azure.start({ unregisteredProviders: ['Microsoft.ManagedIdentity'] });
  await other.group();
  const refused = await other.put(IDENTITY, { location: 'uksouth' });
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({ code: 'MissingSubscriptionRegistration', details: [{ target: 'Microsoft.ManagedIdentity' }] });
  const registered = await other.send('POST', `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.ManagedIdentity/register`);
  expect(registered.body.registrationState).toBe('Registered');
  expect((await other.put(IDENTITY, { location: 'uksouth' })).status).toBe(200);
  await other.close();
});
