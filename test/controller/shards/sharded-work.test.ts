import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import { sharedKeyOf } from '../../../controller/reconcile/object-key';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import { ShardedWork, type SharedCaches } from '../../../controller/shards/sharded-work';
import type { NamespaceFilter } from '../../../engine/informers';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import type { Assignment, Ownership } from '../../../runtime/shards/ownership';
import { type ObjectId, objectIdOf } from '../../../src/object-id';
import { FakeClock, settled } from '../reconcile/fake-clock';
import { FakeCluster } from '../reconcile/fake-cluster';
import { GROUPS, group } from '../reconcile/harness';

const assignment = (...namespaces: string[]): Assignment => ({
  members: ['me'], owns: (key) => namespaces.includes(key), watches: (namespace) => namespaces.includes(namespace), isSplit: () => false,
});

const named = (namespace: string, name = 'g'): KubernetesObject => {
  const object = group();
  return { ...object, metadata: { ...object.metadata, namespace, name } };
};

class Environment {
  public readonly clock = new FakeClock();
  public readonly stored = new FakeCluster();
  public readonly reconciled: string[] = [];
  public readonly forgotten: string[] = [];
  public readonly initial: string[] = [];
  public readonly filters: NamespaceFilter[] = [];
  public readonly errors: unknown[] = [];
  public owned: Assignment = assignment();
  public isCovered: Promise<boolean> = Promise.resolve(true);
  public readonly shards: ShardedWork;
  public readonly controller: Controller;
  /** Work that a reconcile waits for. */
  public work: (key: ObjectId, signal: AbortSignal) => Promise<void>;

  public constructor(namespaces: readonly string[]) {
    this.work = async () => undefined;
    const ownership: Ownership = {
      owns: (key) => this.owned.owns(key), watches: (namespace) => this.owned.watches(namespace), isSplit: () => false,
    };
    this.shards = new ShardedWork({ ownership, clock: this.clock, operatorNamespace: 'aso' });
    const cluster = new Cluster();
    cluster.add(this.stored.watch(GROUPS));
    const reconciler = {
      reconcile: async (key: ObjectId, signal: AbortSignal) => {
        this.reconciled.push(key.namespace);
        await this.work(key, signal);
        return undefined;
      },
      lookAgain: () => undefined,
      onLockGranted: () => undefined,
      onLost: () => undefined,
      wasDeleted: () => undefined,
      forget: (key: ObjectId) => void this.forgotten.push(sharedKeyOf(key)),
      observeInitial: (object: KubernetesObject) => void this.initial.push(object.metadata.namespace!),
    } as unknown as Reconciler;
    this.controller = new Controller({
      cluster,
      reconciler,
      dependencies: new Dependencies(),
      clock: this.clock,
      share: this.shards.share,
      onError: (_, error) => void this.errors.push(error),
    });
    this.stored.listeners = [(_, event) => this.controller.handle(event)];
    const caches: SharedCaches = { namespaces, setFilter: (filter) => void this.filters.push(filter), covered: () => this.isCovered };
    this.shards.connect(caches, [this.controller]);
  }

  public async take(next: Assignment): Promise<void> {
    await this.shards.prepare(next, new AbortController().signal);
    this.owned = next;
    this.shards.changed();
    await settled();
  }

  public keeps(...namespaces: string[]): boolean[] {
    return namespaces.map((namespace) => this.filters.at(-1)!.keeps(namespace));
  }
}

async function started(owned: Assignment, ...namespaces: string[]): Promise<Environment> {
  const environment = new Environment(namespaces);
  for (const namespace of namespaces) await environment.stored.create(GROUPS, named(namespace));
  environment.controller.start();
  await environment.take(owned);
  return environment;
}

test('only owned objects are reconciled; what comes is reconciled as at a start, what goes is forgotten', async () => {
  const environment = await started(assignment('a'), 'a', 'b');
  expect(environment.reconciled).toEqual(['a']);
  expect(environment.initial).toEqual(['a']);
  environment.forgotten.length = 0;
  await environment.take(assignment('b'));
  expect(environment.reconciled).toEqual(['a', 'b']);
  expect(environment.initial).toEqual(['a', 'b']);
  expect(environment.forgotten).toContain(sharedKeyOf(objectIdOf(named('a'))));
  // Nothing is repeated where nothing has changed.
  environment.shards.changed();
  await settled();
  expect(environment.reconciled).toEqual(['a', 'b']);
});

