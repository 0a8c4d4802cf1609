import { KEY, key, testEnvironment } from './test-environment';
import { desiredObject } from '../../../composer/apply/desired-object';
import { ComposedClaims } from '../../../composer/reconcile/composed-claims';
import type { RenderedObject } from '../../../composer/render/types';
import { KubernetesError, unknownState, type KubernetesObject } from '../../../engine/kubernetes';
import { DELETION_WAITS } from '../../../engine/objects/deletion-waits';
import { GUARD_RAILS_FINALIZER } from '../../../src/azure/annotations';
import type { ObjectId } from '../../../src/object-id';
import { renderer, service, SERVICES } from '../composition';
import { FakeCache } from '../fake-cluster';

type Change = (object: KubernetesObject) => KubernetesObject;

test('a new claim: marked, listed, then made in one reconcile; nothing is written the second time', async () => {
  const { cluster, reconcile, writes, claim, condition, events, ready } = testEnvironment();
  cluster.create('user', service('api', { accounts: ['data'], settings: true }));
  await reconcile();
  expect(writes()).toEqual([
    'update platform.example.com/Service/shop/api',
    'status platform.example.com/Service/shop/api',
    'create resources.azure.com/ResourceGroup/shop/api',
    'create storage.azure.com/StorageAccount/shop/api-data',
    'create /ConfigMap/shop/api-settings',
    'status platform.example.com/Service/shop/api',
  ]);
  expect(claim().metadata).toMatchObject({
    finalizers: ['aso.cdk8s.io/composed-objects'],
    annotations: {
      'applyset.kubernetes.io/tooling': 'cdk8s-aso/1.2.3',
      'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap,ResourceGroup.resources.azure.com,StorageAccount.storage.azure.com',
      'applyset.kubernetes.io/additional-namespaces': '',
    },
  });
  expect(cluster.get(key('ConfigMap', 'api-settings'))!.metadata).toMatchObject({
    labels: { 'applyset.kubernetes.io/part-of': claim().metadata.labels!['applyset.kubernetes.io/id'] },
    annotations: { 'aso.cdk8s.io/composed-for': 'Service.platform.example.com/shop/api' },
  });
  expect(condition('Synced')).toBe('True Applied: 3 objects applied');
  expect(condition('Ready')).toContain('False Reconciling: ResourceGroup shop/api: Reconciling: the operator has not looked at it yet (2 of 3 objects are not ready)');
  expect(claim().status).toMatchObject({ definition: 'r1', observedGeneration: 1, outputs: { tier: 'Hot' } });
  ready();
  await reconcile();
  expect(condition('Ready')).toBe('True Ready: 3 objects ready');
  const count = cluster.log.length;
  await reconcile();
  expect(cluster.log).toHaveLength(count);
  expect(events.map(({ reason }) => reason)).toEqual(['Synced', 'Ready']);
});

test('an edit applies what differs alone, and prunes the rest from the highest wave', async () => {
  const { cluster, reconcile, writes } = testEnvironment();
  cluster.create('user', service('api', { accounts: ['data', 'logs'], settings: true }));
  await reconcile();
  const count = cluster.log.length;
  cluster.update('user', KEY, (claim) => ({ ...claim, spec: { accounts: ['data'], tier: 'Hot' } }));
  for (let round = 0; round < 3; round += 1) await reconcile();
  expect(writes(count).filter((write) => !write.includes('/Service/'))).toEqual(['delete storage.azure.com/StorageAccount/shop/api-logs', 'delete /ConfigMap/shop/api-settings']);
  expect(cluster.get(KEY)!.status!.objects).toHaveLength(2);
});

test('an object that was made again by a composer that was killed is not taken for the one before', async () => {
  let isKilled = false;
  const env = testEnvironment({
    client: (client) => ({
      ...client,
      replaceStatus: (type, object) => (isKilled && env.cluster.get(key('StorageAccount', 'api-data')) ? Promise.reject(new KubernetesError(0, 'ECONNRESET', 'killed')) : client.replaceStatus(type, object)),
    }),
  });
  const tier = (name: string) => env.cluster.update('user', KEY, (claim) => ({ ...claim, spec: { ...claim.spec, tier: name } }));
  env.cluster.create('user', service('api', { accounts: ['data'], tier: 'Cool' }));
  await env.reconcile();
  env.cluster.delete('stranger', key('StorageAccount', 'api-data'));
  tier('Hot');
  isKilled = true;
  await expect(env.reconcile()).rejects.toThrow('killed');
  isKilled = false;
  tier('Cool');
  await env.reconcile();
  expect(env.cluster.get(key('StorageAccount', 'api-data'))!.spec).toMatchObject({ accessTier: 'Cool' });
});

