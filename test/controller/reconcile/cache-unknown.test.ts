import { settled } from './fake-clock';
import {
  GROUPS,
  IDENTITIES,
  NAMESPACES,
  SECRETS,
  USERS,
  TestEnvironment,
  group,
  identity,
  inSeparateEnvironments,
  object,
} from './harness';
import { unknownState } from '../../../engine/kubernetes/cache-state';
import type { ResourceType } from '../../../engine/kubernetes/types';
import { FINALIZER } from '../../../src/azure/annotations';

let environment: TestEnvironment;
inSeparateEnvironments((made) => {
  environment = made;
});

/** Makes the cache of a kind unknown for the controllers that start from now on; the answer makes it known again. */
function unknown(type: ResourceType): () => void {
  let isKnown = false;
  const watch = environment.cluster.watch.bind(environment.cluster);
  environment.cluster.watch = (one) => (one.kind !== type.kind ? watch(one) : {
    ...watch(one),
    stateIn: () => (isKnown ? { state: 'whole' } : unknownState(type, `the list of ${type.plural} failed: 403 Forbidden`)),
  });
  return () => (isKnown = true);
}

const writes = () => environment.azure.requests.filter((request) => !request.startsWith('GET'));

test.each([['Namespaces', NAMESPACES]])('without a list of %s nothing is claimed, and the object says why', async (_, type) => {
  const known = unknown(type);
  await environment.start();
  await environment.cluster.create(GROUPS, group());
  await settled();
  expect(environment.azure.requests).toEqual([]);
  expect(environment.stored(GROUPS, 'rg')?.metadata.finalizers).toBeUndefined();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Warning',
    reason: 'CacheNotSynced',
    message: expect.stringContaining('403'),
  });
  known();
  await environment.clock.advance(60_000);
  expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
});

test('an object with a policy of its own needs no Namespace', async () => {
  unknown(NAMESPACES);
  await environment.start();
  await environment.cluster.create(
    GROUPS,
    object(GROUPS, 'rg', { location: 'westeurope' }, { 'serviceoperator.azure.com/reconcile-policy': 'manage' }),
  );
  await settled();
  expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
});

test('a deletion waits for the policy, and a Ready object keeps its condition', async () => {
  await environment.start();
  await environment.cluster.create(GROUPS, group());
  await settled();
  await environment.kill();
  const before = writes().length;
  const known = unknown(NAMESPACES);
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')?.status).toBe('True');
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(writes()).toHaveLength(before);
  expect(environment.stored(GROUPS, 'rg')?.metadata.finalizers).toEqual([FINALIZER]);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'CacheNotSynced' });
  known();
  await environment.clock.advance(120_000);
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
});

test('an owner of a kind that is not known is neither missing nor ready', async () => {
  const known = unknown(GROUPS);
  await environment.start();
  await environment.cluster.create(IDENTITIES, identity());
  await settled();
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({
    reason: 'CacheNotSynced',
    message: expect.stringContaining('ResourceGroup "rg"'),
  });
  known();
});

test('a database user keeps its finalizer while nobody knows whether its server is there', async () => {
  let removed = 0;
  environment.externals = () => ({
    ensure: async () => ({ status: {} }),
    observe: async () => ({ found: false, message: '' }),
    remove: async () => void (removed += 1),
  });
  const user = object(USERS, 'u', { owner: { name: 'server' } });
  await environment.cluster.create(USERS, {
    ...user,
    metadata: { ...user.metadata, finalizers: [FINALIZER], annotations: { 'serviceoperator.azure.com/operator-namespace': 'aso' } },
  });
  await environment.cluster.delete(USERS, 'u', 'default');
  await environment.start();
  expect(environment.stored(USERS, 'u')?.metadata.finalizers).toEqual([FINALIZER]);
  expect(environment.ready(USERS, 'u')).toMatchObject({ reason: 'KindNotWatched' });
  expect(removed).toBe(0);
});

test('Secrets are a kind of those', async () => {
  unknown(SECRETS);
  await environment.start({
    credentials: (cluster) => ({
      resolve: () => {
        cluster.find({ group: '', kind: 'Secret', namespace: 'default', name: 'aso-credential' });
        throw new Error('not reached');
      },
    }),
  });
  await environment.cluster.create(GROUPS, group());
  await settled();
  expect(environment.azure.requests).toEqual([]);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    reason: 'CacheNotSynced',
    message: expect.stringContaining('Secret "aso-credential"'),
  });
});
