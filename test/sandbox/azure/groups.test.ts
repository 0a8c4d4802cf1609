import { Azure } from './client';

/** Microsoft Graph of the simulator. */
let azure: Azure;
beforeEach(async () => (azure = await Azure.start()));
afterEach(() => azure.close());

const group = (more: Record<string, unknown> = {}) => ({
  displayName: 'Team',
  mailNickname: 'team',
  mailEnabled: false,
  securityEnabled: true,
  ...more,
});
const create = (more?: Record<string, unknown>) => azure.send('POST', '/v1.0/groups', group(more));
const find = async (filter: string) => azure.get(`/v1.0/groups?$filter=${encodeURIComponent(filter)}`);

test('groups are created, found by name, read, changed and deleted', async () => {
  const { status, body } = await create({ displayName: "o'brien" });
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      displayName: "o'brien",
      groupTypes: [],
      createdDateTime: '2026-01-01T00:00:00Z',
    }),
  ]);
  await create();
  expect((await find("displayName eq 'o''brien'")).body.value).toMatchObject([{ id: body.id }]);
  expect((await find("displayName eq 'TEAM' and mailNickname eq 'team'")).body.value).toHaveLength(1);
  expect((await find("displayName eq 'nobody'")).body.value).toEqual([]);
  expect(await azure.send('PATCH', `/v1.0/groups/${body.id}`, { description: 'd' })).toMatchObject({ status: 204 });
  expect((await azure.get(`/v1.0/groups/${body.id}`)).body).toMatchObject({ description: 'd' });
  expect(await azure.delete(`/v1.0/groups/${body.id}`)).toMatchObject({ status: 204 });
  expect(await azure.get(`/v1.0/groups/${body.id}`)).toMatchObject({ status: 404, body: { error: { code: 'Request_ResourceNotFound' } } });
});

test('what Graph does not take is refused', async () => {
  const refused = { status: 400, body: { error: { code: 'Request_BadRequest' } } };
  expect(await create({ mailNickname: undefined })).toMatchObject(refused);
  expect(await create({ mailNickname: 'a b' })).toMatchObject(refused);
  expect(await create({ owner: 'x' })).toMatchObject(refused);
  expect(await create({ groupTypes: ['DynamicMembership'] })).toMatchObject(refused);
  const { id } = (await create()).body;
  expect(await azure.send('PATCH', `/v1.0/groups/${id}`, { isAssignableToRole: true })).toMatchObject(refused);
  expect(await azure.send('PATCH', `/v1.0/groups/${id}`, { mailEnabled: true })).toMatchObject(refused);
  expect((await find("displayName eq 'a' or 1 eq 1")).status).toBe(400);
  expect((await azure.get('/v1.0/users')).status).toBe(400);
  expect((await azure.raw('GET', '/v1.0/groups')).status).toBe(401);
});

test('no controller in the sandbox logs in to databases', () =>
  expect(azure.simulator.env).toMatchObject({ DATABASE_USERS: 'disabled', AZURE_GRAPH_ENDPOINT: azure.simulator.endpoint }));