test('what others change or delete comes back; a fight is fought slowly', async () => {
  const { cluster, reconcile, advance, writes } = testEnvironment();
  cluster.create('user', service('api', { settings: true }));
  await reconcile();
  const settings = key('ConfigMap', 'api-settings');
  const spoil = () => cluster.update('stranger', settings, (object) => ({ ...object, data: { tier: 'Other' } }));
  spoil();
  await reconcile();
  expect(cluster.get(settings)!.data).toEqual({ tier: 'Hot' });
  spoil();
  const count = cluster.log.length;
  expect(await reconcile()).toMatchObject({ againAfterMs: 15_000 });
  expect(writes(count)).toEqual([]);
  advance(31_000);
  await reconcile();
  expect(cluster.get(settings)!.data).toEqual({ tier: 'Hot' });
  cluster.delete('stranger', settings);
  await reconcile();
  expect(cluster.get(settings)!.data).toEqual({ tier: 'Hot' });
});

test('an object that is there already is not taken over, and says whose it is', async () => {
  const { cluster, reconcile, writes, condition, claim } = testEnvironment();
  cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api-settings', namespace: 'shop', annotations: { 'aso.cdk8s.io/composed-for': 'Other.example.com/shop/x' } }, data: { mine: 'yes' } });
  cluster.create('user', service('api', { settings: true }));
  expect(await reconcile()).toMatchObject({ problem: { reason: 'ObjectExists', isTriedAgain: true } });
  expect(condition('Synced')).toContain('ConfigMap shop/api-settings (shop/api-settings) exists already, composed for Other.example.com/shop/x');
  cluster.delete('user', KEY);
  for (let round = 0; round < 4; round += 1) await reconcile();
  expect(claim()).toBeUndefined();
  expect(cluster.get(key('ConfigMap', 'api-settings'))!.data).toEqual({ mine: 'yes' });
  expect(writes().filter((write) => write.includes('ConfigMap'))).toEqual([]);
});

