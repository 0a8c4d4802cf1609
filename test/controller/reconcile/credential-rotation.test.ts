import { settled } from './fake-clock';
import { group, GROUPS, object, SECRETS, TestEnvironment } from './harness';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FROM } from '../../../src/azure/annotations';

const secret = (name: string, value = 'one'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default' },
  data: { AZURE_CLIENT_SECRET: value },
});

async function changed(environment: TestEnvironment, name: string, value: string): Promise<void> {
  const stored = environment.stored(SECRETS, name)!;
  await environment.cluster.replace(SECRETS, { ...stored, data: { AZURE_CLIENT_SECRET: value } });
  await settled();
}

const methods = (environment: TestEnvironment, from: number) =>
  environment.azure.requests.slice(from).map((request) => request.split(' ')[0]);

test('docs/spec/credentials.md#changes: content of a Secret: other content starts a reconcile of the objects that use it, which reads and sends nothing', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(SECRETS, secret('aso-credential'));
  await environment.cluster.create(SECRETS, secret('own'));
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(GROUPS, object(GROUPS, 'other', { location: 'westeurope' }, { [CREDENTIAL_FROM]: 'own' }));
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
  const before = environment.azure.requests.length;
  await changed(environment, 'aso-credential', 'two');
  expect(methods(environment, before)).toEqual(['GET']);
  expect(environment.azure.requests.at(-1)).toMatch(/\/rg$/);
  await changed(environment, 'own', 'two');
  expect(methods(environment, before)).toEqual(['GET', 'GET']);
  expect(environment.azure.requests.at(-1)).toMatch(/\/other$/);
  await environment.clock.advance(3_600_000 * 1.3);
  expect(methods(environment, before)).toEqual(['GET', 'GET', 'GET', 'GET']);
});

test('docs/spec/credentials.md#changes: content of a Secret: a credential that does not work any more shows at once, and one that works again heals at once', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(SECRETS, secret('aso-credential'));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.azure.intercept = () => ({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no' } } });
  await changed(environment, 'aso-credential', 'bad');
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning', reason: 'AuthorizationFailed' });
  environment.azure.intercept = () => undefined;
  await changed(environment, 'aso-credential', 'good');
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('docs/spec/credentials.md#changes: credential-from: added, changed, removed is an immediate reconcile', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(SECRETS, secret('own'));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  for (const value of ['own', 'none', null]) {
    const before = environment.reconciles.length;
    await environment.cluster.annotate(GROUPS, 'default', 'rg', { [CREDENTIAL_FROM]: value });
    await settled();
    expect(environment.reconciles.length).toBeGreaterThan(before);
  }
});

test('docs/spec/credentials.md#changes: aso-credential: one that comes with another subscription is a SubscriptionMismatch at once, and none when it has gone', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.credential = { subscriptionId: '22222222-2222-2222-2222-222222222222' };
  await environment.cluster.create(SECRETS, secret('aso-credential'));
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Error',
    reason: 'SubscriptionMismatch',
    message: expect.stringContaining('resource does not match with Client Credential: "22222222-2222-2222-2222-222222222222"'),
  });
  environment.credential = { subscriptionId: environment.azure.subscriptionId };
  await environment.cluster.delete(SECRETS, 'aso-credential', 'default');
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('what the controller itself writes on a Secret, its finalizer, starts nothing', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(SECRETS, secret('aso-credential'));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const before = environment.reconciles.length;
  await environment.cluster.patch(
    SECRETS,
    'aso-credential',
    'default',
    { metadata: { finalizers: ['aso.cdk8s.io/credential-in-use'] } },
    'application/merge-patch+json',
  );
  await settled();
  expect(environment.reconciles.length).toBe(before);
});
