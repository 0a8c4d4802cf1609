import { Contents } from '../../../controller/contents';
import { Cluster } from '../../../controller/reconcile/cluster';
import { sharedKeyOf } from '../../../controller/reconcile/object-key';
import { ResourceInformer } from '../../../engine/informers';
import { KubernetesError, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import type { ObjectId } from '../../../src/object-id';
import { FakeClock, settled } from '../reconcile/fake-clock';

const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const key = (name: string): ObjectId => ({ group: '', kind: 'Secret', namespace: 'shop', name });
const secret = (name: string, version: number, data: Record<string, string>, uid = `uid-${name}`): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop', uid, resourceVersion: String(version) }, type: 'Opaque', data });

/** Secrets in an API server whose watch, and whose answers to reads, come when the test says so. */
class Api {
  public readonly stored = new Map<string, KubernetesObject>();
  public readonly clock = new FakeClock();
  public readonly gets: string[] = [];
  public readonly used = new Set<string>();
  public readonly known: string[] = [];
  public most = 0;
  /** Holds the answers back; undefined: they come at once. */
  public answer: ((name: string) => Promise<KubernetesObject | undefined>) | undefined;
  public readonly cluster = new Cluster();
  public readonly contents = new Contents({
    client: { get: (_, name) => this.get(name) },
    clock: this.clock,
    isUsed: (needed) => this.used.has(needed.name),
    onKnown: ({ name }, isChanged) => void this.known.push(`${name}${isChanged ? ' changed' : ''}`),
  });
  private running = 0;
  private readonly stop = new AbortController();
  private send: (event: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject) => void = () => undefined;

  public async start(...all: KubernetesObject[]): Promise<void> {
    for (const object of all) this.stored.set(object.metadata.name, object);
    const watch = async function* (this: Api, signal: AbortSignal) {
      const pending: { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject }[] = [];
      let wake: () => void = () => undefined;
      this.send = (type, object) => {
        pending.push({ type, object });
        wake();
      };
      signal.addEventListener('abort', () => wake(), { once: true });
      while (!signal.aborted) {
        for (let event = pending.shift(); event; event = pending.shift()) yield event;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    const source: KubernetesListWatch = {
      list: async () => ({ resourceVersion: '100', items: all.map(metadataOf) }),
      watch: (_, __, signal) => watch.call(this, signal),
    };
    const informer = new ResourceInformer(source, SECRETS, { clock: this.clock, metadataOnly: true });
    informer.onEvent((event) => this.contents.handle(event));
    this.cluster.add(this.contents.watched(informer));
    await informer.start(this.stop.signal);
    await settled();
  }

  public end(): void {
    this.contents.stop();
    this.stop.abort();
  }

  /** Stores an object; the watch reports it unless it is late. */
  public async store(object: KubernetesObject, isLate = false): Promise<void> {
    const type = this.stored.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    this.stored.set(object.metadata.name, object);
    if (!isLate) await this.report(type, object);
  }

  public async remove(name: string, version: number): Promise<void> {
    const object = this.stored.get(name)!;
    this.stored.delete(name);
    await this.report('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
  }

  public async report(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): Promise<void> {
    this.send(type, metadataOf(object));
    await settled();
  }

  public state(name = 'a'): string {
    const cached = this.cluster.read(key(name));
    if (cached.state === 'present') return `present ${JSON.stringify(cached.object.data)}`;
    return cached.state === 'absent' ? 'absent' : `${cached.isBeingRead ? 'being read' : 'unknown'}: ${cached.why}`;
  }

  private async get(name: string): Promise<KubernetesObject | undefined> {
    this.gets.push(name);
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    try {
      return this.answer ? await this.answer(name) : this.stored.get(name);
    } finally {
      this.running -= 1;
    }
  }
}

function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata };
}

let api: Api;
beforeEach(() => {
  api = new Api();
});
afterEach(() => api.end());

test('nothing is read until it is asked for', async () => {
  await api.start(secret('a', 1, { x: '1' }), secret('b', 2, { x: '2' }));
  expect(api.gets).toEqual([]);
  expect(api.cluster.findMetadata(key('b'))?.resourceVersion).toBe('2');
  expect(api.gets).toEqual([]);
});

test('a content is unknown until it has been read, then present, and whoever waits is told', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  expect(api.state()).toBe('being read: its content is being read');
  expect(() => api.cluster.find(key('a'))).toThrow('the Secret "a" cannot be read yet: its content is being read');
  await settled();
  expect(api.state()).toBe('present {"x":"1"}');
  expect(api.known).toEqual(['a']);
  expect(api.gets).toEqual(['a']);
});

test('a Secret that does not exist is absent, without a request', async () => {
  await api.start();
  expect(api.state()).toBe('absent');
  expect((await api.cluster.fetch(key('a'))).state).toBe('absent');
  expect(api.gets).toEqual([]);
});

test('requests for one object are one request, and at most sixteen run at once, twelve of a namespace', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  await api.start(...names.map((name, index) => secret(name, index + 1, {})));
  const answers: (() => void)[] = [];
  api.answer = (name) => new Promise((resolve) => answers.push(() => resolve(api.stored.get(name))));
  const all = [...names, ...names].map((name) => api.cluster.fetch(key(name)));
  await settled();
  expect(api.gets).toHaveLength(12);
  while (answers.length > 0) {
    answers.splice(0).forEach((answer) => answer());
    await settled();
  }
  expect((await Promise.all(all)).every(({ state }) => state === 'present')).toBe(true);
  expect(api.gets).toHaveLength(40);
  expect(api.most).toBe(12);
});