test.each([
  { settings: true },
  { accounts: ['data'] },
])('an object of somebody else gives no output, and its readiness is not the claim\'s: %j', async (spec) => {
  const plain = renderer();
  const outputs = {
    secret: { object: { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'api-settings' }, cel: 'self.data.mine' },
    account: { object: { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'shop', name: 'api-data' }, cel: 'self.status.id' },
    exported: { configMap: { namespace: 'shop', name: 'ids-of-another', key: 'id' } },
    text: { value: 'own' },
  };
  const { cluster, reconcile, condition, claim } = testEnvironment({
    renderer: {
      compose: async (...args) => {
        const result = await plain.compose(...args);
        return { ...result, rendered: { ...result.rendered!, outputs } } as typeof result;
      },
    },
  });
  const { labels } = desiredObject({ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }, path: '', wave: 0 }, { ...KEY, name: 'other' }).manifest.metadata;
  const conditions = [{ type: 'Ready', status: 'False' as const, reason: 'Secret', message: 'of another team', severity: 'Error' as const, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api-settings', namespace: 'shop' }, data: { mine: 'of another team' } });
  cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ids-of-another', namespace: 'shop' }, data: { id: 'of another team' } });
  cluster.create('stranger', {
    apiVersion: 'storage.azure.com/v1', kind: 'StorageAccount', metadata: { name: 'api-data', namespace: 'shop', labels: labels! }, status: { id: 'of another team', conditions },
  });
  cluster.create('user', service('api', spec));
  for (let round = 0; round < 3; round += 1) await reconcile();
  expect(condition('Synced')).toContain('ObjectExists');
  expect(claim().status?.outputs).toEqual({ text: 'own' });
  expect(JSON.stringify(claim())).not.toContain('of another team');
});

test('an object that somebody has made again under the same name is left when the claim goes', async () => {
  const { cluster, reconcile, claim, events } = testEnvironment();
  cluster.create('user', service('api', { settings: true }));
  await reconcile();
  const settings = key('ConfigMap', 'api-settings');
  cluster.delete('stranger', settings);
  cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api-settings', namespace: 'shop' }, data: { mine: 'yes' } });
  cluster.delete('user', KEY);
  for (let round = 0; round < 5; round += 1) await reconcile();
  expect(claim()).toBeUndefined();
  expect(cluster.get(settings)!.data).toEqual({ mine: 'yes' });
  expect(events.map(({ reason }) => reason)).toContain('ObjectLeft');
});

test('an object that somebody makes again just before it would be deleted is left', async () => {
  const settings = key('ConfigMap', 'api-settings');
  let isAnew = false;
  const { cluster, reconcile, claim } = testEnvironment({
    client: (plain) => ({
      ...plain,
      delete: (type, ...rest) => {
        if (!isAnew && type.kind === 'ConfigMap') {
          isAnew = true;
          cluster.delete('stranger', settings);
          cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api-settings', namespace: 'shop' }, data: { mine: 'yes' } });
        }
        return plain.delete(type, ...rest);
      },
    }),
  });
  cluster.create('user', service('api', { settings: true }));
  await reconcile();
  cluster.delete('user', KEY);
  const conflicts: unknown[] = [];
  for (let round = 0; round < 5; round += 1) await reconcile().catch((error: unknown) => conflicts.push(error));
  expect(conflicts).toEqual([expect.objectContaining({ status: 409 })]);
  expect([isAnew, claim()]).toEqual([true, undefined]);
  expect(cluster.get(settings)?.data).toEqual({ mine: 'yes' });
});

test('a deletion: the highest wave, then the next, then the claim', async () => {
  const { cluster, reconcile, claim, condition } = testEnvironment();
  cluster.create('user', service('api', { accounts: ['data'] }));
  await reconcile();
  const account = key('StorageAccount', 'api-data');
  cluster.update('operator', account, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: ['operator'] } }));
  cluster.delete('user', KEY);
  await reconcile();
  expect(await reconcile()).toMatchObject({ againAfterMs: 15_000 });
  expect(cluster.get(key('ResourceGroup', 'api'))).toBeDefined();
  expect(condition('Ready')).toBe('False Deleting: waits until StorageAccount shop/api-data is gone');
  cluster.update('operator', account, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
  await reconcile();
  await reconcile();
  expect(cluster.get(key('ResourceGroup', 'api'))).toBeUndefined();
  expect(claim()).toBeUndefined();
});

const state = (reason: string, message: string): Change => (object) => ({
  ...object,
  status: { conditions: [{ type: 'Ready', status: 'False', severity: 'Warning', reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
});

test.each<[string, readonly string[], Change | undefined]>([
  ['Azure deletes with its owner alone', [], state('DeletionNotSupportedInAzure', 'no DELETE')],
  ['waits for objects that need it', [], state('Deleting', `${DELETION_WAITS}: 1 object of namespace shop`)],
  ['guards a namespace to its end', [GUARD_RAILS_FINALIZER], undefined],
])('a deletion: what %s does not hold up a lower wave', async (_, finalizers, shown) => {
  const { cluster, reconcile, claim, condition } = testEnvironment();
  cluster.create('user', service('api', { accounts: ['data'] }));
  await reconcile();
  const account = key('StorageAccount', 'api-data');
  const group = key('ResourceGroup', 'api');
  for (const one of [account, group]) cluster.update('operator', one, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: ['operator', ...(one === account ? finalizers : [])] } }));
  cluster.delete('user', KEY);
  await reconcile();
  await reconcile();
  if (shown) cluster.update('operator', account, shown, 'status');
  await reconcile();
  await reconcile();
  expect(cluster.get(group)!.metadata.deletionTimestamp).toBeDefined();
  expect(condition('Ready')).toBe('False Deleting: waits until ResourceGroup shop/api is gone');
  for (const one of [group, account]) cluster.update('operator', one, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
  for (let round = 0; round < 3; round += 1) await reconcile();
  expect(claim()).toBeUndefined();
});

test('a claim that goes with its CRD leaves its objects, and a claim of its name has them again', async () => {
  let isLeaving = true;
  const { cluster, reconcile, claim, events, condition } = testEnvironment({ isKindLeaving: () => Promise.resolve(isLeaving) });
  cluster.create('user', service('api', { accounts: ['data'] }));
  await reconcile();
  const before = cluster.get(key('StorageAccount', 'api-data'))!.metadata.uid;
  cluster.delete('user', KEY);
  await reconcile();
  expect(claim()).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ reason: 'ObjectsLeft' });
  isLeaving = false;
  cluster.create('user', service('api', { accounts: ['data'], tier: 'Cool' }));
  await reconcile();
  expect(condition('Synced')).toBe('True Applied: 2 objects applied');
  expect(cluster.get(key('StorageAccount', 'api-data'))).toMatchObject({ metadata: { uid: before }, spec: { accessTier: 'Cool' } });
});

