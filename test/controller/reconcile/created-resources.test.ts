import { group, GROUP_ID, GROUPS, inSeparateEnvironments, NETWORKS, object, type TestEnvironment } from './harness';
import { CreatedResources } from '../../../controller/reconcile/created-resources';
import { RECONCILE_POLICY } from '../../../src/azure/annotations';

const MINUTE = 60_000;
const OWNER = { group: 'resources.azure.com', kind: 'ResourceGroup', namespace: 'default', name: 'rg' };
const NETWORK = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const PUT = { uid: 'u', armId: GROUP_ID, armType: 'Microsoft.Resources/resourceGroups', status: 201, wasNew: false };

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

/** Requests about the network, in order. */
const requests = () => environment.azure.requests.flatMap((text) => (text.endsWith(NETWORK) ? [text.split(' ')[0]] : []));
const SPEC = { owner: { name: 'rg' }, location: 'westeurope', addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
const network = (more: Record<string, unknown> = {}, annotations: Record<string, string> = {}) =>
  object(NETWORKS, 'net', { ...SPEC, ...more }, annotations);

describe('what is below a new owner', () => {
  let now = 0;
  const known = (put = PUT) => {
    now = 0;
    const resources = new CreatedResources(() => now);
    resources.accepted(OWNER, put);
    return resources;
  };

  test('is new until something is sent for it, whatever the case of its id', () => {
    const resources = known();
    expect(resources.isNew(OWNER, 'u', NETWORK.toUpperCase())).toBe(true);
    resources.sending(NETWORK);
    expect(resources.isNew(OWNER, 'u', NETWORK.toUpperCase())).toBe(false);
    resources.notSent(NETWORK);
    expect(resources.isNew(OWNER, 'u', NETWORK)).toBe(true);
  });

  test('is not known to be new for another object, elsewhere, after the owner has gone, nor after a quarter of an hour', () => {
    expect(known().isNew(OWNER, 'other', NETWORK)).toBe(false);
    expect(known().isNew({ ...OWNER, name: 'other' }, 'u', NETWORK)).toBe(false);
    expect(known().isNew(OWNER, 'u', NETWORK.replace('/rg/', '/rg2/'))).toBe(false);
    const gone = known();
    gone.forget(OWNER);
    expect(gone.isNew(OWNER, 'u', NETWORK)).toBe(false);
    const late = known();
    now = 15 * MINUTE;
    expect(late.isNew(OWNER, 'u', NETWORK)).toBe(false);
  });

  test('is new only where the answer to the PUT tells that the owner was made, or that was known before', () => {
    expect(known({ ...PUT, status: 200 }).isNew(OWNER, 'u', NETWORK)).toBe(false);
    expect(known({ ...PUT, armType: 'Microsoft.Storage/storageAccounts' }).isNew(OWNER, 'u', NETWORK)).toBe(false);
    expect(known({ ...PUT, armType: 'Microsoft.Sql/servers', status: 202, wasNew: true }).isNew(OWNER, 'u', NETWORK)).toBe(true);
  });

  test('is remembered as sent for a quarter of an hour, which is longer than any owner is new', () => {
    const resources = known();
    resources.sending(NETWORK);
    now = 14 * MINUTE;
    resources.sending(`${NETWORK}2`);
    expect(resources.isNew(OWNER, 'u', NETWORK)).toBe(false);
  });
});

describe('a network, whose PUT keeps the subnets that others have made,', () => {
  const start = async () => {
    await environment.cluster.create(GROUPS, group());
    await environment.start();
  };

  test('is not looked for where this process has just made its group', async () => {
    await start();
    await environment.cluster.create(NETWORKS, network());
    await environment.clock.advance(5_000);
    expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
    expect(requests()).toEqual(['PUT', 'GET']);
  });

  test.each<[string, () => Promise<unknown>, ReturnType<typeof network>]>([
    ['the group was made a quarter of an hour ago', () => environment.clock.advance(15 * MINUTE), network()],
    ['another process has made the group', async () => {
      await environment.kill();
      await environment.start();
    }, network()],
    ['changes of others are to be kept', () => Promise.resolve(), network({ tags: { a: 'b' } }, { 'aso.cdk8s.io/ignore-changes': '["tags"]' })],
    ['nothing of others may be taken over', () => Promise.resolve(), network({}, { 'aso.cdk8s.io/adopt': 'Never' })],
  ])('is looked for where %s', async (_, before, one) => {
    await start();
    await before();
    environment.azure.requests.length = 0;
    await environment.cluster.create(NETWORKS, one);
    await environment.clock.advance(5_000);
    expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
    expect(requests()[0]).toBe('GET');
  });

  test('is looked for where the group was there before', async () => {
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'elsewhere' }, polls: 0 });
    await start();
    await environment.cluster.create(NETWORKS, network());
    await environment.clock.advance(5_000);
    expect(requests()[0]).toBe('GET');
  });

  test('is looked for where an object before it has left the network behind, so that its subnets stay', async () => {
    await start();
    await environment.cluster.create(NETWORKS, network({}, { [RECONCILE_POLICY]: 'detach-on-delete' }));
    await environment.clock.advance(5_000);
    await environment.cluster.delete(NETWORKS, 'net', 'default');
    await environment.clock.advance(5_000);
    expect(environment.stored(NETWORKS, 'net')).toBeUndefined();
    const subnets = [{ name: 'theirs', properties: { addressPrefix: '10.0.1.0/24' } }];
    const { body } = environment.azure.resources.get(NETWORK.toLowerCase())!;
    environment.azure.meddle(NETWORK, { properties: { ...(body.properties as object), subnets } });
    environment.azure.requests.length = 0;
    await environment.cluster.create(NETWORKS, network());
    await environment.clock.advance(5_000);
    expect(requests()[0]).toBe('GET');
    expect(environment.azure.bodies.at(-1)).toMatchObject({ properties: { subnets: [{ name: 'theirs' }] } });
  });

  test('is looked for where its first PUT has failed', async () => {
    await start();
    let refused = 0;
    environment.azure.intercept = ({ method, url }) =>
      method === 'PUT' && url.includes('virtualNetworks') && refused++ === 0
        ? { status: 409, body: { error: { code: 'Conflict', message: 'not now' } } }
        : undefined;
    await environment.cluster.create(NETWORKS, network());
    await environment.clock.advance(30_000);
    expect(requests().slice(0, 3)).toEqual(['PUT', 'GET', 'PUT']);
  });
});
