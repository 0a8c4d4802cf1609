import { FEDERATIONS, group, GROUP_ID, GROUPS, identity, IDENTITIES, IDENTITY_ID, NETWORKS, object, PEERINGS, SUBNETS, World } from './harness';
import { withReady } from '../../controller/reconcile/core/conditions';
import type { Observed } from '../../controller/reconcile/core/observed';
import { waitForTurn } from '../../controller/reconcile/core/turn';
import { turnPlaceOf } from '../../engine/kinds/serial-writes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { annotation, POLLER_TOKEN } from '../../engine/objects/annotations';

const NETWORK_ID = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const network = () => object(NETWORKS, 'net', { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/8'] } });
const subnet = (name: string, more: Record<string, unknown> = {}) => object(SUBNETS, name, { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24', ...more });
const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

/** Azure refuses to write several below one parent at a time; answers whom it has refused. */
function refusing(world: World): string[] {
  const refused: string[] = [];
  const line = (url: string) => turnPlaceOf(url.replace(world.azure.endpoint, '').split('?')[0])?.line;
  world.azure.intercept = ({ method, url }) => {
    if (method !== 'PUT' && method !== 'DELETE') return undefined;
    const own = line(url);
    const busy = own && [...world.azure.resources].find(([path, { polls }]) => polls > 0 && line(path) === own);
    if (!busy) return undefined;
    refused.push(`${method} ${url}`);
    return { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: `${busy[0]} is being written` } } };
  };
  return refused;
}

async function networkOf(count: number, polls = 2): Promise<{ world: World; refused: string[] }> {
  const world = new World();
  const refused = refusing(world);
  world.azure.polls = polls;
  await world.cluster.create(GROUPS, group());
  await world.cluster.create(NETWORKS, network());
  for (const name of names(count)) await world.cluster.create(SUBNETS, subnet(name));
  return { world, refused };
}

async function until(world: World, done: () => boolean, seconds = 900): Promise<void> {
  for (let second = 0; second < seconds && !done(); second += 1) await world.clock.advance(1_000);
  expect(done()).toBe(true);
}

const allReady = (world: World, count: number) => names(count).every((name) => world.ready(SUBNETS, name)?.status === 'True');
const turnsOf = (world: World) => world.passes.filter(({ actions, key }) => key.kind === SUBNETS.kind && actions.includes('turn')).length;

test('whoever waits is no longer in the error that the pass has got past, which nobody would try again', () => {
  const failed = withReady(subnet('s1'), { status: 'False', severity: 'Error', reason: 'SubscriptionMismatch', message: 'x' }, 0);
  const turn = { kind: 'others' as const, before: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', namespace: 'a', name: 's0' }, parent: NETWORK_ID };
  const { observed } = waitForTurn({ object: failed, now: 1_000 } as Observed, turn);
  expect(observed.object.status?.conditions).toEqual([expect.objectContaining({ type: 'Ready', status: 'False', severity: 'Info', reason: 'Reconciling' })]);
});

describe('subnets of one network', () => {
  test('are written one after the other: none is refused, none fails, and each waits in one pass', async () => {
    const { world, refused } = await networkOf(12);
    await world.start();
    await until(world, () => allReady(world, 12));
    expect(refused).toEqual([]);
    expect(world.azure.count('PUT', '/subnets/s0')).toBe(1);
    expect([...world.azure.created.values()].every((times) => times === 1)).toBe(true);
    // One to wait and one to write; the first one does not wait.
    expect(turnsOf(world)).toBe(2 * 12 - 1);
    const failed = world.passes.flatMap(({ result }) => (result.kind === 'failure' ? [result.failure.reason] : []));
    expect(new Set(failed)).toEqual(new Set(['WaitingForOwner']));
    await world.kill();
  });

  test('whoever waits says for whom, in the namespace of the other too, and asks nothing of Azure', async () => {
    const { world } = await networkOf(1);
    await world.start();
    await until(world, () => world.ready(NETWORKS, 'net')?.status === 'True');
    world.azure.polls = 100;
    await until(world, () => annotation(world.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const elsewhere = { ...subnet('other'), spec: { owner: { armId: NETWORK_ID }, addressPrefix: '10.0.1.0/24' } };
    await world.cluster.create(SUBNETS, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'team' } });
    await world.clock.advance(1_000);
    const ready = world.stored(SUBNETS, 'other', 'team')?.status?.conditions?.[0];
    expect(ready).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'Reconciling',
      message: `Waiting for its turn: VirtualNetworksSubnet default/s0 comes first, and Azure takes one write at a time below "${NETWORK_ID}"`,
    });
    expect(world.azure.requests.filter((request) => request.endsWith('/subnets/other'))).toEqual([]);
    await world.kill();
  });

  test('the order is that of coming, and a peering and the network itself stand in the same line', async () => {
    const { world, refused } = await networkOf(2);
    await world.start();
    await until(world, () => world.ready(NETWORKS, 'net')?.status === 'True', 300);
    const remote = { reference: { armId: `${NETWORK_ID}2` } };
    await world.cluster.create(PEERINGS, object(PEERINGS, 'peer', { owner: { name: 'net' }, remoteVirtualNetwork: remote }));
    await world.cluster.edit(NETWORKS, 'default', 'net', { tags: { a: 'b' } });
    await until(world, () => allReady(world, 2) && world.ready(PEERINGS, 'peer')?.status === 'True' && world.azure.count('PUT', '/virtualNetworks/net') === 2);
    expect(refused).toEqual([]);
    await world.kill();
  });

  test('deletions take turns too, and that of the network goes first', async () => {
    const { world, refused } = await networkOf(4, 0);
    await world.start();
    await until(world, () => allReady(world, 4));
    world.azure.requests.length = 0;
    // The others have to wait for a write that takes long.
    world.azure.polls = 5;
    await world.cluster.edit(SUBNETS, 'default', 's0', { addressPrefix: '10.0.9.0/24' });
    await world.clock.advance(100);
    for (const name of ['s1', 's2', 's3']) await world.cluster.delete(SUBNETS, name, 'default');
    await world.cluster.delete(NETWORKS, 'net', 'default');
    expect(world.ready(SUBNETS, 's2')).toMatchObject({ reason: 'Deleting', message: expect.stringContaining('Waiting for its turn') });
    await until(world, () => ['s1', 's2', 's3'].every((name) => !world.stored(SUBNETS, name)) && !world.stored(NETWORKS, 'net'));
    expect(refused).toEqual([]);
    expect(world.azure.requests.filter((request) => request.startsWith('DELETE'))[0]).toMatch(/virtualNetworks\/net$/);
    await world.kill();
  });

  test.each([
    ['refused because its own PUT still runs', 'DELETE', 409, 'AnotherOperationInProgress'],
    ['held back by a limit', 'GET', 429, 'TooManyRequests'],
  ])('a deletion that is %s keeps its turn', async (_, least, status, code) => {
    const { world, refused } = await networkOf(2, 2);
    await world.start();
    await until(world, () => annotation(world.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const before = world.azure.intercept;
    const of = (method: string, url: string) => url.includes('/subnets/s0') && (method === 'DELETE' || method === least);
    world.azure.intercept = (request) => (of(request.method, request.url) ? { status, body: { error: { code, message: 'no' } } } : before(request));
    await world.cluster.delete(SUBNETS, 's0', 'default');
    await world.clock.advance(60_000);
    expect(world.stored(SUBNETS, 's0')).toBeDefined();
    expect(world.azure.count('PUT', '/subnets/s1')).toBe(0);
    // What nobody polls would never end in this Azure.
    world.azure.resources.forEach((resource) => Object.assign(resource, { polls: 0 }));
    world.azure.intercept = before;
    await until(world, () => !world.stored(SUBNETS, 's0') && world.ready(SUBNETS, 's1')?.status === 'True');
    expect(refused).toEqual([]);
    await world.kill();
  });

  test.each([502, 503, 504])('a deletion that is answered with %i may have begun: the others wait for a sign of it', async (status) => {
    const { world } = await networkOf(2, 0);
    await world.start();
    await until(world, () => allReady(world, 2), 300);
    const isSilent = (url: string) => url.includes('/subnets/s0') && world.azure.requests.some((request) => request.startsWith('DELETE'));
    world.azure.intercept = ({ url }) => (isSilent(url) ? { status, text: '<html>Bad Gateway</html>' } : undefined);
    await world.cluster.delete(SUBNETS, 's0', 'default');
    await world.clock.advance(1_000);
    expect(world.azure.count('DELETE', '/subnets/s0')).toBeGreaterThan(0);
    const written = world.azure.count('PUT', '/subnets/s1');
    await world.cluster.edit(SUBNETS, 'default', 's1', { addressPrefix: '10.0.9.0/24' });
    await world.clock.advance(60_000);
    expect(world.azure.count('PUT', '/subnets/s1')).toBe(written);
    world.azure.intercept = () => undefined;
    await until(world, () => !world.stored(SUBNETS, 's0') && world.azure.count('PUT', '/subnets/s1') === written + 1);
    await world.kill();
  });

  test('a restart in the middle of a write: the others wait until it is over', async () => {
    for (const seconds of [3, 6, 10, 15]) {
      const { world, refused } = await networkOf(5, 4);
      await world.start();
      await world.clock.advance(seconds * 1_000);
      await world.kill();
      await world.start();
      await until(world, () => allReady(world, 5));
      expect(refused).toEqual([]);
      expect(names(5).map((name) => world.azure.count('PUT', `/subnets/${name}`))).toEqual([1, 1, 1, 1, 1]);
      await world.kill();
    }
  });

  test.each<[string, (world: World) => Promise<unknown>]>([
    ['is deleted and its resource is left', async ({ cluster }) => {
      await cluster.annotate(SUBNETS, 'default', 's0', { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
      await cluster.delete(SUBNETS, 's0', 'default');
    }],
    ['is set to skip', ({ cluster }) => cluster.annotate(SUBNETS, 'default', 's0', { 'serviceoperator.azure.com/reconcile-policy': 'skip' })],
    ['is refused for good', async ({ azure }) => {
      azure.intercept = ({ method, url }) => (method === 'PUT' && url.includes('/subnets/s0') ? { status: 400, body: { error: { code: 'BadRequest', message: 'no' } } } : undefined);
    }],
    ['gets no answer any more', async ({ azure }) => {
      azure.intercept = ({ url }) => (url.includes('/subnets/s0') ? { status: 500, body: { error: { code: 'InternalServerError', message: 'no' } } } : undefined);
    }],
  ])('whoever has the turn and %s lets the others go on', async (_, happens) => {
    const { world } = await networkOf(4, 2);
    await world.start();
    await until(world, () => world.azure.requests.some((request) => request.startsWith('PUT') && request.endsWith('/subnets/s0')), 300);
    // What nobody polls would never end in this Azure.
    world.azure.intercept = () => undefined;
    await happens(world);
    await until(world, () => ['s1', 's2', 's3'].every((name) => world.ready(SUBNETS, name)?.status === 'True'), 1_200);
    await world.kill();
  });

  test('a credential that is gone and comes back loses nobody', async () => {
    const { world, refused } = await networkOf(4, 6);
    await world.start();
    await until(world, () => annotation(world.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const { credential } = world;
    world.credential = undefined;
    await world.clock.advance(120_000);
    world.credential = credential;
    await until(world, () => allReady(world, 4));
    // The operation of the first one ran all the time.
    expect(refused).toEqual([]);
    await world.kill();
  });

  test('two that Azure always refuses do not call each other up: each keeps its own pace', async () => {
    const { world } = await networkOf(2, 0);
    const refuse = { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: 'somebody else' } } };
    world.azure.intercept = ({ method, url }) => (method === 'PUT' && url.includes('/subnets/') ? refuse : undefined);
    await world.start();
    await world.clock.advance(600_000);
    // 1 + 2 + 4 + … + 180 s: about ten each in ten minutes.
    for (const name of names(2)) expect(world.azure.count('PUT', `/subnets/${name}`)).toBeLessThan(12);
    await world.kill();
  });
});

test('federated credentials of one identity are written one after the other, those of another one at the same time', async () => {
  const world = new World();
  const writing = new Map<string, number>();
  let most = 0;
  await world.cluster.create(GROUPS, group());
  for (const name of ['id', 'id2']) await world.cluster.create(IDENTITIES, identity(name));
  const parentOf = (url: string) => turnPlaceOf(url.split('?')[0])?.line;
  const send = world.azure.send.bind(world.azure);
  world.azure.send = async (request) => {
    const parent = request.method === 'PUT' ? parentOf(request.url) : undefined;
    if (!parent) return send(request);
    writing.set(parent, (writing.get(parent) ?? 0) + 1);
    expect(writing.get(parent)).toBe(1);
    most = Math.max(most, [...writing.values()].reduce((sum, count) => sum + count, 0));
    await world.clock.sleep(500);
    writing.set(parent, writing.get(parent)! - 1);
    return send(request);
  };
  const spec = (owner: string, subject: string) => ({ owner: { name: owner }, issuer: 'https://issuer', subject, audiences: ['a'] });
  for (const name of names(8)) {
    for (const owner of ['id', 'id2']) await world.cluster.create(FEDERATIONS, object(FEDERATIONS, `${owner}-${name}`, spec(owner, name)));
  }
  await world.start();
  await until(world, () => names(8).every((name) => ['id', 'id2'].every((owner) => world.ready(FEDERATIONS, `${owner}-${name}`)?.status === 'True')));
  expect(most).toBe(2);
  expect(world.azure.created.get(`${IDENTITY_ID}/federatedIdentityCredentials/id-s0`)).toBe(1);
  await world.kill();
});

test('what is as it should be is looked at without a turn', async () => {
  const { world } = await networkOf(3, 0);
  await world.start();
  await until(world, () => allReady(world, 3));
  world.passes.length = 0;
  await world.clock.advance(2 * 3_600_000);
  const passes = world.passes.filter(({ key }: { key: { kind: string } }) => key.kind === SUBNETS.kind);
  expect(passes.length).toBeGreaterThan(0);
  expect(passes.filter(({ actions }) => actions.includes('turn'))).toEqual([]);
  expect(passes.every(({ object: { status } }: { object: KubernetesObject }) => status?.conditions?.[0].status === 'True')).toBe(true);
  await world.kill();
});