describe('a claim that others need', () => {
  const { group: of, kind } = SERVICES;
  const kinds = [{ ...SERVICES, heldBy: [{ group: of, kind }] }];
  const holder = (name: string): ObjectId => ({ ...KEY, namespace: 'api', name });

  test('is not deleted while there are any, and says which', async () => {
    const { cluster, reconcile, claim, condition, writes, events } = testEnvironment({ kinds });
    for (const [name, namespace] of [['one', 'api'], ['two', 'api'], ['three', 'api'], ['four', 'api'], ['other', 'elsewhere']]) {
      cluster.create('user', service(name!, {}, namespace));
    }
    cluster.create('user', service('api', { accounts: ['data'] }));
    await reconcile();
    cluster.delete('user', KEY);
    const before = cluster.log.length;
    expect(await reconcile()).toEqual({ againAfterMs: 15_000 });
    expect(condition('Synced')).toBe('False InUse: waits until Service api/four, Service api/one, Service api/three and 1 more are gone: delete them first; nothing of this claim is deleted until then');
    expect(condition('Ready')).not.toContain('Deleting');
    expect(events.at(-1)).toMatchObject({ type: 'Warning', reason: 'InUse' });
    expect(writes(before).filter((write) => write.startsWith('delete'))).toEqual([]);
    for (const name of ['one', 'two', 'three']) cluster.delete('user', holder(name));
    await reconcile();
    expect(condition('Synced')).toMatch(/^False InUse: waits until Service api\/four is gone: delete it first/);
    cluster.delete('user', holder('four'));
    for (let round = 0; round < 5; round += 1) await reconcile();
    expect(claim()).toBeUndefined();
  });

  test('is not deleted either while the list of them is not known', async () => {
    const { cluster, cache, reconcile, condition, claim } = testEnvironment({ kinds });
    cluster.create('user', service('api', { accounts: ['data'] }));
    await reconcile();
    cluster.delete('user', KEY);
    cache.unknown = (asked) => (asked.namespace === 'api' ? unknownState(asked, 'services cannot be listed: 403') : undefined);
    expect(await reconcile()).toMatchObject({ problem: { reason: 'CacheNotSynced', isTriedAgain: true } });
    expect(condition('Synced')).toBe('False CacheNotSynced: nothing of this claim is deleted: services cannot be listed: 403');
    cache.unknown = () => undefined;
    for (let round = 0; round < 5; round += 1) await reconcile();
    expect(claim()).toBeUndefined();
  });

  test('goes with its CRD all the same, and leaves its objects', async () => {
    const { cluster, reconcile, claim } = testEnvironment({ kinds, isKindLeaving: () => Promise.resolve(true) });
    cluster.create('user', service('one', {}, 'api'));
    cluster.create('user', service('api', { accounts: ['data'] }));
    await reconcile();
    cluster.delete('user', KEY);
    await reconcile();
    expect([claim(), cluster.get(key('StorageAccount', 'api-data')) !== undefined]).toEqual([undefined, true]);
  });
});