test('a changed Secret that is used is read again, and counts for nothing until then', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  await api.cluster.fetch(key('a'));
  let answer: () => void = () => undefined;
  api.answer = (name) => new Promise((resolve) => (answer = () => resolve(api.stored.get(name))));
  await api.store(secret('a', 101, { x: '2' }));
  expect(api.state()).toBe('being read: its content is being read');
  expect(api.cluster.read(key('a'))).toMatchObject({ last: { data: { x: '1' } }, only: { name: 'a' } });
  api.known.length = 0;
  answer();
  await settled();
  expect(api.state()).toBe('present {"x":"2"}');
  expect(api.known).toEqual(['a changed']);
});

test('a change of the metadata alone tells nobody of a change', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  await api.cluster.fetch(key('a'));
  await api.store(secret('a', 101, { x: '1' }));
  expect(api.state()).toBe('present {"x":"1"}');
  expect(api.known).toEqual(['a', 'a']);
});

test('a changed Secret that nothing uses is read when it is asked for again', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  await api.cluster.fetch(key('a'));
  await api.store(secret('a', 101, { x: '2' }));
  expect(api.gets).toEqual(['a']);
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ object: { data: { x: '2' } } });
});

test('an answer that is newer than the watch is taken, and so is an older event that comes later', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  const late = secret('a', 101, { x: '2' });
  await api.store(late, true);
  await api.store(secret('a', 102, { x: '3' }), true);
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ object: { data: { x: '3' } } });
  await api.report('MODIFIED', late);
  expect(api.state()).toBe('present {"x":"3"}');
  expect(api.gets).toEqual(['a']);
});

test('an object that changes while it is read is read again', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  const old = api.stored.get('a');
  let isFirst = true;
  api.answer = async () => {
    if (!isFirst) return api.stored.get('a');
    isFirst = false;
    await api.store(secret('a', 101, { x: '2' }));
    return old;
  };
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ object: { data: { x: '2' } } });
  expect(api.gets).toEqual(['a', 'a']);
});

test('answers that stay older than the metadata are no loop of requests', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  const old = api.stored.get('a');
  api.answer = async () => old;
  await api.store(secret('a', 101, { x: '2' }));
  expect((await api.cluster.fetch(key('a'))).state).toBe('unknown');
  expect(api.gets).toHaveLength(2);
  expect(api.state()).toBe('unknown: it was changed while its content was read');
  api.answer = undefined;
  await api.clock.advance(1_000);
  expect(api.state()).toBe('present {"x":"2"}');
});

