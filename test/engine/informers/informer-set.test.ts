import { InformerSet } from '../../../engine/informers/informer-set';
import type { InformerSetOptions } from '../../../engine/informers/informer-set-options';
import type { InformerSetTelemetry, InformerTelemetry } from '../../../engine/informers/telemetry';
import { servedTypes, type WatchedKind } from '../../../engine/kubernetes/watched-kind';
import { until } from '../../setup/until';
import { events, FakeApiServer, json, page, status, thing, THING, THINGS, type Answer } from '../kubernetes/fake-api-server';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const KINDS: WatchedKind[] = [
  { group: 'test.azure.com', kind: 'Thing', versions: ['v1', 'v2'] },
  { group: 'other.azure.com', kind: 'Other', versions: ['v1'] },
];

let server: FakeApiServer;
let stop: AbortController;
let set: InformerSet | undefined;

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort(new Error('test over'));
  await set?.stopped();
  await server.stop();
});

/** Answer of discovery, which the test changes as it goes. */
function serve(...kinds: [group: string, kind: string, version: string][]): { kinds: typeof kinds; stale: string[] } {
  const state = { kinds, stale: [] as string[] };
  const answer: Answer = (seen, response) => json({
    kind: 'APIGroupDiscoveryList',
    items: [
      ...state.kinds.map(([name, kind, version]) => ({
        metadata: { name },
        versions: [{ version, resources: [{ resource: `${kind.toLowerCase()}s`, responseKind: { kind }, scope: 'Namespaced' }] }],
      })),
      ...state.stale.map((name) => ({ metadata: { name }, versions: [{ version: 'v1', freshness: 'Stale' }] })),
    ],
  })(seen, response);
  server.on('GET /api', json({ kind: 'APIGroupDiscoveryList', items: [] })).on('GET /apis', answer);
  return state;
}

function make(options: InformerSetOptions = {}) {
  const reported: string[] = [];
  const telemetry: (InformerTelemetry | InformerSetTelemetry)[] = [];
  set = new InformerSet(server.client, KINDS, {
    timing: { backoff: { base: 20, max: 50 } }, discoveryInterval: 50, onTelemetry: (event) => telemetry.push(event), ...options,
  });
  set.onEvent(({ type, object }) => reported.push(`${type} ${object.kind} ${object.metadata.name}`));
  set.onServed((type, served) => reported.push(`${type.kind} ${served ? 'served' : 'gone'}`));
  return { set, reported, telemetry };
}