test('a kind that the definition does not name any more: nothing is removed, and the condition names it', async () => {
  const cluster = testEnvironment({ kinds: [{ ...SERVICES, composes: SERVICES.composes.filter(({ kind }) => kind !== 'ConfigMap') }] });
  cluster.cluster.create('user', service('api', {}));
  await cluster.reconcile();
  const entry = { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'api-settings', wave: 0, uid: 'u' };
  cluster.cluster.update('composer', KEY, (claim) => ({ ...claim, status: { ...claim.status, objects: [...(claim.status!.objects as object[]), entry] } }), 'status');
  expect(await cluster.reconcile()).toMatchObject({ problem: { reason: 'KindNotDeclared' } });
  expect(cluster.condition('Synced')).toContain('ConfigMap shop/api-settings was composed by an earlier revision');
  expect(cluster.claim().status!.objects).toContainEqual(expect.objectContaining(entry));
});

const IMMUTABLE = 'spec.accessTier: Invalid value: "Cool": field is immutable';
test.each([
  [403, 'Forbidden', 'configmaps "api-settings" is forbidden: User "composer" cannot patch resource', 'Forbidden'],
  [403, 'Forbidden', 'unable to create new content in namespace shop because it is being terminated', 'NamespaceTerminating'],
  [404, 'NotFound', 'namespaces "shop" not found', 'NamespaceNotFound'],
  [404, 'NotFound', 'the server could not find the requested resource', 'KindNotServed'],
  [422, 'Invalid', 'data: Invalid value', 'Rejected'],
])('a create that is answered with %i %s (%s) is a condition: %s', async (status, reason, message, wanted) => {
  const env = testEnvironment({
    client: (client) => ({
      ...client,
      patch: (type, ...rest) => (type.kind === 'ConfigMap' ? Promise.reject(new KubernetesError(status, reason, message)) : client.patch(type, ...rest)),
    }),
  });
  env.cluster.create('user', service('api', { accounts: ['data'], settings: true }));
  expect(await env.reconcile()).toMatchObject({ problem: { reason: wanted, isTriedAgain: true } });
  expect(env.condition('Synced')).toContain(`False ${wanted}: cannot create ConfigMap shop/api-settings (shop/api-settings): ${status} ${reason}: ${message}`);
  expect(env.cluster.get(key('StorageAccount', 'api-data'))).toBeDefined();
  expect(env.claim().status!.definition).toBeUndefined();
});

test('an immutable field that an edit changes is named, and nothing is pruned meanwhile', async () => {
  let isRefused = false;
  const env = testEnvironment({
    client: (client) => ({
      ...client,
      patch: (type, ...rest) => (isRefused && type.kind === 'StorageAccount' ? Promise.reject(new KubernetesError(422, 'Invalid', IMMUTABLE)) : client.patch(type, ...rest)),
    }),
  });
  env.cluster.create('user', service('api', { accounts: ['data'], settings: true }));
  await env.reconcile();
  isRefused = true;
  env.cluster.update('user', KEY, (claim) => ({ ...claim, spec: { accounts: ['data'], tier: 'Cool' } }));
  expect(await env.reconcile()).toMatchObject({ problem: { reason: 'ImmutableField' } });
  expect(env.cluster.get(key('ConfigMap', 'api-settings'))).toBeDefined();
});

test.each([[0, 'ECONNREFUSED'], [409, 'Conflict'], [429, 'TooManyRequests'], [503, 'ServiceUnavailable']])(
  'an answer %i %s is no condition: the reconcile ends with the error, and is tried again', async (status, reason) => {
    let isDown = true;
    const env = testEnvironment({
      client: (client) => ({ ...client, patch: (...all) => (isDown ? Promise.reject(new KubernetesError(status, reason, 'no')) : client.patch(...all)) }),
    });
    env.cluster.create('user', service('api', {}));
    await expect(env.reconcile()).rejects.toThrow('no');
    expect(env.claim().status).toBeUndefined();
    isDown = false;
    await env.reconcile();
    expect(env.condition('Synced')).toContain('True');
  });

