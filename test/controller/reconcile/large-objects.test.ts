import { FakeClock, settled } from './fake-clock';
import { FakeCluster } from './fake-cluster';
import { GROUPS, object } from './harness';
import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import { LARGE, LargeObjects } from '../../../controller/reconcile/large-objects';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { ObjectId } from '../../../src/object-id';

const sized = (name: string, characters: number, namespace = 'default'): KubernetesObject => {
  const made = object(GROUPS, name, { location: 'uksouth', tags: { a: 'x'.repeat(characters) } });
  return { ...made, metadata: { ...made.metadata, namespace } };
};
const small = (name: string, namespace?: string) => sized(name, 10, namespace);
const large = (name: string, namespace?: string) => sized(name, LARGE, namespace);

describe('which objects are large', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
  test.each<[string, unknown, boolean]>([
    ['a long text', 'x'.repeat(LARGE), true],
    ['a text that is not', 'x'.repeat(LARGE / 2), false],
    ['a long list', Array.from({ length: LARGE }, () => 0), true],
    ['long keys', { ['k'.repeat(LARGE)]: 1 }, true],
    ['a deep one', deep, true],
    ['many small members', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, null])), true],
    ['nothing', undefined, false],
  ])('%s', (_, value, expected) => {
    const objects = new LargeObjects();
    const made = object(GROUPS, 'rg', { location: 'uksouth', value });
    expect(objects.begin(made) !== undefined).toBe(expected);
  });
});

test('of one namespace one at a time, of all a few; small objects always run', () => {
  const objects = new LargeObjects(1, 2);
  const end = objects.begin(large('a', 'one'))!;
  expect([objects.mayBegin(large('b', 'one')), objects.mayBegin(small('c', 'one')), objects.mayBegin(large('d', 'two'))]).toEqual([
    false,
    true,
    true,
  ]);
  const endOther = objects.begin(large('d', 'two'))!;
  expect([objects.mayBegin(large('e', 'three')), objects.mayBegin(small('f', 'three'))]).toEqual([false, true]);
  end();
  expect([objects.mayBegin(large('b', 'one')), objects.mayBegin(large('g', 'two')), objects.mayBegin(large('e', 'three'))]).toEqual([
    true,
    false,
    true,
  ]);
  endOther();
  expect(objects.mayBegin(large('g', 'two'))).toBe(true);
});

test('the controller begins with a large object when the one before it is done, also when that reconcile failed', async () => {
  const stored = new FakeCluster();
  const cluster = new Cluster();
  cluster.add(stored.watch(GROUPS));
  const running = new Map<string, (fails: boolean) => void>();
  const reconciler = {
    reconcile: ({ name }: ObjectId) =>
      new Promise<void>((resolve, reject) => running.set(name, (fails) => (fails ? reject(new Error('no')) : resolve()))),
    nextSync: () => 3_600_000,
    onLockGranted: () => undefined,
    onLost: () => undefined,
    wasDeleted: () => undefined,
    observeInitial: () => undefined,
    forget: () => undefined,
  } as unknown as Reconciler;
  const clock = new FakeClock();
  const controller = new Controller({ cluster, dependencies: new Dependencies(), clock, reconciler });
  for (const each of [large('a'), large('b'), large('c'), small('d'), large('e', 'other')]) {
    controller.handle({ type: 'ADDED', object: await stored.create(GROUPS, each) });
  }
  const begun = () => [...running.keys()].sort();
  controller.start();
  await settled();
  expect(begun()).toEqual(['a', 'd', 'e']);
  running.get('a')!(true);
  await clock.advance(100);
  expect(begun()).toEqual(['a', 'b', 'd', 'e']);
  running.get('b')!(false);
  await clock.advance(100);
  expect(begun()).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const end of running.values()) end(false);
  await controller.stop();
});