test('an event of an object of another replica begins no reconcile; one of an owned object does', async () => {
  const environment = await started(assignment('a'), 'a', 'b');
  await environment.stored.create(GROUPS, named('b', 'other'));
  await environment.stored.create(GROUPS, named('a', 'other'));
  await settled();
  expect(environment.reconciled).toEqual(['a', 'a']);
});

test('caches are filled for what is expected, and nothing else begins or ends by it', async () => {
  const environment = await started(assignment('a'), 'a', 'b');
  environment.shards.expect(assignment('b'));
  await environment.stored.create(GROUPS, named('b', 'other'));
  await settled();
  expect([environment.keeps('a', 'b', 'c'), environment.reconciled]).toEqual([[true, true, false], ['a']]);
  environment.shards.changed();
  expect(environment.keeps('a', 'b')).toEqual([true, true]);
  environment.shards.expect(undefined);
  expect(environment.keeps('a', 'b')).toEqual([true, false]);
  environment.shards.expect(assignment('c'));
  await environment.take(assignment('a', 'b'));
  expect(environment.keeps('a', 'b', 'c')).toEqual([true, true, false]);
});

test('work on what goes may end, and new work on it does not begin meanwhile', async () => {
  const environment = await started(assignment('a', 'b'), 'a', 'b');
  let end: () => void = () => undefined;
  environment.work = ({ namespace }) => (namespace === 'a' ? new Promise((resolve) => (end = resolve)) : Promise.resolve());
  await environment.stored.create(GROUPS, named('a', 'busy'));
  await settled();
  let isPrepared = false;
  const prepared = environment.shards.prepare(assignment('b'), new AbortController().signal).then(() => (isPrepared = true));
  await environment.stored.create(GROUPS, named('a', 'late'));
  await environment.stored.create(GROUPS, named('b', 'late'));
  await settled();
  expect([isPrepared, environment.reconciled]).toEqual([false, ['a', 'b', 'a', 'b']]);
  // Until the next view is published, it still writes for what it works on.
  expect(() => environment.shards.fence(objectIdOf(named('a')))).not.toThrow();
  end();
  await prepared;
  environment.owned = assignment('b');
  environment.shards.changed();
  expect(() => environment.shards.fence(objectIdOf(named('a')))).toThrow(OwnershipLostError);
  expect(environment.errors).toEqual([]);
});

test('work that does not end is aborted after some time, or when the time of the change is over', async () => {
  for (const byTime of [true, false]) {
    const environment = await started(assignment('a'), 'a');
    environment.work = (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await environment.stored.create(GROUPS, named('a', 'busy'));
    await settled();
    const time = new AbortController();
    const prepared = environment.shards.prepare(assignment(), time.signal);
    if (byTime) await environment.clock.advance(20_000);
    else time.abort(new Error('the time is over'));
    await prepared;
    expect(environment.errors).toEqual([]);
  }
});

test('a reconcile that finds itself fenced off ends quietly, and is repeated where the object is owned all the same', async () => {
  const environment = await started(assignment('a'), 'a');
  environment.work = async (key) => {
    environment.work = async () => undefined;
    throw new OwnershipLostError(key.name);
  };
  await environment.stored.create(GROUPS, named('a', 'fenced'));
  await environment.clock.advance(1_000);
  expect(environment.errors).toEqual([]);
  expect(environment.reconciled).toEqual(['a', 'a', 'a']);
});

test('the caches keep what is owned and what is about to be, and the controller\'s own namespace', async () => {
  const environment = new Environment(['a', 'b', 'aso']);
  environment.controller.start();
  await environment.take(assignment('a'));
  expect(environment.keeps('a', 'b', 'aso')).toEqual([true, false, true]);
  await environment.shards.prepare(assignment('b'), new AbortController().signal);
  expect(environment.keeps('a', 'b', 'aso')).toEqual([true, true, true]);
  // A claim of another replica has come or gone; the next view is not published yet.
  environment.shards.changed();
  expect(environment.keeps('a', 'b', 'aso')).toEqual([true, true, true]);
  environment.owned = assignment('b');
  environment.shards.changed();
  expect(environment.keeps('a', 'b', 'aso')).toEqual([false, true, true]);
});

test('an object that has left the caches is forgotten, and nothing is written for it', async () => {
  const environment = await started(assignment('a'), 'a');
  environment.forgotten.length = 0;
  environment.controller.released(named('a'));
  expect(environment.forgotten).toEqual([sharedKeyOf(objectIdOf(named('a')))]);
  expect(environment.reconciled).toEqual(['a']);
});