test('a kind whose objects are not known: nothing is written for the claim', async () => {
  const env = testEnvironment();
  env.cache.unknown = ({ group, kind }) => (kind === 'StorageAccount' ? unknownState({ group, kind }, 'the list of storageaccounts failed: 403 Forbidden') : undefined);
  env.cluster.create('user', service('api', { accounts: ['data'] }));
  expect(await env.reconcile()).toMatchObject({ problem: { reason: 'CacheNotSynced' } });
  expect(env.writes()).toEqual(['status platform.example.com/Service/shop/api']);
  expect(env.condition('Ready')).toContain('False NotSynced');
});

test('a CRD that drops members of the inventory: nothing is created', async () => {
  const env = testEnvironment({
    client: (client) => ({
      ...client,
      replaceStatus: (type, object) => {
        const objects = (object.status!.objects as object[]).map(({ wave: _, ...entry }: { wave?: number }) => entry);
        return client.replaceStatus(type, { ...object, status: { ...object.status, objects } });
      },
    }),
  });
  env.cluster.create('user', service('api', { accounts: ['data'] }));
  expect(await env.reconcile()).toMatchObject({ problem: { reason: 'InventoryUnreadable' } });
  expect(env.cluster.get(key('ResourceGroup', 'api'))).toBeUndefined();
  expect(env.events.at(-1)!.message).toContain('the CRD drops members');
});

describe('a stored claim that the API server refuses by a later schema', () => {
  const REFUSED = new KubernetesError(422, 'Invalid', 'Service "api" is invalid: spec.tier: Invalid value: "string": spec.tier in body must be of type integer');
  const refusing = () => {
    const refused = { status: false, metadata: false };
    const env = testEnvironment({
      client: (client) => ({
        ...client,
        replaceStatus: (...all) => (refused.status ? Promise.reject(REFUSED) : client.replaceStatus(...all)),
        patch: (type, ...rest) => (refused.metadata && type.kind === 'Service' ? Promise.reject(REFUSED) : client.patch(type, ...rest)),
      }),
    });
    env.cluster.create('user', service('api', { accounts: ['data'] }));
    return { env, refused };
  };

  test('has an event where no condition can be written, and holds up a rollout as any problem does', async () => {
    const { env, refused } = refusing();
    refused.status = true;
    const { problem } = await env.reconcile();
    expect(problem).toEqual({ reason: 'ClaimRefused', message: expect.stringContaining('refuses the status of the claim: 422 Invalid: Service "api" is invalid: spec.tier'), isTriedAgain: true });
    expect(env.problems).toEqual([problem]);
    expect(env.events).toEqual([{ type: 'Warning', reason: 'ClaimRefused', message: problem!.message }]);
    // No object is created that could not be listed.
    expect(env.cluster.all().map(({ kind }) => kind)).toEqual(['Service']);
    refused.status = false;
    await env.reconcile();
    expect(env.condition('Synced')).toContain('True Applied');
  });

  test('is deleted with all that was composed for it', async () => {
    const { env, refused } = refusing();
    await env.reconcile();
    refused.status = true;
    env.cluster.delete('user', KEY);
    for (let round = 0; round < 5 && env.cluster.get(KEY); round += 1) await env.reconcile();
    expect(env.cluster.all()).toEqual([]);
  });

  test('says so where even the finalizer cannot be removed', async () => {
    const { env, refused } = refusing();
    await env.reconcile();
    Object.assign(refused, { status: true, metadata: true });
    env.cluster.delete('user', KEY);
    for (let round = 0; round < 5; round += 1) await env.reconcile();
    expect(env.cluster.all().map(({ kind }) => kind)).toEqual(['Service']);
    expect(env.events.at(-1)).toMatchObject({ reason: 'ClaimRefused', message: expect.stringContaining('refuses the finalizers of the claim: 422') });
    refused.metadata = false;
    await env.reconcile();
    expect(env.cluster.all()).toEqual([]);
  });
});

test('an inventory that somebody has spoilt stops everything', async () => {
  const env = testEnvironment();
  env.cluster.create('user', service('api', { accounts: ['data'] }));
  await env.reconcile();
  env.cluster.update('stranger', KEY, (claim) => ({ ...claim, status: { ...claim.status, objects: [{ name: 'x' }] } }), 'status');
  env.cluster.delete('user', KEY);
  const count = env.cluster.log.length;
  expect(await env.reconcile()).toMatchObject({ problem: { reason: 'InventoryUnreadable' } });
  expect(env.writes(count)).toEqual([]);
});

