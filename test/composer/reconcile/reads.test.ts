import { KEY, key, testEnvironment } from './test-environment';
import { changeOf, ObjectReads, visibleOf, type ReadChange } from '../../../composer/render/object-reads';
import { unknownState, type CachedObject, type KubernetesObject } from '../../../engine/kubernetes';
import { environment, renderer, service } from '../composition';
import { ENVIRONMENTS } from '../fake-cluster';

const MAIN = { group: ENVIRONMENTS.group, kind: ENVIRONMENTS.kind, namespace: 'shop', name: 'main' };
const GROUP = key('ResourceGroup', 'api');

function reading() {
  let runs = 0;
  let meanwhile: () => void = () => undefined;
  const env = testEnvironment({
    renderer: renderer('r1', () => {
      runs += 1;
      meanwhile();
    }),
  });
  const woken: number[] = [];
  env.cache.onEvent = (event) => woken.push(...env.reconciler.readersOf(event).map(({ afterMs }) => afterMs));
  const change = (part: object) => {
    env.cluster.update('user', MAIN, (object) => ({ ...object, ...part }), 'status' in part ? 'status' : 'update');
    env.cache.deliver();
  };
  return { ...env, runs: () => runs, woken, change, onCompose: (act: () => void) => void (meanwhile = act) };
}

test('an object that is not there, comes, changes and goes', async () => {
  const env = reading();
  env.cluster.create('user', service('api', { environment: 'main' }));
  expect(await env.reconcile()).toMatchObject({ problem: { reason: 'ComposeFailed', isTriedAgain: false } });
  expect(env.condition('Synced')).toBe('False ComposeFailed: shop/api: there is no Environment main');
  env.cluster.create('user', environment('main', 'westeurope'));
  env.cache.deliver();
  expect(env.woken).toEqual([0]);
  await env.reconcile();
  expect(env.cluster.get(GROUP)!.spec).toMatchObject({ location: 'westeurope' });
  env.change({ spec: { location: 'northeurope' } });
  expect(env.woken).toEqual([0, 0]);
  await env.reconcile();
  expect(env.cluster.get(GROUP)!.spec).toMatchObject({ location: 'northeurope' });
  env.cluster.delete('user', MAIN);
  env.cache.deliver();
  expect(env.woken).toEqual([0, 0, 0]);
  await env.reconcile();
  expect(env.condition('Synced')).toContain('there is no Environment main');
  expect(env.cluster.get(GROUP)).toBeDefined();
});

test('only what compose can see is a change', async () => {
  const env = reading();
  env.cluster.create('user', environment('main', 'westeurope'));
  env.cluster.create('user', service('api', { environment: 'main' }));
  await env.reconcile();
  const writeOf = (metadata: object) => env.change({ metadata: { ...env.cluster.get(MAIN)!.metadata, ...metadata } });
  writeOf({ finalizers: ['example.com/x'], annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'applyset.kubernetes.io/tooling': 'x' } });
  expect(env.woken).toEqual([]);
  await env.reconcile();
  expect(env.runs()).toBe(1);
  writeOf({ annotations: { tier: 'gold' } });
  expect(env.woken).toEqual([0]);
});

test('nothing is composed or written while an object is unknown', async () => {
  const env = reading();
  env.cluster.create('user', environment('main', 'westeurope'));
  env.cluster.create('user', service('api', { environment: 'main' }));
  const unknown = ({ kind }: { readonly kind: string }): CachedObject | undefined =>
    (kind === 'Environment' ? unknownState(MAIN, 'the list of environments failed: 403') : undefined);
  env.cache.unknown = unknown;
  const text = 'CacheNotSynced: compose reads Environment shop/main, and nothing of this claim is written: the list of environments failed: 403';
  expect(await env.reconcile()).toMatchObject({ problem: { isTriedAgain: true } });
  expect(env.condition('Synced')).toBe(`False ${text}`);
  expect(env.cluster.get(GROUP)).toBeUndefined();
  delete env.cache.unknown;
  await env.reconcile();
  expect(env.condition('Synced')).toBe('True Applied: 1 object applied');
  // The composition that is known counts no more either.
  env.cache.unknown = unknown;
  env.cluster.delete('stranger', GROUP);
  await env.reconcile();
  expect(env.condition('Synced')).toBe(`False ${text}`);
  expect(env.cluster.get(GROUP)).toBeUndefined();
});

