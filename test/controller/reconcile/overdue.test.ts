import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, object, TestEnvironment, type EnvironmentSettings } from './harness';
import type { ArmRequest } from '../../../engine/arm/types';
import { annotation } from '../../../engine/objects/annotations';
import { WAITING } from '../../../src/azure/annotations';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A resource group was seen to be deleted for 1389 s; three times as long is 69 minutes. */
const DELETE_TIMEOUT_MS = 69 * MINUTE;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const events = (reason: string) => environment.events.filter((event) => event.reason === reason);
const OPERATION = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
const isOperation = ({ url }: ArmRequest) => url.includes('/operations/');
const inState = (provisioningState: string) => ({ body: { id: GROUP_ID, location: 'westeurope', properties: { provisioningState } } });

/** Azure is at the operation of each PUT for ever. */
function neverEnds(state = 'Updating'): { puts: () => number; end: () => void } {
  let puts = 0;
  let isOver = false;
  const before = environment.azure.intercept;
  environment.azure.intercept = (request) => {
    if (isOver) return before(request);
    if (isOperation(request)) return { body: { status: 'InProgress' } };
    if (request.method === 'GET') return inState(state);
    if (request.method !== 'PUT') return undefined;
    puts += 1;
    return puts === 1
      ? { status: 201, headers: OPERATION, ...inState(state) }
      : { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: 'busy' } } };
  };
  return { puts: () => puts, end: () => (isOver = true) };
}

async function created(settings: EnvironmentSettings = {}): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.start(settings);
}

test('an operation that takes longer than any of its type is a Warning that says since when; it is looked at for ever, and less often', async () => {
  const azure = neverEnds();
  await created();
  await environment.clock.advance(59 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  await environment.clock.advance(2 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Warning',
    reason: 'OperationOverdue',
    message: expect.stringMatching(
      /^Azure has been working on ".*resourceGroups\/rg" since 2026-01-01T00:00:00Z \(state .+\), longer than the 60 minutes/,
    ) as string,
  });
  const before = environment.azure.requests.length;
  const writes = environment.cluster.writes.length;
  await environment.clock.advance(24 * HOUR);
  expect(environment.azure.requests.length - before).toBeLessThanOrEqual(24 * 12 + 2);
  expect(environment.azure.requests.length - before).toBeGreaterThan(24 * 11);
  expect(environment.cluster.writes.length - writes).toBeLessThanOrEqual(2);
  // The same spec is not sent again: Azure has it.
  expect(azure.puts()).toBe(1);
  expect(events('OperationOverdue').length).toBeLessThanOrEqual(2);
  azure.end();
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  await environment.clock.advance(6 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(annotation(environment.stored(GROUPS, 'rg')!, WAITING)).toBeUndefined();
});

test('a newer spec is sent again once an hour while Azure refuses it, and taken when Azure takes it', async () => {
  const azure = neverEnds();
  await created();
  await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { team: 'a' } });
  await settled();
  await environment.clock.advance(HOUR);
  expect(azure.puts()).toBeLessThanOrEqual(2);
  await environment.clock.advance(5 * HOUR);
  expect(azure.puts()).toBeGreaterThanOrEqual(5);
  expect(azure.puts()).toBeLessThanOrEqual(8);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    reason: 'OperationOverdue',
    message: expect.stringContaining('newer spec was sent again at') as string,
  });
  expect(events('OperationOverdue').at(-1)!.message).toContain('AnotherOperationInProgress');
  azure.end();
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  await environment.clock.advance(HOUR + 6 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { team: 'a' } });
});

test('the operation of an older spec that ends after all is followed by the newer spec at once', async () => {
  const azure = neverEnds();
  await created();
  await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { team: 'a' } });
  await environment.clock.advance(90 * MINUTE);
  azure.end();
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  await environment.clock.advance(6 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
});

test.each([
  ['at any time', 30 * MINUTE],
  ['when it is overdue', 100 * MINUTE],
])('a restart %s does not forget since when', async (_, moment) => {
  neverEnds();
  await created();
  await environment.clock.advance(moment);
  await environment.kill();
  await environment.start();
  await environment.clock.advance(110 * MINUTE - moment);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    reason: 'OperationOverdue',
    message: expect.stringContaining('since 2026-01-01T00:00:00Z') as string,
  });
});

