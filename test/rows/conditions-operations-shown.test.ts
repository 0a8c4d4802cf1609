import { account, ACCOUNT_ID, answering, createdGroup, operation, readyGroup, secret, server, SERVERS } from './arrange';
import { inEnvironment, table } from './table';
import type { ArmRequest, ArmResponse } from '../../engine/arm/types';
import { answersPutWithResource, putShowsResource } from '../../engine/kinds';
import { hooksOf } from '../../engine/kinds/hooks-of';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import type { KindVersion } from '../../src/catalog';
import { settled } from '../controller/reconcile/fake-clock';
import { ACCOUNTS, GROUP_ID, GROUPS, NETWORKS, object, SECRETS, type TestEnvironment } from '../controller/reconcile/harness';

const NETWORK_ID = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const SERVER_ID = `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db`;
const OPERATION = 'https://arm.test/operations/x';
const SUCCEEDED = { body: { status: 'Succeeded' } };
const MINUTE = 60_000;
/** Three seconds, and half a second more. */
const USUAL_END = 3_500;

type Resource = Readonly<Record<string, unknown>>;
type Answer = Partial<ArmResponse>;

/** The requests after the first PUT of a resource, each as a method and a short URL. */
const since = (environment: TestEnvironment, id: string) => {
  const { requests } = environment.azure;
  return requests.slice(requests.indexOf(`PUT ${id}`) + 1).map((request) => request.replace(id, '<id>'));
};

/** Creates the object below a ready group. Azure holds the resource as it was sent, and answers the PUT with what `answer` makes of it. */
async function put(
  environment: TestEnvironment, [type, id, child]: [ResourceType, string, KubernetesObject], answer: (whole: Resource) => Answer,
): Promise<string[]> {
  await readyGroup(environment);
  environment.azure.intercept = ({ method, url, body }) => {
    if (method !== 'PUT' || !url.includes(id)) return undefined;
    const { properties, ...rest } = body as { properties?: object };
    const whole = { id, name: id.split('/').at(-1), ...rest, properties: { ...properties, provisioningState: 'Succeeded' } };
    environment.azure.resources.set(id.toLowerCase(), { body: whole, polls: 0 });
    return answer(whole);
  };
  await environment.cluster.create(type, child);
  await settled();
  return since(environment, id);
}

const network = () => object(NETWORKS, 'net', {
  location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
});
const anAccount = (spec?: Resource): [ResourceType, string, KubernetesObject] => [ACCOUNTS, ACCOUNT_ID, account(spec)];
const aNetwork = (): [ResourceType, string, KubernetesObject] => [NETWORKS, NETWORK_ID, network()];

