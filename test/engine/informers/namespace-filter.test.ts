import { InformerSet } from '../../../engine/informers/informer-set';
import type { NamespaceFilter } from '../../../engine/informers/namespace-filter';
import { Coverage } from '../../../engine/informers/namespace-filter';
import { ResourceInformer } from '../../../engine/informers/resource-informer';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { until } from '../../setup/until';
import { events, FakeApiServer, json, page, thing, THING, THINGS } from '../kubernetes/fake-api-server';

const QUICK = { backoff: { base: 20, max: 50 }, watchSeconds: [300, 600] as [number, number] };
const only = (...namespaces: string[]): NamespaceFilter => ({ keeps: (namespace) => namespaces.includes(namespace) });

let server: FakeApiServer;
let stop: AbortController;
const running: { stopped(): Promise<void> }[] = [];

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort(new Error('test over'));
  await Promise.all(running.splice(0).map((one) => one.stopped()));
  await server.stop();
});

function thingOf(namespace: string, name: string, version: number): KubernetesObject {
  const object = thing(name, version) as KubernetesObject;
  return { ...object, metadata: { ...object.metadata, namespace, uid: `${namespace}-${name}` } };
}

/** A server that lists what the test has put there, and sends what it is told to. */
function cluster(...stored: KubernetesObject[]) {
  const state = { stored, version: '10', lists: 0, send: (_: object) => undefined as void, hold: undefined as Promise<void> | undefined };
  server
    .on(`GET ${THINGS}`, (seen, response) => {
      state.lists += 1;
      void (state.hold ?? Promise.resolve()).then(() => page(state.version, state.stored)(seen, response));
    })
    .on(`watch ${THINGS}`, (seen, response) => {
      events()(seen, response);
      state.send = (event) => void response.write(`${JSON.stringify(event)}\n`);
    });
  return state;
}

function informerOf(filter: NamespaceFilter) {
  const log: string[] = [];
  const informer = new ResourceInformer(server.client, THING, { filter, timing: QUICK });
  informer.onEvent(({ type, object: { metadata } }) => log.push(`${type} ${metadata.namespace}/${metadata.name}`));
  informer.onRelease(({ metadata }) => log.push(`released ${metadata.namespace}/${metadata.name}`));
  running.push(informer);
  return { informer, log };
}

test('only objects of kept namespaces are stored, from the list, the watch and writes', async () => {
  const api = cluster(thingOf('a', 'x', 1), thingOf('b', 'x', 2));
  const { informer, log } = informerOf(only('a'));
  await informer.start(stop.signal);
  await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
  api.send({ type: 'ADDED', object: thingOf('b', 'y', 11) });
  api.send({ type: 'DELETED', object: thingOf('b', 'x', 12) });
  api.send({ type: 'ADDED', object: thingOf('a', 'y', 13) });
  await until('event', () => log.length === 2);
  informer.updateLocal(thingOf('b', 'z', 14));
  expect(log).toEqual(['ADDED a/x', 'ADDED a/y']);
  expect(informer.store.size).toBe(2);
  expect(informer.stateIn('a').state).toBe('whole');
  expect(informer.stateIn('b')).toMatchObject({ state: 'unknown', reason: 'CacheNotSynced', why: 'another replica looks after the namespace "b"' });
  expect(informer.stateIn()).toMatchObject({ state: 'unknown', reason: 'CacheNotSynced' });
  expect(informer.listing.state).toBe('whole');
});

test('a namespace that comes in is unknown until the new list is complete; what is kept stays, and nothing is deleted', async () => {
  const api = cluster(thingOf('a', 'x', 1), thingOf('b', 'x', 2));
  const { informer, log } = informerOf(only('a'));
  await informer.start(stop.signal);
  let proceed: () => void = () => undefined;
  api.hold = new Promise((resolve) => (proceed = resolve));
  informer.setFilter(only('a', 'b'), true);
  await until('second list', () => api.lists === 2);
  expect([informer.stateIn('a').state, informer.stateIn('b').state, informer.isCovered]).toEqual(['whole', 'unknown', false]);
  expect(informer.store.get('a', 'x')).toBeDefined();
  proceed();
  await until('list', () => informer.isCovered);
  expect([informer.stateIn('a').state, informer.stateIn('b').state]).toEqual(['whole', 'whole']);
  expect(log).toEqual(['ADDED a/x', 'ADDED b/x']);
});

test('a filter that grows during a list begins another one', async () => {
  const api = cluster(thingOf('a', 'x', 1), thingOf('b', 'x', 2));
  let proceed: () => void = () => undefined;
  api.hold = new Promise((resolve) => (proceed = resolve));
  const { informer, log } = informerOf(only('a'));
  const started = informer.start(stop.signal);
  await until('list', () => api.lists === 1);
  informer.setFilter(only('a', 'b'), true);
  await until('second list', () => api.lists === 2);
  proceed();
  await started;
  expect(log.sort()).toEqual(['ADDED a/x', 'ADDED b/x']);
  expect(informer.stateIn('b').state).toBe('whole');
});

