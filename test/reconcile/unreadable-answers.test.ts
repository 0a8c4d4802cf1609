import { ACCOUNTS, GROUP_ID, group, GROUPS, object, World } from './harness';
import type { ArmResponse } from '../../engine/arm/types';

const html: Partial<ArmResponse> = { status: 200, body: undefined, text: '<html>please log in</html>' };
const json = (body: unknown): Partial<ArmResponse> => ({ status: 200, body, text: JSON.stringify(body) });

describe.each([
  ['no JSON', html], ['another resource', json({ id: GROUP_ID.replace(/rg$/, 'other'), name: 'other', properties: {} })],
  ['an object that is no resource', json({ ok: true })], ['nothing', { status: 200, body: undefined, text: '' }], ['a list', json([])], ['a number', json(5)], ['a text', json('Succeeded')], ['null', json(null)],
])('a resource that Azure answers with %s', (_, answer) => {
  test('is not Ready: the condition tells what came and what to look at, until Azure answers', async () => {
    const world = new World();
    world.azure.intercept = ({ method }) => (method === 'GET' ? answer : undefined);
    await world.cluster.create(GROUPS, group());
    await world.start();
    expect(world.ready(GROUPS, 'rg')).toMatchObject({
      status: 'False', severity: 'Warning', reason: 'Failed', message: expect.stringMatching(/GET \/subscriptions.*HTTP 200.*proxy.*AZURE_RESOURCE_MANAGER_ENDPOINT/),
    });
    world.azure.intercept = () => undefined;
    await world.clock.advance(120_000);
    expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(world.azure.created.get(GROUP_ID)).toBe(1);
    await world.kill();
  });
});

test.each([[{ accessTier: 'Hot' }, 'False'], [{}, 'True']])('an answer without properties tells nothing of what was sent in them (%j: Ready is %s)', async (properties, status) => {
  const world = new World();
  const id = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/data`;
  world.azure.intercept = ({ method, url }) => (method === 'GET' && url.includes('storageAccounts') ? json({ id, name: 'data', location: 'westeurope' }) : undefined);
  await world.cluster.create(GROUPS, group());
  await world.start();
  await world.cluster.create(ACCOUNTS, object(ACCOUNTS, 'data', { owner: { name: 'rg' }, location: 'westeurope', ...properties }));
  await world.clock.advance(5_000);
  expect(world.ready(ACCOUNTS, 'data')).toMatchObject({ status });
  await world.kill();
});

test('an object without an id is the resource where its name says so', async () => {
  const world = new World();
  world.azure.intercept = ({ method }) => (method === 'GET' ? json({ name: 'RG', location: 'westeurope', properties: {} }) : undefined);
  await world.cluster.create(GROUPS, group());
  await world.start();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  await world.kill();
});

test('a deletion that is answered with no JSON is none: the object stays until the resource is gone', async () => {
  const world = new World();
  await world.cluster.create(GROUPS, group());
  await world.start();
  world.azure.intercept = ({ method }) => (method === 'DELETE' ? html : undefined);
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await world.clock.advance(1_000);
  expect(world.azure.resources.size).toBe(1);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', message: expect.stringContaining('please log in') });
  world.azure.intercept = () => undefined;
  await world.clock.advance(120_000);
  expect([world.stored(GROUPS, 'rg'), world.azure.resources.size]).toEqual([undefined, 0]);
  await world.kill();
});

test('a PUT that is answered with no JSON may have arrived: the resource is looked at before it is sent again', async () => {
  const world = new World();
  await world.cluster.create(GROUPS, group());
  const send = world.azure.send.bind(world.azure);
  let garbled = 0;
  world.azure.send = async (request) => {
    const answer = await send(request);
    return request.method === 'PUT' && garbled++ === 0 ? { ...answer, status: 200, body: undefined, text: '<html>' } : answer;
  };
  await world.start();
  await world.clock.advance(120_000);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(world.azure.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET']);
  await world.kill();
});