test('a refused Secret is named, and its values are not', async () => {
  const secret: RenderedObject = { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's', namespace: 'shop' } } as KubernetesObject, path: 's', wave: 0 };
  const env = testEnvironment({
    kinds: [{ ...SERVICES, composes: [...SERVICES.composes, { group: '', kind: 'Secret' }] }],
    renderer: { compose: () => Promise.resolve({ rendered: { objects: [{ ...secret, manifest: { ...secret.manifest, kind: 'Secret' } }], outputs: {}, links: {}, logs: [] }, reads: [] }) },
    client: (client) => ({
      ...client,
      patch: (type, ...rest) => (type.kind === 'Secret' ? Promise.reject(new KubernetesError(422, 'Invalid', 'data: Invalid value: "hunter2"')) : client.patch(type, ...rest)),
    }),
  });
  env.cache.typeOf = (group, kind) => (kind === 'Secret' ? { group, version: 'v1', plural: 'secrets', kind, namespaced: true } : FakeCache.prototype.typeOf.call(env.cache, group, kind));
  env.cluster.create('user', service('api', {}));
  await env.reconcile();
  expect(env.condition('Synced')).toContain('cannot create Secret shop/s (s): 422 Invalid (the answer is withheld');
  expect(JSON.stringify(env.claim()) + JSON.stringify(env.events)).not.toContain('hunter2');
});

test('compose runs once for each content of the claim', async () => {
  let runs = 0;
  const env = testEnvironment({
    renderer: renderer('r1', () => void (runs += 1)),
  });
  env.cluster.create('user', service('api', { broken: 'always' }));
  expect(await env.reconcile()).toEqual({ problem: { reason: 'ComposeFailed', message: 'shop/api: TypeError: no region', isTriedAgain: false }, againAfterMs: undefined });
  await env.reconcile();
  expect(runs).toBe(1);
  env.cluster.update('user', KEY, (claim) => ({ ...claim, spec: {} }));
  await env.reconcile();
  await env.reconcile();
  expect(runs).toBe(2);
  expect(env.problems.at(-1)).toBeUndefined();
});

test('the status says with which revision a claim began to fail: after a change of its spec, with the one before', async () => {
  const { cluster, reconcile, claim } = testEnvironment();
  const change = (spec: object) => cluster.update('user', KEY, (live) => ({ ...live, spec: { ...spec } }));
  cluster.create('user', service('api', {}));
  await reconcile();
  expect(claim().status).not.toHaveProperty('failedDefinition');
  change({ broken: 'always' });
  cluster.update('composer-before', KEY, (live) => ({ ...live, status: { ...live.status, definition: 'r0' } }), 'status');
  await reconcile();
  expect(claim().status).toMatchObject({ failedDefinition: 'r0' });
  change({});
  await reconcile();
  expect(claim().status).not.toHaveProperty('failedDefinition');
  cluster.create('stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api-settings', namespace: 'shop' } });
  cluster.update('user', KEY, (live) => ({ ...live, spec: { settings: true }, metadata: { ...live.metadata } }));
  await reconcile();
  expect(claim().status).toMatchObject({ failedDefinition: 'r1' });
});

test('a claim that is nested more deeply than it can be written has a problem, and its status is written without the spec', async () => {
  let spec: Record<string, unknown> = {};
  for (let depth = 0; depth < 9_000; depth += 1) spec = { spec };
  const composedClaims = new ComposedClaims(renderer(), () => ({ state: 'absent' }), () => 0);
  expect((await composedClaims.of({ ...service('api', {}), spec }, KEY)).answer).toMatchObject({ reason: 'InvalidSpec', message: 'spec: is nested too deeply' });

  const bodies: KubernetesObject[] = [];
  const { cluster, reconcile } = testEnvironment({
    client: (client) => ({
      ...client,
      replaceStatus: (type, object) => {
        bodies.push(object);
        return client.replaceStatus(type, object);
      },
    }),
  });
  cluster.create('user', service('api', { settings: true }));
  await reconcile();
  expect(bodies.length).toBeGreaterThan(1);
  expect(bodies.every((body) => body.spec === undefined)).toBe(true);
});