table('docs/spec/arm.md#answers-that-show-the-resource', (row) => {
  for (const status of [200, 201]) {
    row('end', `(better: after ${status} nothing is read)`, inEnvironment(async (environment) => {
      expect(await put(environment, anAccount(), (body) => ({ status, body }))).toEqual([]);
      expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ status: 'True' });
      expect(environment.stored(ACCOUNTS, 'sa')!.status).toMatchObject({ location: 'westeurope', provisioningState: 'Succeeded' });
    }));
  }
  row('end', 'not after 202, nor while an operation runs', inEnvironment(async (environment) => {
    const running = { status: 202, headers: { location: OPERATION } };
    await put(environment, anAccount(), (body) => ({ ...running, body }));
    expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
    operation(environment, { status: 200 });
    await environment.clock.advance(MINUTE);
    expect(since(environment, ACCOUNT_ID)).toEqual(['GET /operations/x', 'GET <id>']);
  }));
  const read = (name: 'whole' | 'equal', what: string, answer: (whole: Resource) => Resource, spec?: Resource) =>
    row(name, what, inEnvironment(async (environment) => {
      expect(await put(environment, anAccount(spec), (whole) => ({ status: 201, body: answer(whole) }))).toEqual(['GET <id>']);
      expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ status: 'True' });
    }));
  read('whole', 'one without id is followed by a read', ({ id: _, ...rest }) => rest);
  read('whole', 'one of another resource is followed by a read', (whole) => ({ ...whole, id: `${ACCOUNT_ID}2` }));
  read('whole', 'one without the properties that were sent is followed by a read', ({ properties: _, ...rest }) => rest, {
    accessTier: 'Hot',
  });
  row('whole', 'where no properties were sent, the answer needs none', inEnvironment(async (environment) => {
    answering(environment, 'PUT', { status: 201, body: { id: GROUP_ID, name: 'rg', location: 'westeurope' } });
    await createdGroup(environment);
    expect(environment.azure.requests).toEqual([`PUT ${GROUP_ID}`]);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  }));
  read('equal', 'one that differs from the request is followed by a read', (whole) => ({ ...whole, location: 'elsewhere' }));
  row('recorded', 'a type that is not recorded is read, whatever its answer', inEnvironment(async (environment) => {
    expect(answersPutWithResource('Microsoft.Storage/storageAccounts')).toBe(true);
    expect(answersPutWithResource('Microsoft.Network/virtualNetworks')).toBe(false);
    expect(await put(environment, aNetwork(), (body) => ({ status: 201, body }))).toEqual(['GET <id>']);
  }));
  const exporting = (operatorSpec: Resource, primaryEndpoints?: Resource) => inEnvironment(async (environment) => {
    const requests = await put(environment, anAccount({ operatorSpec }), ({ properties, ...body }) => ({
      status: 201, body: { ...body, properties: { ...(properties as Resource), primaryEndpoints } },
    }));
    return expect(requests).toEqual(primaryEndpoints && !operatorSpec.configMapExpressions ? [] : ['GET <id>']);
  });
  const configMaps = { blobEndpoint: { name: 'endpoints', key: 'blob' } };
  const endpoints = { blob: 'https://sa.blob.core.windows.net/' };
  row('not needed whole', 'an object that exports values of the answer is not read', exporting({ configMaps }, endpoints));
  row('not needed whole', 'an object that exports a value that the answer lacks is read', exporting({ configMaps }));
  row('not needed whole', 'an object with an expression is read', exporting({
    configMaps, configMapExpressions: [{ name: 'endpoints', key: 'name', value: 'self.status.name' }],
  }, endpoints));
  row('not needed whole', 'an object whose kind has a post-check is read', () => {
    const ofKind = (group: string, kind: string) =>
      ({ kind: { group, kind }, facts: { arm: { type: 'Microsoft.Storage/storageAccounts' } } }) as unknown as KindVersion;
    expect(hooksOf('network.azure.com', 'PrivateEndpoint').postCheck).toBeDefined();
    expect(putShowsResource(ofKind('network.azure.com', 'PrivateEndpoint'), {})).toBe(false);
    expect(putShowsResource(ofKind('storage.azure.com', 'StorageAccount'), {})).toBe(true);
  });
});

