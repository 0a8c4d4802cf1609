import { settled } from './fake-clock';
import { group, GROUPS, object, SECRETS, World } from './harness';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM } from '../../engine/objects/annotations';

const secret = (name: string, value = 'one'): KubernetesObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, data: { AZURE_CLIENT_SECRET: value } });

async function changed(world: World, name: string, value: string): Promise<void> {
  const stored = world.stored(SECRETS, name)!;
  await world.cluster.replace(SECRETS, { ...stored, data: { AZURE_CLIENT_SECRET: value } });
  await settled();
}

const methods = (world: World, from: number) => world.azure.requests.slice(from).map((request) => request.split(' ')[0]);

test('docs/spec/credentials.md#changes: content of a Secret: other content starts a pass of the objects that use it, which reads and sends nothing', async () => {
  const world = new World();
  await world.cluster.create(SECRETS, secret('aso-credential'));
  await world.cluster.create(SECRETS, secret('own'));
  await world.cluster.create(GROUPS, group());
  await world.cluster.create(GROUPS, object(GROUPS, 'other', { location: 'westeurope' }, { [CREDENTIAL_FROM]: 'own' }));
  await world.start();
  expect(world.ready(GROUPS, 'rg')?.status).toBe('True');
  const before = world.azure.requests.length;
  await changed(world, 'aso-credential', 'two');
  expect(methods(world, before)).toEqual(['GET']);
  expect(world.azure.requests.at(-1)).toMatch(/\/rg$/);
  await changed(world, 'own', 'two');
  expect(methods(world, before)).toEqual(['GET', 'GET']);
  expect(world.azure.requests.at(-1)).toMatch(/\/other$/);
  await world.clock.advance(3_600_000 * 1.3);
  expect(methods(world, before)).toEqual(['GET', 'GET', 'GET', 'GET']);
});

test('docs/spec/credentials.md#changes: content of a Secret: a credential that does not work any more shows at once, and one that works again heals at once', async () => {
  const world = new World();
  await world.cluster.create(SECRETS, secret('aso-credential'));
  await world.cluster.create(GROUPS, group());
  await world.start();
  world.azure.intercept = () => ({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no' } } });
  await changed(world, 'aso-credential', 'bad');
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning', reason: 'AuthorizationFailed' });
  world.azure.intercept = () => undefined;
  await changed(world, 'aso-credential', 'good');
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(world.azure.count('PUT')).toBe(1);
});

test('docs/spec/credentials.md#changes: credential-from: added, changed, removed is an immediate pass', async () => {
  const world = new World();
  await world.cluster.create(SECRETS, secret('own'));
  await world.cluster.create(GROUPS, group());
  await world.start();
  for (const value of ['own', 'none', null]) {
    const before = world.passes.length;
    await world.cluster.annotate(GROUPS, 'default', 'rg', { [CREDENTIAL_FROM]: value });
    await settled();
    expect(world.passes.length).toBeGreaterThan(before);
  }
});

test('docs/spec/credentials.md#changes: aso-credential: one that comes with another subscription is a SubscriptionMismatch at once, and none when it has gone', async () => {
  const world = new World();
  await world.cluster.create(GROUPS, group());
  await world.start();
  world.credential = { subscriptionId: '22222222-2222-2222-2222-222222222222' };
  await world.cluster.create(SECRETS, secret('aso-credential'));
  await settled();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Error',
    reason: 'SubscriptionMismatch',
    message: expect.stringContaining('resource does not match with Client Credential: "22222222-2222-2222-2222-222222222222"'),
  });
  world.credential = { subscriptionId: world.azure.subscriptionId };
  await world.cluster.delete(SECRETS, 'aso-credential', 'default');
  await settled();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('what the controller itself writes on a Secret, its finalizer, starts nothing', async () => {
  const world = new World();
  await world.cluster.create(SECRETS, secret('aso-credential'));
  await world.cluster.create(GROUPS, group());
  await world.start();
  const before = world.passes.length;
  await world.cluster.patch(SECRETS, 'aso-credential', 'default', { metadata: { finalizers: ['aso.cdk8s.io/credential-in-use'] } }, 'application/merge-patch+json');
  await settled();
  expect(world.passes.length).toBe(before);
});
