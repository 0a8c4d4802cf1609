import { Azure, GROUP } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start();
  await azure.group();
});
afterEach(() => azure.close());

const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team`;
const assignment = (digit: string, scope = GROUP) =>
  `${scope}/providers/Microsoft.Authorization/roleAssignments/${'00000000-0000-4000-8000-00000000000'}${digit}`;
const SOMEONE = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
const ANOTHER = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
const role = (principalId: string, more: object = {}) => ({
  properties: { roleDefinitionId: '/providers/Microsoft.Authorization/roleDefinitions/reader', principalId, ...more },
});
const makeIdentity = async () => (await azure.put(IDENTITY, { location: 'uksouth' })).body.properties.principalId as string;

test('a new principal is not known at once, unless its type is given', async () => {
  const principal = await makeIdentity();
  const early = await azure.put(assignment('1'), role(principal));
  expect([early.status, early.body.error.code]).toEqual([400, 'PrincipalNotFound']);
  expect((await azure.put(assignment('2'), role(principal, { principalType: 'ServicePrincipal' }))).status).toBe(201);
  await azure.delete(assignment('2'));
  azure.clock.advance(20);
  const late = await azure.put(assignment('1'), role(principal));
  expect(late.status).toBe(201);
  expect(late.body.properties).toMatchObject({ scope: GROUP, principalType: 'ServicePrincipal' });
});

test('one assignment a scope, principal and role', async () => {
  await azure.put(assignment('1'), role(SOMEONE));
  const twin = await azure.put(assignment('2'), role(SOMEONE));
  expect([twin.status, twin.body.error.code]).toEqual([409, 'RoleAssignmentExists']);
  expect(twin.body.error.message).toContain('00000000000040008000000000000001');
  await makeIdentity();
  expect((await azure.put(assignment('2', IDENTITY), role(SOMEONE))).status).toBe(201);
});

test('an assignment cannot be given to another', async () => {
  await azure.put(assignment('1'), role(SOMEONE));
  expect((await azure.put(assignment('1'), role(ANOTHER))).body.error.code).toBe('RoleAssignmentUpdateNotPermitted');
  expect((await azure.put(assignment('1'), role(SOMEONE, { description: 'why' }))).status).toBe(200);
});

test.each([
  ['a name that is no GUID', 'InvalidRoleAssignmentId', `${GROUP}/providers/Microsoft.Authorization/roleAssignments/mine`, role(SOMEONE)],
  ['no principal', 'BadRequestFormat', assignment('1'), { properties: {} }],
])('%s is refused', async (_what, code, path, body) => {
  expect((await azure.put(path, body)).body.error.code).toBe(code);
});

test('a missing assignment has a word of its own', async () => {
  expect((await azure.get(assignment('1'))).body.error).toEqual({
    code: 'RoleAssignmentNotFound',
    message: "The role assignment '00000000-0000-4000-8000-000000000001' is not found.",
  });
});

test('federated credentials of one identity are not written at the same time', async () => {
  // Here the requests take their time: the clock of the other tests answers at once.
  const slow = await Azure.start({
    clock: { now: () => Date.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) },
    timeScale: 5,
  });
  await slow.group();
  const other = IDENTITY.replace('/team', '/other');
  await Promise.all([slow.put(IDENTITY, { location: 'uksouth' }), slow.put(other, { location: 'uksouth' })]);
  const credential = (identity: string, name: string) =>
    slow.put(`${identity}/federatedIdentityCredentials/${name}`, {
      properties: { issuer: 'https://issuer', subject: name, audiences: ['a'] },
    });
  const replies = await Promise.all([credential(IDENTITY, 'a'), credential(IDENTITY, 'b'), credential(other, 'c')]);
  const statuses = replies.map((reply) => reply.status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(1);
  expect(statuses[2]).toBe(200);
  expect(replies.find((reply) => reply.status === 409)!.body.error.code).toBe(
    'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  );
  expect((await credential(IDENTITY, 'b')).status).toBe(200);
  await slow.close();
});

test('identities of resources are filled in', async () => {
  const principal = await makeIdentity();
  const vault = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus`;
  const reply = await azure.put(vault, {
    location: 'uksouth',
    identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [IDENTITY]: {} } },
  });
  expect(reply.body.identity.userAssignedIdentities[IDENTITY].principalId).toBe(principal);
  expect(reply.body.identity.principalId).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply.body.identity.tenantId).toBe(azure.simulator.env.AZURE_TENANT_ID);
});

test('the id of a custom role has its subscription alone', async () => {
  const id = `${GROUP}/providers/Microsoft.Authorization/roleDefinitions/11111111-1111-1111-1111-111111111111`;
  await azure.put(id, { properties: { roleName: 'operator', type: 'customRole', assignableScopes: [GROUP], permissions: [{ actions: ['*/read'] }] } });
  const { body } = await azure.get(id);
  expect(body.id).toBe(`${GROUP.slice(0, GROUP.indexOf('/resourceGroups'))}/providers/Microsoft.Authorization/roleDefinitions/11111111-1111-1111-1111-111111111111`);
  expect(body.properties).toMatchObject({ roleName: 'operator', type: 'CustomRole' });
});