test('a read that fails is tried again, later each time, and never counts as absent', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.answer = async () => Promise.reject(new KubernetesError(500, 'InternalError', 'etcd is away'));
  expect((await api.cluster.fetch(key('a'))).state).toBe('unknown');
  expect(api.state()).toBe('unknown: the read of it failed: 500 InternalError: etcd is away');
  expect(api.gets).toHaveLength(1);
  await api.clock.advance(10_000);
  expect(api.gets.length).toBeGreaterThan(3);
  expect(api.gets.length).toBeLessThan(7);
  api.answer = undefined;
  await api.clock.advance(30_000);
  expect(api.state()).toBe('present {"x":"1"}');
});

test('a refusal is no momentary state', async () => {
  await api.start(secret('a', 1, {}));
  api.answer = async () => Promise.reject(new KubernetesError(403, 'Forbidden', 'no'));
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ state: 'unknown', isMomentary: false });
});

test('an object whose deletion the watch has not reported yet is unknown, and then gone', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  const [gone] = [...api.stored.values()];
  api.stored.delete('a');
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ why: 'it was deleted, and the watch has not reported it yet' });
  await api.report('DELETED', { ...gone!, metadata: { ...gone!.metadata, resourceVersion: '101' } });
  expect(api.state()).toBe('absent');
  expect(api.known).toEqual(['a']);
});

test('the answer to an own write counts at once, without a read', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  const watched = api.cluster.typeOf('', 'Secret')!;
  await api.cluster.fetch(key('a'));
  const written = secret('a', 101, { x: '2' });
  await api.store(written, true);
  watched.updateLocal(written);
  expect(api.state()).toBe('present {"x":"2"}');
  expect(api.known).toEqual(['a', 'a changed']);
  await api.report('MODIFIED', written);
  const created = secret('b', 102, { y: '1' });
  watched.updateLocal(created);
  expect(api.state('b')).toBe('present {"y":"1"}');
  expect(api.gets).toEqual(['a']);
});

test('an older answer to an own write changes nothing', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  await api.cluster.fetch(key('a'));
  await api.store(secret('a', 102, { x: '3' }));
  api.cluster.typeOf('', 'Secret')!.updateLocal(secret('a', 101, { x: '2' }));
  expect(api.state()).toBe('present {"x":"3"}');
});

test('another object of the same name is read anew', async () => {
  await api.start(secret('a', 1, { x: '1' }));
  api.used.add('a');
  await api.cluster.fetch(key('a'));
  await api.remove('a', 101);
  expect(api.state()).toBe('absent');
  await api.store(secret('a', 102, { x: '1' }, 'another'));
  expect(await api.cluster.fetch(key('a'))).toMatchObject({ object: { metadata: { uid: 'another' } } });
  expect(api.gets).toEqual(['a', 'a']);
});

test('contents stay while they are used, and some minutes after the last use', async () => {
  await api.start(secret('a', 1, {}), secret('b', 2, {}));
  api.used.add('a');
  await Promise.all(['a', 'b'].map((name) => api.cluster.fetch(key(name))));
  await api.clock.advance(200_000);
  expect(api.state('b')).toBe('present {}');
  await api.clock.advance(600_000);
  expect(api.state('a')).toBe('present {}');
  expect(api.state('b')).toMatch('being read');
  await settled();
  expect(api.gets).toEqual(['a', 'b', 'b']);
});

test('a released object leaves nothing, and its answer is not kept', async () => {
  await api.start(secret('a', 1, {}));
  let answer: () => void = () => undefined;
  api.answer = (name) => new Promise((resolve) => (answer = () => resolve(api.stored.get(name))));
  void api.cluster.fetch(key('a'));
  await settled();
  api.contents.released(metadataOf(secret('a', 1, {})));
  answer();
  await settled();
  expect(api.known).toEqual([]);
});

test('after the stop nothing is read', async () => {
  await api.start(secret('a', 1, {}));
  api.contents.stop();
  expect(api.state()).toMatch('unknown');
  await api.clock.advance(100_000);
  expect(api.gets).toEqual([]);
});

test('kinds that are watched whole stay as they are', () => {
  const informer = { type: { ...SECRETS, kind: 'Namespace' }, store: { get: () => undefined, list: () => [] }, updateLocal: () => undefined };
  expect(api.contents.watched(informer)).toBe(informer);
  expect(sharedKeyOf(key('a'))).toBe('/Secret/shop/a');
});
