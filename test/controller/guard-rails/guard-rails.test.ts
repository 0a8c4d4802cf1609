import { GuardRails } from '../../../controller/guard-rails/guard-rails';
import { systemClock } from '../../../engine/clock';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { GUARD_RAILS_FINALIZER, GUARDED_NAMESPACE } from '../../../src/azure/annotations';
import { bookmark, events, FakeApiServer, json, page, status, type Answer } from '../../engine/kubernetes/fake-api-server';
import { until } from '../../setup/until';

/** A policy that is being deleted goes when its Namespace is gone, and not before. */

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const [POLICIES, BINDINGS] = [`${GROUP}/validatingadmissionpolicies`, `${GROUP}/validatingadmissionpolicybindings`];

let server: FakeApiServer;
let stop: AbortController;
let logged: string[];
let guardRails: GuardRails;
let mayWrite: boolean;

beforeEach(async () => {
  [server, stop, logged, mayWrite] = [await FakeApiServer.start(), new AbortController(), [], true];
});
afterEach(async () => {
  stop.abort();
  await guardRails.stopped();
  await server.stop();
});

const policy = (name: string, more: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: {
    name,
    uid: name,
    resourceVersion: '5',
    finalizers: ['other', GUARD_RAILS_FINALIZER],
    labels: { [GUARDED_NAMESPACE]: 'fin' },
    deletionTimestamp: '2026-01-01T00:00:00Z',
    ...more,
  },
}) as KubernetesObject;
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fin', uid: 'n', resourceVersion: '1' } } as KubernetesObject;

function start(policies: readonly KubernetesObject[], namespaces: readonly Answer[], patch: readonly Answer[] = [json(policy('p'))]): void {
  server
    .on(`GET ${POLICIES}`, page('10', policies)).on(`watch ${POLICIES}`, events(bookmark(11)))
    .on(`GET ${BINDINGS}`, page('10', [])).on(`watch ${BINDINGS}`, events(bookmark(11)))
    .on('GET /api/v1/namespaces', ...namespaces)
    .on(`PATCH ${POLICIES}/p`, ...patch);
  guardRails = new GuardRails({
    client: server.client,
    clock: { ...systemClock, schedule: (_, callback) => systemClock.schedule(5, callback) },
    mayWrite: () => mayWrite,
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  guardRails.start(stop.signal);
}

const patches = () => server.requests(`PATCH ${POLICIES}/p`).map(({ body }) => JSON.parse(body) as unknown);
const looks = () => server.requests('GET /api/v1/namespaces');
const gone = () => guardRails.handle({ type: 'DELETED', object: namespace });

test('the finalizer goes when the Namespace is gone, as the API server says itself, and those of others stay', async () => {
  let isThere = true;
  start([policy('p')], [(seen, response) => page('1', isThere ? [namespace] : [])(seen, response)]);
  await until('it has looked', () => looks().length > 0);
  expect(patches()).toEqual([]);
  isThere = false;
  gone();
  await until('the finalizer is removed', () => patches().length > 0);
  // Its informers start at different times, and each looks: the patch may be sent once more before the watch tells of it.
  expect(new Set(patches().map((patch) => JSON.stringify(patch)))).toEqual(new Set([JSON.stringify({ metadata: { resourceVersion: '5', finalizers: ['other'] } })]));
  expect(looks().every(({ query }) => query.get('fieldSelector') === 'metadata.name=fin')).toBe(true);
  expect(server.requests(`GET ${POLICIES}`)[0]!.query.get('labelSelector')).toBe(GUARDED_NAMESPACE);
});

test('a Namespace that is being deleted is there: its objects may still act', async () => {
  let isThere = true;
  const ending = { ...namespace, metadata: { ...namespace.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  start([policy('p')], [(seen, response) => page('1', isThere ? [ending] : [])(seen, response)]);
  await until('it has looked', () => looks().length > 0);
  guardRails.look();
  await until('it has looked again', () => looks().length > 1);
  expect(patches()).toEqual([]);
  isThere = false;
  gone();
  await until('the finalizer is removed', () => patches().length > 0);
});

test.each<[string, object]>([
  ['is not being deleted', { deletionTimestamp: undefined }],
  ['has another finalizer alone', { finalizers: ['other'] }],
  ['names no namespace', { labels: {} }],
])('a policy that %s is left alone', async (_, more) => {
  start([policy('p', more), policy('q', { labels: { [GUARDED_NAMESPACE]: 'hr' } })], [page('1', [])], [json(policy('p'))]);
  server.on(`PATCH ${POLICIES}/q`, json(policy('q')));
  await until('the other one goes', () => server.requests(`PATCH ${POLICIES}/q`).length > 0);
  expect(patches()).toEqual([]);
});

test('a Namespace that cannot be read is not gone; it is looked for again', async () => {
  start([policy('p')], [status(500, 'InternalError', 'broken'), page('1', [])]);
  await until('the finalizer is removed', () => patches().length > 0);
  expect(looks().length).toBeGreaterThan(1);
  expect(logged[0]).toContain('warn: the ValidatingAdmissionPolicy p stays');
});

test('a Namespace that goes while it is looked for is looked for once more', async () => {
  const answers: ((items: KubernetesObject[]) => void)[] = [];
  const list = server.client.list.bind(server.client);
  jest.spyOn(server.client, 'list').mockImplementation((type, options) => {
    if (type.kind !== 'Namespace') return list(type, options);
    return new Promise((resolve) => answers.push((items) => resolve({ resourceVersion: '1', items })));
  });
  start([policy('p')], []);
  // Both informers have begun a look by then, or joined the one that waits for its answer.
  await until('the policies are watched', () => [POLICIES, BINDINGS].every((path) => server.requests(`watch ${path}`).length > 0));
  for (let looked = 0; looked < answers.length && looked < 5; looked += 1) {
    answers[looked]!([namespace]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = answers.length;
  guardRails.look();
  gone();
  expect(answers).toHaveLength(before + 1);
  answers.at(-1)!([namespace]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toHaveLength(before + 2);
  answers.at(-1)!([]);
  await until('the finalizer is removed', () => patches().length > 0);
});

test('a patch that is refused is tried again; a policy that is gone is no problem', async () => {
  start([policy('p')], [page('1', [])], [status(409, 'Conflict', 'changed'), status(404, 'NotFound', 'gone')]);
  await until('it is tried again', () => patches().length > 1);
  expect(logged[0]).toContain('stays');
});

test('a process that may not write writes nothing, and goes on when it may', async () => {
  mayWrite = false;
  start([policy('p')], [page('1', [])]);
  await until('the policies are listed', () => server.requests(`watch ${POLICIES}`).length > 0);
  gone();
  expect(looks()).toEqual([]);
  mayWrite = true;
  guardRails.look();
  await until('the finalizer is removed', () => patches().length > 0);
});
