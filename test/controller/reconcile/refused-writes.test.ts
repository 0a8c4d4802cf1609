import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, TestEnvironment } from './harness';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';

const HOUR = 3_600_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const events = (reason: string) => environment.events.filter((event) => event.reason === reason);
const statusWrites = () => environment.cluster.writes.filter((write) => write.startsWith('status')).length;
const invalid = () =>
  new KubernetesError(
    422,
    'Invalid',
    'ResourceGroup "rg" is invalid: status.location: Invalid value: "s3cret-place": must be of type integer',
  );

/** The API server refuses statuses of which this is true. */
function refuse(isRefused: (status: object) => boolean, error: () => KubernetesError = invalid): { attempts: () => number } {
  let attempts = 0;
  const { cluster } = environment;
  const original = cluster.replaceStatus.bind(cluster);
  cluster.replaceStatus = async (type, object: KubernetesObject) => {
    if (!isRefused(object.status ?? {})) return original(type, object);
    attempts += 1;
    throw error();
  };
  return { attempts: () => attempts };
}

test.each([
  ['422', invalid],
  ['413', () => new KubernetesError(413, 'RequestEntityTooLarge', 'limit is 3145728')],
  ['400', () => new KubernetesError(400, 'BadRequest', 'strict decoding error')],
  ['500 of etcd', () => new KubernetesError(500, 'InternalError', 'etcdserver: request is too large')],
])('a status that is refused with %s: the conditions are written, and an event tells once', async (_, error) => {
  const server = refuse((status) => 'location' in status, error);
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.stored(GROUPS, 'rg')!.status).not.toHaveProperty('location');
  expect(events('StatusRefused')).toHaveLength(1);
  await environment.clock.advance(24 * HOUR);
  expect(environment.azure.count('PUT')).toBe(1);
  expect(server.attempts()).toBeLessThanOrEqual(26);
});

test('the event names the property, and no value', async () => {
  refuse((status) => 'location' in status);
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const { type, message } = events('StatusRefused')[0]!;
  expect(type).toBe('Warning');
  expect(message).toContain('422 Invalid, status.location: Invalid value');
  expect(message).not.toContain('s3cret-place');
});

test('what was accepted before stays, and a status that is accepted again is written', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  refuse((status) => 'location' in status && status.location === 'elsewhere');
  environment.azure.intercept = ({ method }) =>
    method === 'GET' ? { body: { id: GROUP_ID, location: 'elsewhere', properties: { provisioningState: 'Succeeded' } } } : undefined;
  await environment.clock.advance(HOUR);
  expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'westeurope' });
  environment.azure.intercept = () => undefined;
  environment.azure.meddle(GROUP_ID, { tags: { a: 'b' } });
  await environment.clock.advance(HOUR);
  expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'westeurope' });
});

test('a stored status that is refused today is left out as well', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  refuse((status) => 'location' in status);
  await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(Object.keys(environment.stored(GROUPS, 'rg')!.status!)).toEqual(['conditions']);
});

test('deletion goes on: DELETE, then the finalizer', async () => {
  refuse((status) => 'location' in status);
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(environment.azure.resources.size).toBe(0);
});

test('an API server that does not answer is no refusal: the whole status is written when it does', async () => {
  let down = true;
  refuse(() => down, () => new KubernetesError(503, 'ServiceUnavailable', 'later'));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.errors.length = 0;
  down = false;
  await environment.clock.advance(60_000);
  expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ location: 'westeurope' });
  expect(events('StatusRefused')).toEqual([]);
});

test('metadata that is refused is reported in the condition and in an event, nothing is sent, and it heals', async () => {
  let full = true;
  const { cluster } = environment;
  const original = cluster.patch.bind(cluster);
  cluster.patch = async (type, ...rest) => {
    if (full && type.kind === 'ResourceGroup') {
      throw new KubernetesError(422, 'Invalid', 'metadata.annotations: Too long: may not be more than 262144 bytes');
    }
    return original(type, ...rest);
  };
  await cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(HOUR);
  expect(environment.azure.requests).toEqual([]);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    severity: 'Warning',
    reason: 'KubernetesWriteRefused',
    message: expect.stringContaining('metadata.annotations: Too long') as string,
  });
  expect(new Set(events('KubernetesWriteRefused').map(({ message }) => message)).size).toBe(1);
  expect(statusWrites()).toBe(1);
  environment.errors.length = 0;
  full = false;
  await environment.clock.advance(HOUR);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});