test('watches what the cluster serves and finds it by group and kind', async () => {
  serve(['test.azure.com', 'Thing', 'v2'], ['foreign.io', 'Foreign', 'v1']);
  server.on(`GET ${THINGS.replace('v1', 'v2')}`, page('1', [thing('a', 1)])).on(`watch ${THINGS.replace('v1', 'v2')}`, events())
    .on(`GET ${CRDS}`, page('1', [])).on(`watch ${CRDS}`, events());
  const { set: all, reported } = make();
  await all.start(stop.signal);
  expect(reported).toEqual(['Thing served', 'ADDED Thing a']);
  expect(all.find('test.azure.com', 'Thing', 'default', 'a')).toMatchObject({ apiVersion: 'test.azure.com/v2', metadata: { name: 'a' } });
  expect([all.serves('test.azure.com', 'Thing'), all.serves('other.azure.com', 'Other'), all.serves('foreign.io', 'Foreign')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(all.typeOf('test.azure.com', 'Thing')).toMatchObject({ version: 'v2', plural: 'things' });
  all.updateLocal({ ...thing('a', 7), apiVersion: 'test.azure.com/v2' });
  expect(all.find('test.azure.com', 'Thing', 'default', 'a')!.metadata.resourceVersion).toBe('7');
});

test('notices a kind that comes by the event of its CRD, long before the next discovery', async () => {
  const state = serve();
  let send: (event: object) => void = () => undefined;
  server
    .on(`GET ${CRDS}`, page('1', []))
    .on(`watch ${CRDS}`, (seen, response) => {
      events()(seen, response);
      send = (event) => response.write(`${JSON.stringify(event)}\n`);
    })
    .on(`GET ${THINGS}`, page('1', [thing('a', 1)])).on(`watch ${THINGS}`, events());
  const { set: all, reported } = make({ discoveryInterval: 600_000 });
  await all.start(stop.signal);
  await until('watch of CRDs', () => server.requests(`watch ${CRDS}`).length === 1);
  expect(server.requests(`watch ${CRDS}`)[0]?.headers.accept).toContain('PartialObjectMetadata');
  state.kinds = [['test.azure.com', 'Thing', 'v1']];
  send({ type: 'ADDED', object: { metadata: { name: 'things.test.azure.com', uid: 'u', resourceVersion: '2' } } });
  await until('informer', () => reported.includes('ADDED Thing a'));
});

test('a kind that is gone takes its objects along, after a second look', async () => {
  const state = serve(['test.azure.com', 'Thing', 'v1']);
  server.on(`GET ${THINGS}`, page('1', [thing('a', 1)])).on(`watch ${THINGS}`, events());
  const { set: all, reported } = make();
  await all.start(stop.signal);
  reported.length = 0;
  state.kinds = [];
  await until('kind gone', () => reported.includes('Thing gone'));
  expect(reported).toEqual(['DELETED Thing a', 'Thing gone']);
  expect(all.find('test.azure.com', 'Thing', 'default', 'a')).toBeUndefined();
  state.kinds = [['test.azure.com', 'Thing', 'v1']];
  await until('kind back', () => reported.includes('Thing served') && reported.includes('ADDED Thing a'));
});

test('a group that discovery cannot see at the moment is not gone', async () => {
  const state = serve(['test.azure.com', 'Thing', 'v1']);
  server.on(`GET ${THINGS}`, page('1', [thing('a', 1)])).on(`watch ${THINGS}`, events());
  const { set: all, reported } = make();
  await all.start(stop.signal);
  const before = server.requests('GET /apis').length;
  state.kinds = [];
  state.stale = ['test.azure.com'];
  await until('discoveries', () => server.requests('GET /apis').length > before + 4);
  expect(reported).toEqual(['Thing served', 'ADDED Thing a']);
});

test('a kind that cannot be listed delays the start only so long, and says so', async () => {
  serve(['test.azure.com', 'Thing', 'v1'], ['other.azure.com', 'Other', 'v1']);
  server
    .on(`GET ${THINGS}`, page('1', [])).on(`watch ${THINGS}`, events())
    .on('GET /apis/other.azure.com/v1/others', status(403, 'Forbidden', 'no'));
  const { set: all, telemetry } = make({ syncTimeout: 150 });
  await all.start(stop.signal);
  expect(telemetry).toContainEqual({ event: 'not-synced', resources: [expect.objectContaining({ kind: 'Other' })], milliseconds: 150 });
});

test('a cluster that does not answer at first is asked again', async () => {
  server.on('GET /api', status(500, 'InternalError', 'starting'), json({ kind: 'APIGroupDiscoveryList', items: [] }))
    .on('GET /apis', json({ kind: 'APIGroupDiscoveryList', items: [] }));
  const { set: all, telemetry } = make();
  await all.start(stop.signal);
  expect(telemetry.filter(({ event }) => event === 'discovery-failed')).toHaveLength(1);
});

test('the best version that is served is chosen by the order of the kind, not of the server', () => {
  const kind: WatchedKind = { group: 'g', kind: 'K', versions: ['storage', 'new', 'old'] };
  const type = (version: string) => ({ ...THING, group: 'g', kind: 'K', version });
  expect(servedTypes([kind], [type('old'), type('new')]).get(kind)!.version).toBe('new');
  expect(servedTypes([kind], [type('old'), type('storage'), type('new')]).get(kind)!.version).toBe('storage');
  expect(servedTypes([kind], [type('unknown')]).size).toBe(0);
});

test('a kind whose CRD is new is answered 429 for a moment: the start waits for its list, and nothing is lost', async () => {
  serve(['test.azure.com', 'Thing', 'v1']);
  const initializing = (headers: Record<string, string> = {}) => status(429, 'TooManyRequests', 'storage is (re)initializing', headers);
  server
    .on(`GET ${THINGS}`, initializing({ 'retry-after': '0' }), initializing(), initializing(), initializing(), page('1', [thing('a', 1)]))
    .on(`watch ${THINGS}`, initializing(), events({ type: 'ADDED', object: thing('b', 2) }))
    .on(`GET ${CRDS}`, page('1', [])).on(`watch ${CRDS}`, events());
  const { set: all, reported, telemetry } = make();
  await all.start(stop.signal);
  expect(all.find('test.azure.com', 'Thing', 'default', 'a')).toBeDefined();
  await until('the watch has reported b', () => reported.includes('ADDED Thing b'));
  expect(reported.filter((event) => event.startsWith('ADDED'))).toEqual(['ADDED Thing a', 'ADDED Thing b']);
  expect(reported).not.toContain('Thing gone');
  const failures = telemetry.flatMap((event) => (event.event === 'failed' ? [event.error] : []));
  expect(failures).toMatchObject(Array.from({ length: 4 }, () => ({ status: 429, message: 'storage is (re)initializing' })));
  expect(telemetry.some(({ event }) => event === 'not-synced')).toBe(false);
});