test('a change while compose runs is not lost', async () => {
  const env = reading();
  env.cluster.create('user', environment('main', 'westeurope'));
  env.cluster.create('user', service('api', { environment: 'main' }));
  env.onCompose(() => env.runs() === 1 && env.change({ spec: { location: 'northeurope' } }));
  // The event came before the composer knew that the claim reads the object.
  expect((await env.reconcile()).againAfterMs).toBe(200);
  expect(env.woken).toEqual([]);
  await env.reconcile();
  expect(env.cluster.get(GROUP)!.spec).toMatchObject({ location: 'northeurope' });
});

test('a status that changes all the time: one composition and one write of the status in 5 seconds, and no write of objects', async () => {
  const env = reading();
  env.cluster.create('user', environment('main', 'westeurope'));
  env.cluster.create('user', service('api', { environment: 'main' }));
  await env.reconcile();
  env.ready();
  await env.reconcile();
  const [writes, runs] = [env.cluster.log.length, env.runs()];
  for (let used = 1; used <= 150; used += 1) {
    env.change({ status: { used } });
    const { againAfterMs } = await env.reconcile();
    expect(againAfterMs === undefined || againAfterMs <= 5_000).toBe(true);
    env.advance(200);
  }
  expect(env.runs() - runs).toBe(5);
  const own = env.writes(writes);
  expect(new Set(own)).toEqual(new Set(['status platform.example.com/Service/shop/api']));
  expect(own).toHaveLength(5);
  env.advance(5_000);
  await env.reconcile();
  expect(env.cluster.get(KEY)!.status!.outputs).toEqual({ tier: 'Hot', used: 150 });
  expect(Math.max(...env.woken)).toBeLessThanOrEqual(5_000);
});

test('what changes an object counts only where compose has looked', () => {
  const object = { ...environment('main', 'westeurope'), status: { used: 1 } } as KubernetesObject;
  const reads = new ObjectReads(() => ({ state: 'present', object }), [ENVIRONMENTS]);
  expect(reads.add([MAIN])).toBeUndefined();
  const main = 'settings.example.com/Environment/shop/main';
  const [blind] = reads.reads([{ key: main, status: false }]);
  const [seeing] = reads.reads([{ key: main, status: true }]);
  const changes = (found: CachedObject): (ReadChange | undefined)[] => [changeOf(blind!, found), changeOf(seeing!, found)];
  const other = (more: object): CachedObject => ({ state: 'present', object: { ...object, ...more } });
  expect(changes(other({}))).toEqual(['none', 'none']);
  expect(changes(other({ status: { used: 2 } }))).toEqual(['none', 'status']);
  expect(changes(other({ metadata: { ...object.metadata, resourceVersion: '9', managedFields: [] } }))).toEqual(['none', 'none']);
  expect(changes(other({ metadata: { ...object.metadata, uid: 'other' } }))).toEqual(['object', 'object']);
  expect(changes(other({ data: { a: 'b' } }))).toEqual(['object', 'object']);
  expect(changes({ state: 'absent' })).toEqual(['object', 'object']);
  expect(changes(unknownState(MAIN, 'no answer'))).toEqual([undefined, undefined]);
});

test('a kind that the definition does not read is unknown, and Secrets always are', () => {
  const reads = new ObjectReads(() => ({ state: 'absent' }), [{ group: '', kind: 'Secret' }]);
  for (const kind of ['Secret', 'ConfigMap']) {
    expect(reads.add([{ group: '', kind, namespace: 'a', name: 'b' }])).toMatchObject({ reason: 'KindNotServed' });
  }
  expect(visibleOf({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } })).toEqual({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x', labels: {}, annotations: {} } });
});