test('objects of a namespace that is left out are released, without a deletion', async () => {
  const api = cluster(thingOf('a', 'x', 1), thingOf('b', 'x', 2));
  const { informer, log } = informerOf(only('a', 'b'));
  await informer.start(stop.signal);
  await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
  informer.setFilter(only('b'), false);
  api.send({ type: 'MODIFIED', object: thingOf('a', 'x', 20) });
  api.send({ type: 'DELETED', object: thingOf('a', 'x', 21) });
  api.send({ type: 'MODIFIED', object: thingOf('b', 'x', 22) });
  await until('event', () => log.length === 4);
  expect(log).toEqual(['ADDED a/x', 'ADDED b/x', 'released a/x', 'MODIFIED b/x']);
  expect(api.lists).toBe(1);
  // A namespace that was left out once is unknown until the next list, even where the filter keeps it again.
  informer.setFilter(only('a', 'b'), false);
  expect(informer.stateIn('a').state).toBe('unknown');
});

test('a coverage knows every filter since the list', () => {
  const coverage = new Coverage(only('a', 'b')).within(only('a')).within(only('a', 'b'));
  expect([coverage.covers('a'), coverage.covers('b'), coverage.isLong]).toEqual([true, false, false]);
});

describe('a set of informers', () => {
  const NAMESPACES = '/api/v1/namespaces';
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const namespaceOf = (name: string, version = 1): KubernetesObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `uid-${name}`, resourceVersion: String(version) } });

  async function setOf(filter: NamespaceFilter, ...namespaces: string[]) {
    const group = (name: string, resource: string, kind: string, scope: string) => ({
      metadata: { name }, versions: [{ version: 'v1', resources: [{ resource, responseKind: { kind }, scope }] }],
    });
    let send: (event: object) => void = () => undefined;
    server
      .on('GET /api', json({ kind: 'APIGroupDiscoveryList', items: [group('', 'namespaces', 'Namespace', 'Cluster')] }))
      .on('GET /apis', json({ kind: 'APIGroupDiscoveryList', items: [group('test.azure.com', 'things', 'Thing', 'Namespaced')] }))
      .on(`GET ${CRDS}`, page('1', [])).on(`watch ${CRDS}`, events())
      .on(`GET ${NAMESPACES}`, page('1', namespaces.map((name) => namespaceOf(name))))
      .on(`watch ${NAMESPACES}`, (seen, response) => {
        events()(seen, response);
        send = (event) => void response.write(`${JSON.stringify(event)}\n`);
      });
    const set = new InformerSet(server.client, [
      { group: '', kind: 'Namespace', versions: ['v1'], metadataOnly: true }, { group: 'test.azure.com', kind: 'Thing', versions: ['v1'] },
    ], { filter, timing: QUICK });
    running.push(set);
    await set.start(stop.signal);
    await until('watches', () => server.requests(`watch ${NAMESPACES}`).length === 1);
    return { set, send: (event: object) => send(event) };
  }

  test('lists again where a namespace of the cluster comes in, and not where namespaces go', async () => {
    const api = cluster(thingOf('a', 'x', 1), thingOf('b', 'x', 2));
    const { set } = await setOf(only('a', 'b'), 'a', 'b');
    const released: string[] = [];
    set.onRelease(({ metadata }) => released.push(`${metadata.namespace}/${metadata.name}`));
    set.setFilter(only('a'));
    expect([await set.covered(5_000, stop.signal), api.lists]).toEqual([true, 1]);
    expect(set.informer('test.azure.com', 'Thing')!.store.size).toBe(1);
    set.setFilter(only('a', 'b'));
    expect([await set.covered(5_000, stop.signal), api.lists]).toEqual([true, 2]);
    expect(set.informer('test.azure.com', 'Thing')!.store.size).toBe(2);
    expect(set.problems).toEqual([]);
  });

  test('lists again for a namespace that an earlier filter has left out before it existed', async () => {
    const api = cluster(thingOf('a', 'x', 1));
    const { set, send } = await setOf(only('a', 'new'), 'a');
    set.setFilter(only('a'));
    set.setFilter(only('a', 'new'));
    expect(api.lists).toBe(1);
    expect(set.stateOf('test.azure.com', 'Thing', 'new').state).toBe('unknown');
    send({ type: 'ADDED', object: namespaceOf('new', 5) });
    await until('second list', () => api.lists === 2 && set.stateOf('test.azure.com', 'Thing', 'new').state === 'whole');
  });
});
