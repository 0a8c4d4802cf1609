import { settled } from './fake-clock';
import { GROUPS, IDENTITIES, NAMESPACES, SECRETS, TestEnvironment, group, identity } from './harness';
import { CONFIRMATION_INTERVAL } from '../../../controller/reconcile/cache-freshness-guard';
import type { Cluster } from '../../../controller/reconcile/cluster';
import type { CredentialSource } from '../../../engine/credentials/types';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, CREDENTIAL_FROM, FINALIZER, RESOURCE_ID } from '../../../src/azure/annotations';

const TEAM = '22222222-2222-2222-2222-222222222222';
const SECRET = '/Secret/default/aso-credential';
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'default' }, data: {} };

/** The global credential, unless the namespace has its own, which is for another subscription. */
const twoCredentials = (environment: TestEnvironment) => (known: Cluster): CredentialSource => ({
  resolve: () => {
    const own = known.find({ group: '', kind: 'Secret', namespace: 'default', name: 'aso-credential' });
    const subscriptionId = own ? TEAM : environment.azure.subscriptionId;
    const client = { subscriptionId, endpoint: environment.azure.endpoint, send: environment.azure.send.bind(environment.azure) };
    return { source: own ? 'default/aso-credential' : 'aso/aso-controller-settings', tenantId: 't', subscriptionId, client };
  },
});

describe('an object that is seen before what was applied before it', () => {
  test('is made with the credential of its namespace, not with the global one', async () => {
    const environment = new TestEnvironment();
    await environment.cluster.create(SECRETS, secret);
    environment.cluster.unseen.add(SECRET);
    await environment.start({ credentials: twoCredentials(environment) });
    await environment.cluster.create(GROUPS, group());
    await settled();
    expect(environment.stored(GROUPS, 'rg')?.metadata.annotations?.[RESOURCE_ID]).toBe(`/subscriptions/${TEAM}/resourceGroups/rg`);
    expect(environment.azure.requests.filter((request) => request.includes(environment.azure.subscriptionId))).toEqual([]);
  });

  test('is not made where its namespace says skip', async () => {
    const environment = new TestEnvironment();
    await environment.cluster.create(NAMESPACES, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } },
    });
    environment.cluster.unseen.add('/Namespace//default');
    await environment.start();
    await environment.cluster.create(GROUPS, group());
    await settled();
    expect(environment.azure.requests.filter((request) => request.startsWith('PUT'))).toEqual([]);
  });

  test('waits while the server does not tell, and is made with the global credential where there is no other', async () => {
    const environment = new TestEnvironment();
    environment.cluster.before = (what) => {
      if (what === 'list Secret') throw new KubernetesError(503, 'ServiceUnavailable', 'later');
    };
    await environment.start({ credentials: twoCredentials(environment) });
    await environment.cluster.create(GROUPS, group());
    await settled();
    expect(environment.stored(GROUPS, 'rg')?.metadata.finalizers).toBeUndefined();
    environment.cluster.before = () => undefined;
    await environment.clock.advance(60_000);
    expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
  });

  test.each(['', 'a,metadata.name=b', 'No Name'])('asks for no credential that cannot be: "%s"', async (name) => {
    const environment = new TestEnvironment();
    await environment.start();
    await environment.cluster.create(GROUPS, { ...group(), metadata: { ...group().metadata, annotations: { [CREDENTIAL_FROM]: name } } });
    await settled();
    expect(environment.cluster.lists.filter((asked) => asked.startsWith('/Secret'))).toEqual([]);
    expect(environment.errors).toEqual([]);
  });

  test('asks once for all that was there by then, and no more when it is claimed', async () => {
    const environment = new TestEnvironment();
    await environment.cluster.create(GROUPS, group());
    for (let index = 0; index < 20; index += 1) await environment.cluster.create(IDENTITIES, identity(`id-${index}`));
    await environment.start();
    await environment.clock.advance(4 * 3_600_000);
    expect(environment.cluster.lists.filter((name) => name === SECRET).length).toBeLessThanOrEqual(2);
  });
});

test('objects that are applied one after the other share an answer, and the first one waits for nothing', async () => {
  const environment = new TestEnvironment();
  await environment.start({ confirmationInterval: CONFIRMATION_INTERVAL });
  const asked = () => environment.cluster.lists.filter((name) => name === SECRET).length;
  await environment.cluster.create(GROUPS, group());
  await settled();
  expect(asked()).toBe(1);
  for (let index = 0; index < 20; index += 1) {
    await environment.cluster.create(GROUPS, group(`rg-${index}`));
    await environment.clock.advance(10);
  }
  await environment.clock.advance(200);
  expect(asked()).toBeLessThanOrEqual(5);
  await environment.clock.advance(60_000);
  for (let index = 0; index < 20; index += 1) expect(environment.ready(GROUPS, `rg-${index}`)?.status).toBe('True');
});

test('a clock that is set back by an hour does not make a new object wait', async () => {
  const environment = new TestEnvironment();
  await environment.start({ confirmationInterval: CONFIRMATION_INTERVAL });
  await environment.cluster.create(GROUPS, group());
  await settled();
  const real = environment.clock.now.bind(environment.clock);
  environment.clock.now = () => real() - 3_600_000;
  await environment.cluster.create(GROUPS, group('late'));
  await environment.clock.advance(1_000);
  expect(environment.stored(GROUPS, 'late')?.metadata.finalizers).toEqual([FINALIZER]);
});

test('nothing is claimed before its credential is kept', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(SECRETS, secret);
  environment.cluster.before = (what) => {
    if (what === 'patch Secret') throw new KubernetesError(0, 'Unreachable', 'the connection was cut');
  };
  await environment.start({ protectCredentials: true });
  await environment.cluster.create(GROUPS, group());
  await settled();
  expect(environment.stored(GROUPS, 'rg')?.metadata.finalizers).toBeUndefined();
  expect(environment.azure.requests).toEqual([]);
  environment.cluster.before = () => undefined;
  await environment.clock.advance(60_000);
  expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
  expect(environment.cluster.objects.get(SECRET)?.metadata.finalizers).toEqual([CREDENTIAL_FINALIZER]);
  const [kept, taken] = ['patch Secret/aso-credential', 'patch ResourceGroup/rg'].map((write) => environment.cluster.writes.indexOf(write));
  expect(kept).toBeGreaterThanOrEqual(0);
  expect(kept).toBeLessThan(taken!);
  expect(environment.stored(GROUPS, 'rg')?.metadata.finalizers).toEqual([FINALIZER]);
});
