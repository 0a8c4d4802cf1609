import { ACCOUNTS, GROUP_ID, group, GROUPS, object, TestEnvironment } from './harness';
import type { ArmResponse } from '../../../engine/arm/types';

const html: Partial<ArmResponse> = { status: 200, body: undefined, text: '<html>please log in</html>' };
const json = (body: unknown): Partial<ArmResponse> => ({ status: 200, body, text: JSON.stringify(body) });

describe.each([
  ['no JSON', html],
  ['another resource', json({ id: GROUP_ID.replace(/rg$/, 'other'), name: 'other', properties: {} })],
  ['an object that is no resource', json({ ok: true })],
  ['nothing', { status: 200, body: undefined, text: '' }],
  ['a list', json([])],
  ['a number', json(5)],
  ['a text', json('Succeeded')],
  ['null', json(null)],
])('a resource that Azure answers with %s', (_, answer) => {
  test('is not Ready: the condition tells what came and what to look at, until Azure answers', async () => {
    const environment = new TestEnvironment();
    environment.azure.answersWithoutId = true;
    environment.azure.intercept = ({ method }) => (method === 'GET' ? answer : undefined);
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'Failed',
      message: expect.stringMatching(/GET \/subscriptions.*HTTP 200.*proxy.*AZURE_RESOURCE_MANAGER_ENDPOINT/),
    });
    environment.azure.intercept = () => undefined;
    await environment.clock.advance(120_000);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    expect(environment.azure.created.get(GROUP_ID)).toBe(1);
    await environment.kill();
  });
});

test.each([
  [{ accessTier: 'Hot' }, 'False'],
  [{}, 'True'],
])('an answer without properties tells nothing of what was sent in them (%j: Ready is %s)', async (properties, status) => {
  const environment = new TestEnvironment();
  environment.azure.answersWithoutId = true;
  const id = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/data`;
  environment.azure.intercept = ({ method, url }) =>
    method === 'GET' && url.includes('storageAccounts') ? json({ id, name: 'data', location: 'westeurope' }) : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.cluster.create(ACCOUNTS, object(ACCOUNTS, 'data', { owner: { name: 'rg' }, location: 'westeurope', ...properties }));
  await environment.clock.advance(5_000);
  expect(environment.ready(ACCOUNTS, 'data')).toMatchObject({ status });
  await environment.kill();
});

test('an object without an id is the resource where its name says so', async () => {
  const environment = new TestEnvironment();
  environment.azure.answersWithoutId = true;
  environment.azure.intercept = ({ method }) =>
    method === 'GET' ? json({ name: 'RG', location: 'westeurope', properties: {} }) : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  await environment.kill();
});

test('a deletion that is answered with no JSON is none: the object stays until the resource is gone', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.azure.intercept = ({ method }) => (method === 'DELETE' ? html : undefined);
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await environment.clock.advance(1_000);
  expect(environment.azure.resources.size).toBe(1);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', message: expect.stringContaining('please log in') });
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(120_000);
  expect([environment.stored(GROUPS, 'rg'), environment.azure.resources.size]).toEqual([undefined, 0]);
  await environment.kill();
});

test('a PUT that is answered with no JSON may have arrived: the resource is looked at before it is sent again', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(GROUPS, group());
  const send = environment.azure.send.bind(environment.azure);
  let garbled = 0;
  environment.azure.send = async (request) => {
    const answer = await send(request);
    return request.method === 'PUT' && garbled++ === 0 ? { ...answer, status: 200, body: undefined, text: '<html>' } : answer;
  };
  await environment.start();
  await environment.clock.advance(120_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET']);
  await environment.kill();
});