table('docs/spec/arm.md#polls-that-show-the-resource', (row) => {
  const headers = { 'azure-asyncoperation': OPERATION };
  const both = { 'azure-asyncoperation': OPERATION, 'location': 'https://arm.test/results/1' };
  const resource = (provisioningState: string, more: Resource = {}) => ({
    body: {
      id: NETWORK_ID,
      name: 'net',
      location: 'westeurope',
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [], provisioningState },
      ...more,
    },
  });

  /** A network whose PUT is answered so; the requests after it, until the time has passed. */
  async function polled(
    environment: TestEnvironment, first: Answer, later: (request: ArmRequest) => Answer, milliseconds: number,
  ): Promise<string[]> {
    await put(environment, aNetwork(), () => first);
    const before = environment.azure.intercept;
    environment.azure.intercept = (request) => (request.method === 'GET' ? later(request) : before(request));
    await environment.clock.advance(milliseconds);
    return since(environment, NETWORK_ID);
  }
  const making = { status: 201, headers, ...resource('Updating') };
  const answers = (read: Answer) => ({ url }: ArmRequest) => (url.includes('/operations/') ? SUCCEEDED : read);

  row('resource', '(better: its Succeeded is the end, in one request)', inEnvironment(async (environment) => {
    expect(await polled(environment, making, answers(resource('Succeeded')), USUAL_END)).toEqual(['GET <id>']);
    expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
  }));
  row('resource', 'a state that runs is running: the operation is not asked', inEnvironment(async (environment) => {
    const requests = await polled(environment, making, answers(resource('Updating')), 10_000);
    expect(requests.length).toBeGreaterThan(2);
    expect(new Set(requests)).toEqual(new Set(['GET <id>']));
    expect(environment.ready(NETWORKS, 'net')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  }));
  row('resource', 'one that differs from the request is no end', inEnvironment(async (environment) => {
    const requests = await polled(environment, making, answers(resource('Succeeded', { location: 'elsewhere' })), USUAL_END);
    expect(requests.slice(0, 2)).toEqual(['GET <id>', 'GET /operations/x']);
  }));
  row('resource', 'a difference that the answer to the PUT showed too does not count', inEnvironment(async (environment) => {
    const elsewhere = { location: 'elsewhere' };
    const first = { ...making, ...resource('Updating', elsewhere) };
    expect(await polled(environment, first, answers(resource('Succeeded', elsewhere)), USUAL_END)).toEqual(['GET <id>']);
  }));
  row('resource', 'not for a body with values of Secrets', inEnvironment(async (environment) => {
    environment.types.push(SERVERS);
    await environment.cluster.create(SECRETS, secret('passwords', { db: 'p' }));
    await put(environment, [SERVERS, SERVER_ID, server()], (whole) => ({
      status: 201, headers, body: { ...whole, properties: { provisioningState: 'Updating' } },
    }));
    operation(environment, SUCCEEDED);
    await environment.clock.advance(2 * MINUTE);
    expect(since(environment, SERVER_ID).slice(0, 2)).toEqual(['GET /operations/x', 'GET <id>']);
  }));

  row('Location', '(better: 202 is running, 200 with the whole resource the end)', inEnvironment(async (environment) => {
    const results: Answer[] = [{ status: 202 }, { status: 202 }, resource('Succeeded')];
    const later = ({ url }: ArmRequest) => (url.includes('/results/') ? results.shift()! : { status: 500 });
    expect(await polled(environment, { status: 202, headers: both }, later, 10_000)).toEqual(Array(3).fill('GET /results/1'));
    expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
  }));
  row('Location', '200 without the whole resource is no end', inEnvironment(async (environment) => {
    const requests = await polled(environment, { status: 202, headers: both }, ({ url }) => {
      if (url.includes('/results/')) return { status: 200, body: { id: NETWORK_ID, name: 'net' }, text: '{…}' };
      return url.includes('/operations/') ? SUCCEEDED : resource('Succeeded');
    }, USUAL_END);
    expect(requests).toEqual(['GET /results/1', 'GET /operations/x', 'GET <id>']);
  }));

  row('neither', 'an answer without resource and Location: the operation is asked', inEnvironment(async (environment) => {
    const requests = await polled(environment, { status: 202, headers }, answers(resource('Succeeded')), USUAL_END);
    expect(requests).toEqual(['GET /operations/x', 'GET <id>']);
  }));
  row('neither', 'a type of which no time is known: the operation is asked', inEnvironment(async (environment) => {
    answering(environment, 'PUT', { status: 201, headers, body: { id: GROUP_ID, properties: { provisioningState: 'Creating' } } });
    operation(environment, SUCCEEDED);
    await createdGroup(environment);
    await environment.clock.advance(1_000);
    expect(environment.azure.requests[1]).toBe('GET /operations/x');
  }));
  row('neither', 'until a minute has passed, the operation is not asked; then it is', inEnvironment(async (environment) => {
    const running = ({ url }: ArmRequest) => (url.includes('/operations/') ? { body: { status: 'InProgress' } } : resource('Updating'));
    expect(await polled(environment, making, running, MINUTE - 1_000)).not.toContain('GET /operations/x');
    await environment.clock.advance(2 * MINUTE);
    expect(since(environment, NETWORK_ID).slice(-3)).toEqual(Array(3).fill('GET /operations/x'));
  }));
  row('neither', 'nor until twice the usual time has passed, where that is longer', inEnvironment(async (environment) => {
    environment.types.push(SERVERS);
    const { administratorLoginPassword: _, ...spec } = server().spec!;
    const whole = { id: SERVER_ID, name: 'db', location: 'westeurope', properties: { provisioningState: 'Updating' } };
    await put(environment, [SERVERS, SERVER_ID, { ...server(), spec }], () => ({ status: 201, headers, body: whole }));
    answering(environment, 'GET', { body: whole }, SERVER_ID);
    operation(environment, { body: { status: 'InProgress' } });
    await environment.clock.advance(2 * 68_000);
    expect(new Set(since(environment, SERVER_ID))).toEqual(new Set(['GET <id>']));
    await environment.clock.advance(MINUTE);
    expect(since(environment, SERVER_ID).slice(-3)).toEqual(Array(3).fill('GET /operations/x'));
  }));
  row('neither', 'an answer that does not show it: the operation is asked in the same reconciliation', inEnvironment(async (environment) => {
    const requests = await polled(environment, making, ({ url }) =>
      (url.includes('/operations/') ? { body: { status: 'InProgress' } } : { status: 500 }), 0);
    expect(requests).toEqual([]);
    const before = environment.reconciles.length;
    await environment.clock.advance(USUAL_END);
    expect(since(environment, NETWORK_ID)).toEqual(['GET <id>', 'GET /operations/x']);
    expect(environment.reconciles).toHaveLength(before + 1);
  }));
});
