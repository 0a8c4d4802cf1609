import { ACCOUNTS, group, GROUP_ID, GROUPS, inSeparateEnvironments, NETWORKS, object, type TestEnvironment } from './harness';
import type { ArmRequest, ArmResponse } from '../../../engine/arm/types';

/** Nothing is read that an answer to a PUT or to a poll has shown already. */

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const NETWORK = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const ACCOUNT = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/data`;
const OPERATION = `https://arm.test/operations${NETWORK}`;
const SPEC = { owner: { name: 'rg' }, location: 'westeurope' };

type Answer = Partial<ArmResponse> | undefined;
const ADDRESSES = { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
const network = (provisioningState: string, more: Record<string, unknown> = {}) =>
  ({ id: NETWORK, name: 'net', location: 'westeurope', properties: { ...ADDRESSES, subnets: [], provisioningState }, ...more });

/** Creates a network; answers the requests about it after the PUT that was accepted. */
async function requestsOf(put: Answer, rest: (request: ArmRequest, path: string) => Answer): Promise<string[]> {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  let accepted = false;
  environment.azure.intercept = (request) => {
    const path = request.url.replace('https://arm.test', '').split('?')[0]!;
    if (path.endsWith('/resourceGroups/rg')) return undefined;
    if (request.method === 'PUT') {
      accepted = true;
      return put;
    }
    return accepted ? rest(request, path) : { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
  };
  await environment.cluster.create(NETWORKS, object(NETWORKS, 'net', { ...SPEC, ...ADDRESSES }));
  await environment.clock.advance(0);
  environment.azure.requests.length = 0;
  await environment.clock.advance(30_000);
  return environment.azure.requests.map((request) => request.replace(NETWORK, 'NETWORK').replace(GROUP_ID, 'GROUP'));
}

const accepted: Answer = { status: 201, headers: { 'azure-asyncoperation': OPERATION }, body: network('Updating') };

test('a resource that has shown its state is read instead of the operation: one request after the PUT', async () => {
  const requests = await requestsOf(accepted, () => ({ status: 200, body: network('Succeeded') }));
  expect(requests).toEqual(['GET NETWORK']);
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
});

test('while it says that it is being made, the operation is not asked', async () => {
  let reads = 0;
  const requests = await requestsOf(accepted, () => ({ status: 200, body: network((reads += 1) < 3 ? 'Updating' : 'Succeeded') }));
  expect(requests).toEqual(['GET NETWORK', 'GET NETWORK', 'GET NETWORK']);
});

test.each<[string, Answer]>([
  ['is not there', { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } }],
  ['has failed', { status: 200, body: network('Failed') }],
  ['differs from the request', { status: 200, body: network('Succeeded', { location: 'elsewhere' }) }],
  ['has no state', { status: 200, body: { id: NETWORK, name: 'net', properties: {} } }],
  ['is another one', { status: 200, body: { ...network('Succeeded'), id: `${NETWORK}2` } }],
  ['is a page', { status: 200, body: undefined, text: '<html>' }],
])('a resource that %s proves nothing: the operation is asked in the same reconcile', async (_, answer) => {
  const requests = await requestsOf(accepted, (__, path) =>
    path.startsWith('/operations') ? { status: 200, body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } } : answer);
  expect(requests.slice(0, 2)).toEqual(['GET NETWORK', `GET /operations${NETWORK}`.replace(NETWORK, 'NETWORK')]);
  expect(environment.events).toContainEqual(expect.objectContaining({ message: expect.stringMatching(/Conflict|^no$/) as string }));
});

test('the Location of an operation whose PUT was answered without the resource answers with it at the end', async () => {
  const headers = { 'azure-asyncoperation': OPERATION, 'location': 'https://arm.test/results/1' };
  let looks = 0;
  const requests = await requestsOf({ status: 202, headers }, (_, path) => {
    if (!path.startsWith('/results')) return { status: 500 };
    looks += 1;
    return looks === 1 ? { status: 202 } : { status: 200, body: network('Succeeded') };
  });
  expect(requests).toEqual(['GET /results/1', 'GET /results/1']);
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
});

test.each<[string, Answer]>([
  ['a status', { status: 200, body: { status: 'Succeeded' } }],
  ['half of the resource', { status: 200, body: { id: NETWORK, name: 'net' }, text: '{…}' }],
  ['an error', { status: 409, body: { error: { code: 'Conflict', message: 'no' } } }],
  ['nothing', { status: 204 }],
])('a Location that answers with %s proves nothing: the operation is asked, and the resource read', async (_, answer) => {
  const headers = { 'azure-asyncoperation': OPERATION, 'location': 'https://arm.test/results/1' };
  const requests = await requestsOf({ status: 202, headers }, (__, path) => {
    if (path.startsWith('/results')) return answer;
    return { status: 200, body: path.startsWith('/operations') ? { status: 'Succeeded' } : network('Succeeded') };
  });
  expect(requests).toEqual(['GET /results/1', 'GET /operationsNETWORK', 'GET NETWORK']);
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
});

describe('the answer to a PUT', () => {
  const account = async (answer: (body: Record<string, unknown>) => Record<string, unknown>, spec: Record<string, unknown> = {}) => {
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    environment.azure.intercept = ({ method, url, body }) => {
      if (method !== 'PUT' || !url.includes('storageAccounts')) return undefined;
      const whole = { id: ACCOUNT, name: 'data', ...(body as object), properties: { provisioningState: 'Succeeded' } };
      environment.azure.resources.set(ACCOUNT.toLowerCase(), { body: whole, polls: 0 });
      return { status: 200, body: answer(whole) };
    };
    environment.azure.requests.length = 0;
    await environment.cluster.create(ACCOUNTS, object(ACCOUNTS, 'data', { ...SPEC, ...spec }));
    await environment.clock.advance(5_000);
    expect(environment.ready(ACCOUNTS, 'data')).toMatchObject({ status: 'True' });
    return environment.azure.requests.map((request) => request.split(' ')[0]);
  };

  test('is the resource where it has all of it', async () => {
    expect(await account((whole) => whole)).toEqual(['PUT']);
    expect(environment.stored(ACCOUNTS, 'data')!.status).toMatchObject({ location: 'westeurope', provisioningState: 'Succeeded' });
  });

  test.each<[string, (whole: Record<string, unknown>) => Record<string, unknown>]>([
    ['has no id', ({ id: _, ...rest }) => rest],
    ['differs from the request', (whole) => ({ ...whole, location: 'elsewhere' })],
  ])('is followed by a read where it %s', async (_, answer) => {
    expect(await account(answer)).toEqual(['PUT', 'GET']);
  });

  test('is followed by a read where the object has an expression', async () => {
    const configMapExpressions = [{ name: 'out', key: 'name', value: 'self.status.name' }];
    expect(await account((whole) => whole, { operatorSpec: { configMapExpressions } })).toEqual(['PUT', 'GET']);
  });

  test('does not hide what another client changes afterwards: the next sync finds it', async () => {
    await account((whole) => whole);
    environment.azure.intercept = () => undefined;
    environment.azure.meddle(ACCOUNT, { location: 'elsewhere' });
    environment.azure.requests.length = 0;
    await environment.clock.advance(5_400_000);
    const requests = environment.azure.requests.filter((request) => request.includes(ACCOUNT));
    expect(requests.slice(0, 2).map((request) => request.split(' ')[0])).toEqual(['GET', 'PUT']);
  });
});
