import { withReady } from '../../../../controller/reconcile/core/conditions';
import type { Observed } from '../../../../controller/reconcile/core/observed';
import { waitForLock } from '../../../../controller/reconcile/core/parent-lock';
import { parentLockScopeOf } from '../../../../engine/kinds/serial-writes';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { annotation, withAnnotations, withFinalizer } from '../../../../engine/objects/annotations';
import { POLLER_TOKEN, RESOURCE_ID } from '../../../../src/azure/annotations';
import {
  FEDERATIONS,
  group,
  GROUP_ID,
  GROUPS,
  identity,
  IDENTITIES,
  IDENTITY_ID,
  NETWORKS,
  object,
  PEERINGS,
  SUBNETS,
  TestEnvironment,
} from '../harness';

const NETWORK_ID = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const network = () =>
  object(NETWORKS, 'net', { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/8'] } });
const subnet = (name: string, more: Record<string, unknown> = {}) =>
  object(SUBNETS, name, { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24', ...more });
const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

/** Azure refuses to write several below one parent at a time; answers whom it has refused. */
function refusing(environment: TestEnvironment): string[] {
  const refused: string[] = [];
  const line = (url: string) => parentLockScopeOf(url.replace(environment.azure.endpoint, '').split('?')[0]!)?.lockName;
  environment.azure.intercept = ({ method, url }) => {
    if (method !== 'PUT' && method !== 'DELETE') return undefined;
    const own = line(url);
    const busy = own && [...environment.azure.resources].find(([path, { polls }]) => polls > 0 && line(path) === own);
    if (!busy) return undefined;
    refused.push(`${method} ${url}`);
    return { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: `${busy[0]} is being written` } } };
  };
  return refused;
}

async function networkOf(count: number, polls = 2): Promise<{ environment: TestEnvironment; refused: string[] }> {
  const environment = new TestEnvironment();
  const refused = refusing(environment);
  environment.azure.polls = polls;
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(NETWORKS, network());
  for (const name of names(count)) await environment.cluster.create(SUBNETS, subnet(name));
  return { environment, refused };
}

async function until(environment: TestEnvironment, done: () => boolean, seconds = 900): Promise<void> {
  for (let second = 0; second < seconds && !done(); second += 1) await environment.clock.advance(1_000);
  expect(done()).toBe(true);
}

const allReady = (environment: TestEnvironment, count: number) =>
  names(count).every((name) => environment.ready(SUBNETS, name)?.status === 'True');
const locksOf = (environment: TestEnvironment) =>
  environment.reconciles.filter(({ actions, key }) => key.kind === SUBNETS.kind && actions.includes('acquireLock')).length;

test('whoever waits is no longer in the error that the reconcile has got past, which nobody would try again', () => {
  const failed = withReady(subnet('s1'), { status: 'False', severity: 'Error', reason: 'SubscriptionMismatch', message: 'x' }, 0);
  const turn = {
    kind: 'waits' as const,
    before: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', namespace: 'a', name: 's0' },
    parent: NETWORK_ID,
  };
  const { observed } = waitForLock({ object: failed, now: 1_000 } as Observed, turn);
  expect(observed.object.status?.conditions).toEqual([
    expect.objectContaining({ type: 'Ready', status: 'False', severity: 'Info', reason: 'Reconciling' }),
  ]);
});

describe('subnets of one network', () => {
  test('are written one after the other: none is refused, none fails, and each waits in one reconcile', async () => {
    const { environment, refused } = await networkOf(12);
    await environment.start();
    await until(environment, () => allReady(environment, 12));
    expect(refused).toEqual([]);
    expect(environment.azure.count('PUT', '/subnets/s0')).toBe(1);
    expect([...environment.azure.created.values()].every((times) => times === 1)).toBe(true);
    // One to wait and one to write; the first one does not wait.
    expect(locksOf(environment)).toBe(2 * 12 - 1);
    const failed = environment.reconciles.flatMap(({ result }) => (result.kind === 'failure' ? [result.failure.reason] : []));
    expect(new Set(failed)).toEqual(new Set(['WaitingForOwner']));
    await environment.kill();
  });

  test('whoever waits says for whom, in the namespace of the other too, and asks nothing of Azure', async () => {
    const { environment } = await networkOf(1);
    await environment.start();
    await until(environment, () => environment.ready(NETWORKS, 'net')?.status === 'True');
    environment.azure.polls = 100;
    await until(environment, () => annotation(environment.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const elsewhere = { ...subnet('other'), spec: { owner: { armId: NETWORK_ID }, addressPrefix: '10.0.1.0/24' } };
    await environment.cluster.create(SUBNETS, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'team' } });
    await environment.clock.advance(1_000);
    const ready = environment.stored(SUBNETS, 'other', 'team')?.status?.conditions?.[0];
    expect(ready).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'Reconciling',
      message: `Waiting for its turn: VirtualNetworksSubnet default/s0 comes first, and Azure takes one write at a time below "${NETWORK_ID}"`,
    });
    expect(environment.azure.requests.filter((request) => request.endsWith('/subnets/other'))).toEqual([]);
    await environment.kill();
  });

  test('the order is that of coming, and a peering and the network itself stand in the same line', async () => {
    const { environment, refused } = await networkOf(2);
    await environment.start();
    await until(environment, () => environment.ready(NETWORKS, 'net')?.status === 'True', 300);
    const remote = { reference: { armId: `${NETWORK_ID}2` } };
    await environment.cluster.create(PEERINGS, object(PEERINGS, 'peer', { owner: { name: 'net' }, remoteVirtualNetwork: remote }));
    await environment.cluster.edit(NETWORKS, 'default', 'net', { tags: { a: 'b' } });
    await until(
      environment,
      () =>
        allReady(environment, 2)
        && environment.ready(PEERINGS, 'peer')?.status === 'True'
        && environment.azure.count('PUT', '/virtualNetworks/net') === 2,
    );
    expect(refused).toEqual([]);
    await environment.kill();
  });

  test('deletions take turns too, and that of the network goes first', async () => {
    const { environment, refused } = await networkOf(4, 0);
    await environment.start();
    await until(environment, () => allReady(environment, 4));
    environment.azure.requests.length = 0;
    // The others have to wait for a write that takes long.
    environment.azure.polls = 5;
    await environment.cluster.edit(SUBNETS, 'default', 's0', { addressPrefix: '10.0.9.0/24' });
    await environment.clock.advance(100);
    for (const name of ['s1', 's2', 's3']) await environment.cluster.delete(SUBNETS, name, 'default');
    await environment.cluster.delete(NETWORKS, 'net', 'default');
    await environment.clock.advance(1);
    expect(environment.ready(SUBNETS, 's2')).toMatchObject({
      reason: 'Deleting',
      message: expect.stringContaining('Waiting for its turn'),
    });
    await until(
      environment,
      () => ['s1', 's2', 's3'].every((name) => !environment.stored(SUBNETS, name)) && !environment.stored(NETWORKS, 'net'),
    );
    expect(refused).toEqual([]);
    expect(environment.azure.requests.filter((request) => request.startsWith('DELETE'))[0]).toMatch(/virtualNetworks\/net$/);
    await environment.kill();
  });

  test.each([
    ['refused because its own PUT still runs', 'DELETE', 409, 'AnotherOperationInProgress'],
    ['throttled by a limit', 'GET', 429, 'TooManyRequests'],
  ])('a deletion that is %s keeps its turn', async (_, least, status, code) => {
    const { environment, refused } = await networkOf(2, 2);
    await environment.start();
    await until(environment, () => annotation(environment.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const before = environment.azure.intercept;
    const of = (method: string, url: string) => url.includes('/subnets/s0') && (method === 'DELETE' || method === least);
    environment.azure.intercept = (request) =>
      of(request.method, request.url) ? { status, body: { error: { code, message: 'no' } } } : before(request);
    await environment.cluster.delete(SUBNETS, 's0', 'default');
    await environment.clock.advance(60_000);
    expect(environment.stored(SUBNETS, 's0')).toBeDefined();
    expect(environment.azure.count('PUT', '/subnets/s1')).toBe(0);
    // An operation that the controller does not poll would never end in this Azure.
    environment.azure.resources.forEach((resource) => Object.assign(resource, { polls: 0 }));
    environment.azure.intercept = before;
    await until(environment, () => !environment.stored(SUBNETS, 's0') && environment.ready(SUBNETS, 's1')?.status === 'True');
    expect(refused).toEqual([]);
    await environment.kill();
  });

  test.each([502, 503, 504])('a deletion that is answered with %i may have begun: the others wait for a sign of it', async (status) => {
    const { environment } = await networkOf(2, 0);
    await environment.start();
    await until(environment, () => allReady(environment, 2), 300);
    const isSilent = (url: string) =>
      url.includes('/subnets/s0') && environment.azure.requests.some((request) => request.startsWith('DELETE'));
    environment.azure.intercept = ({ url }) => (isSilent(url) ? { status, text: '<html>Bad Gateway</html>' } : undefined);
    await environment.cluster.delete(SUBNETS, 's0', 'default');
    await environment.clock.advance(1_000);
    expect(environment.azure.count('DELETE', '/subnets/s0')).toBeGreaterThan(0);
    const written = environment.azure.count('PUT', '/subnets/s1');
    await environment.cluster.edit(SUBNETS, 'default', 's1', { addressPrefix: '10.0.9.0/24' });
    await environment.clock.advance(60_000);
    expect(environment.azure.count('PUT', '/subnets/s1')).toBe(written);
    environment.azure.intercept = () => undefined;
    await until(environment, () => !environment.stored(SUBNETS, 's0') && environment.azure.count('PUT', '/subnets/s1') === written + 1);
    await environment.kill();
  });

  test('a restart in the middle of a write: the others wait until it is over', async () => {
    for (const seconds of [3, 6, 10, 15]) {
      const { environment, refused } = await networkOf(5, 4);
      await environment.start();
      await environment.clock.advance(seconds * 1_000);
      await environment.kill();
      await environment.start();
      await until(environment, () => allReady(environment, 5));
      expect(refused).toEqual([]);
      expect(names(5).map((name) => environment.azure.count('PUT', `/subnets/${name}`))).toEqual([1, 1, 1, 1, 1]);
      await environment.kill();
    }
  });

  test.each<[string, string | undefined, number]>([
    ['made a moment ago is not waited for after a restart, whatever its annotations say', 'now', 1],
    ['there for longer is waited for, since its request may still run', undefined, 0],
  ])('an object of another namespace that was %s', async (_, created, puts) => {
    const { environment } = await networkOf(0, 0);
    const { azure, clock, cluster } = environment;
    await environment.start();
    await until(environment, () => environment.ready(NETWORKS, 'net')?.status === 'True', 60);
    await environment.kill();
    const { metadata, ...stranger } = subnet('stranger', { owner: { armId: NETWORK_ID } });
    const id = `${NETWORK_ID}/subnets/stranger`;
    const marked = withAnnotations(withFinalizer({ ...stranger, metadata: { ...metadata, namespace: 'team' } }), { [RESOURCE_ID]: id });
    const creationTimestamp = created && { creationTimestamp: new Date(clock.now()).toISOString() };
    await cluster.create(SUBNETS, { ...marked, metadata: { ...marked.metadata, ...creationTimestamp } });
    azure.intercept = ({ url }) => (url.includes('/subnets/stranger') ? { status: 500 } : undefined);
    await environment.start();
    await cluster.create(SUBNETS, subnet('s0'));
    await clock.advance(5_000);
    expect(azure.count('PUT', '/subnets/s0')).toBe(puts);
    await clock.advance(60_000);
    expect(azure.count('PUT', '/subnets/s0')).toBe(1);
    await environment.kill();
  });

  test.each<[string, (environment: TestEnvironment) => Promise<unknown>]>([
    [
      'is deleted and its resource is left',
      async ({ cluster }) => {
        await cluster.annotate(SUBNETS, 'default', 's0', { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
        await cluster.delete(SUBNETS, 's0', 'default');
      },
    ],
    [
      'is set to skip',
      ({ cluster }) => cluster.annotate(SUBNETS, 'default', 's0', { 'serviceoperator.azure.com/reconcile-policy': 'skip' }),
    ],
    [
      'is refused for good',
      async ({ azure }) => {
        azure.intercept = ({ method, url }) =>
          method === 'PUT' && url.includes('/subnets/s0')
            ? { status: 400, body: { error: { code: 'BadRequest', message: 'no' } } }
            : undefined;
      },
    ],
    [
      'gets no answer any more',
      async ({ azure }) => {
        azure.intercept = ({ url }) =>
          url.includes('/subnets/s0') ? { status: 500, body: { error: { code: 'InternalServerError', message: 'no' } } } : undefined;
      },
    ],
  ])('whoever has the turn and %s lets the others go on', async (_, happens) => {
    const { environment } = await networkOf(4, 2);
    await environment.start();
    await until(
      environment,
      () => environment.azure.requests.some((request) => request.startsWith('PUT') && request.endsWith('/subnets/s0')),
      300,
    );
    // An operation that the controller does not poll would never end in this Azure.
    environment.azure.intercept = () => undefined;
    await happens(environment);
    await until(environment, () => ['s1', 's2', 's3'].every((name) => environment.ready(SUBNETS, name)?.status === 'True'), 1_200);
    await environment.kill();
  });

  test('an object whose finalizer somebody takes away gives its turn to the next at once, not when its lease has ended', async () => {
    const { environment } = await networkOf(2, 4);
    const { azure, clock, cluster } = environment;
    await environment.start();
    await until(environment, () => annotation(environment.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    azure.intercept = () => undefined;
    // Both before the controller can add the finalizer again.
    await Promise.all([
      cluster.patch(SUBNETS, 's0', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json'),
      cluster.delete(SUBNETS, 's0', 'default'),
    ]);
    expect([environment.stored(SUBNETS, 's0'), azure.count('PUT', '/subnets/s1')]).toEqual([undefined, 0]);
    await clock.advance(10_000);
    expect(azure.count('PUT', '/subnets/s1')).toBe(1);
    await environment.kill();
  });

  test('a credential that is gone and comes back loses nobody', async () => {
    const { environment, refused } = await networkOf(4, 6);
    await environment.start();
    await until(environment, () => annotation(environment.stored(SUBNETS, 's0')!, POLLER_TOKEN) !== undefined, 300);
    const { credential } = environment;
    environment.credential = undefined;
    await environment.clock.advance(120_000);
    environment.credential = credential;
    await until(environment, () => allReady(environment, 4));
    // The operation of the first one ran all the time.
    expect(refused).toEqual([]);
    await environment.kill();
  });

  test('two that Azure always refuses do not call each other up: each keeps its own pace', async () => {
    const { environment } = await networkOf(2, 0);
    const refuse = { status: 409, body: { error: { code: 'AnotherOperationInProgress', message: 'somebody else' } } };
    environment.azure.intercept = ({ method, url }) => (method === 'PUT' && url.includes('/subnets/') ? refuse : undefined);
    await environment.start();
    await environment.clock.advance(600_000);
    // 1 + 2 + 4 + … + 180 s: about ten each in ten minutes.
    for (const name of names(2)) expect(environment.azure.count('PUT', `/subnets/${name}`)).toBeLessThan(12);
    await environment.kill();
  });
});

test('federated credentials of one identity are written one after the other, those of another one at the same time', async () => {
  const environment = new TestEnvironment();
  const writing = new Map<string, number>();
  let most = 0;
  await environment.cluster.create(GROUPS, group());
  for (const name of ['id', 'id2']) await environment.cluster.create(IDENTITIES, identity(name));
  const parentOf = (url: string) => parentLockScopeOf(url.split('?')[0]!)?.lockName;
  const send = environment.azure.send.bind(environment.azure);
  environment.azure.send = async (request) => {
    const parent = request.method === 'PUT' ? parentOf(request.url) : undefined;
    if (!parent) return send(request);
    writing.set(parent, (writing.get(parent) ?? 0) + 1);
    expect(writing.get(parent)).toBe(1);
    most = Math.max(most, [...writing.values()].reduce((sum, count) => sum + count, 0));
    await environment.clock.sleep(500);
    writing.set(parent, writing.get(parent)! - 1);
    return send(request);
  };
  const spec = (owner: string, subject: string) => ({ owner: { name: owner }, issuer: 'https://issuer', subject, audiences: ['a'] });
  for (const name of names(8)) {
    for (const owner of ['id', 'id2']) {
      await environment.cluster.create(FEDERATIONS, object(FEDERATIONS, `${owner}-${name}`, spec(owner, name)));
    }
  }
  await environment.start();
  await until(environment, () =>
    names(8).every((name) => ['id', 'id2'].every((owner) => environment.ready(FEDERATIONS, `${owner}-${name}`)?.status === 'True')),
  );
  expect(most).toBe(2);
  expect(environment.azure.created.get(`${IDENTITY_ID}/federatedIdentityCredentials/id-s0`)).toBe(1);
  await environment.kill();
});

test('what is as it should be is looked at without a turn', async () => {
  const { environment } = await networkOf(3, 0);
  await environment.start();
  await until(environment, () => allReady(environment, 3));
  environment.reconciles.length = 0;
  await environment.clock.advance(2 * 3_600_000);
  const reconciles = environment.reconciles.filter(({ key }: { key: { kind: string } }) => key.kind === SUBNETS.kind);
  expect(reconciles.length).toBeGreaterThan(0);
  expect(reconciles.filter(({ actions }) => actions.includes('acquireLock'))).toEqual([]);
  expect(reconciles.every(({ object: { status } }: { object: KubernetesObject }) => status?.conditions?.[0]!.status === 'True')).toBe(true);
  await environment.kill();
});