test('what the operation\'s URL never tells, the resource does', async () => {
  environment.azure.intercept = (request) => {
    if (isOperation(request)) return { body: { status: 'InProgress' } };
    if (request.method !== 'PUT') return undefined;
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
    return { status: 201, headers: OPERATION, ...inState('Creating') };
  };
  await created();
  await environment.clock.advance(50 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'Reconciling' });
  await environment.clock.advance(20 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('somebody else\'s operation that does not end is a Warning as well', async () => {
  await created();
  environment.azure.intercept = ({ method }) => (method === 'GET' ? inState('Updating') : undefined);
  await environment.clock.advance(HOUR + 30 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  await environment.clock.advance(HOUR);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    severity: 'Warning',
    reason: 'OperationOverdue',
    message: expect.stringContaining('(state Updating)') as string,
  });
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(10 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(annotation(environment.stored(GROUPS, 'rg')!, WAITING)).toBeUndefined();
});

describe('a deletion that does not end', () => {
  /** Azure shows the resource in a state, and takes each DELETE without an end. */
  async function deleting(state: string, deleteStatus = 202): Promise<{ deletes: () => number; end: () => void }> {
    await created();
    let deletes = 0;
    let isOver = false;
    environment.azure.intercept = (request) => {
      if (isOver) {
        return request.method === 'GET' ? { status: 404, body: { error: { code: 'ResourceNotFound', message: 'gone' } } } : undefined;
      }
      if (isOperation(request)) return { body: { status: 'InProgress' } };
      if (request.method === 'GET') return inState(state);
      if (request.method !== 'DELETE') return undefined;
      deletes += 1;
      return deletes === 1 || deleteStatus === 202
        ? { status: 202, headers: OPERATION }
        : { status: deleteStatus, body: { error: { code: 'Conflict', message: 'busy' } } };
    };
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    return { deletes: () => deletes, end: () => (isOver = true) };
  }

  test.each([
    ['Deleting', 202],
    ['Deleting', 409],
    ['Succeeded', 202],
    ['Succeeded', 409],
  ])('shown as %s, answered %d: a Warning, and the DELETE is sent again once in a while', async (state, status) => {
    const azure = await deleting(state, status);
    await environment.clock.advance(DELETE_TIMEOUT_MS - 2 * MINUTE);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Deleting' });
    const before = azure.deletes();
    await environment.clock.advance(12 * HOUR);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      severity: 'Warning',
      reason: 'OperationOverdue',
      message: expect.stringMatching(/^Azure has been deleting ".*" since 2026-01-01T00:00:00Z .*the DELETE was sent again at /) as string,
    });
    expect(azure.deletes() - before).toBeGreaterThanOrEqual(9);
    expect(azure.deletes() - before).toBeLessThanOrEqual(12);
    azure.end();
    await environment.clock.advance(10 * MINUTE);
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  });

  test('that somebody else has begun: the same', async () => {
    await created();
    let deletes = 0;
    environment.azure.intercept = ({ method }) => {
      if (method === 'GET') return inState('Deleting');
      if (method !== 'DELETE') return undefined;
      deletes += 1;
      return { status: 409, body: { error: { code: 'Conflict', message: 'it is being deleted' } } };
    };
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await environment.clock.advance(HOUR);
    expect([deletes, environment.ready(GROUPS, 'rg')!.reason]).toEqual([0, 'Deleting']);
    await environment.clock.advance(6 * HOUR);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'OperationOverdue' });
    expect(deletes).toBeGreaterThanOrEqual(4);
    expect(deletes).toBeLessThanOrEqual(6);
  });

  const UNAVAILABLE = { status: 503, body: { error: { code: 'ServiceUnavailable', message: 'not now' } } };
  const FORBIDDEN = { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no right to read' } } };
  test.each([
    ['cannot be read', UNAVAILABLE, 202],
    ['cannot be read', UNAVAILABLE, 409],
    ['may not be read', FORBIDDEN, 202],
    ['may not be read', FORBIDDEN, 409],
  ])('gets no DELETE while the resource %s, and is overdue since the same time (%j, %d)', async (_, refusal, status) => {
    const azure = await deleting('Succeeded', status);
    await environment.clock.advance(DELETE_TIMEOUT_MS + 2 * MINUTE);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'OperationOverdue' });
    const { intercept } = environment.azure;
    environment.azure.intercept = (request) => (request.method === 'GET' && !isOperation(request) ? refusal : intercept(request));
    const before = azure.deletes();
    await environment.clock.advance(3 * HOUR);
    expect([before, azure.deletes()]).toEqual([2, 2]);
    environment.azure.intercept = intercept;
    await environment.clock.advance(10 * MINUTE);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({
      reason: 'OperationOverdue', message: expect.stringContaining('since 2026-01-01T00:00:00Z') as string,
    });
    azure.end();
    await environment.clock.advance(10 * MINUTE);
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  });

  test('is never deleted in Azure again once the policy keeps it', async () => {
    const azure = await deleting('Deleting');
    await environment.clock.advance(2 * HOUR);
    const before = azure.deletes();
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
    await settled();
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    expect(azure.deletes()).toBe(before);
  });
});

test('a simulated Azure that is faster is overdue sooner', async () => {
  neverEnds();
  await created({ delayScale: 60 });
  await environment.clock.advance(2 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'OperationOverdue' });
});

test('a second object for a resource that Azure is at waits for the end, and then compares', async () => {
  await created();
  environment.azure.intercept = ({ method, url }) => (method === 'GET' && !url.includes('/operations/') ? inState('Updating') : undefined);
  await environment.cluster.create(GROUPS, object(GROUPS, 'other', { location: 'westeurope', azureName: 'rg', tags: { a: 'b' } }));
  await environment.clock.advance(5 * MINUTE);
  expect(environment.azure.count('PUT')).toBe(1);
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(MINUTE);
  expect(environment.azure.count('PUT')).toBe(2);
  expect(environment.ready(GROUPS, 'other')).toMatchObject({ status: 'True' });
});
