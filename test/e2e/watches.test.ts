import { installCrds } from './install-crds';
import { normalized } from './normalized';
import { startReal, type RealCluster } from './real-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import { anonymousAccess, Connection, type HttpRequest } from '../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';

const kinds = [Catalog.default().kind('resources.azure.com', 'ResourceGroup')!];
const GROUPS = '/apis/resources.azure.com/v1api20200601/namespaces/watched/resourcegroups';
const ALL = '/apis/resources.azure.com/v1api20200601/resourcegroups';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const SECONDS = 4;

/** Watches of the same changes; `since`: the resourceVersion of a list before them. */
const watches: readonly (readonly [title: string, path: string, query: (since: string) => HttpRequest['query'], accept?: string])[] = [
  ['from now on, with what is there', GROUPS, () => ({})],
  ['from any state', GROUPS, () => ({ resourceVersion: '0' })],
  ['from a list', GROUPS, (resourceVersion) => ({ resourceVersion })],
  ['across namespaces', ALL, (resourceVersion) => ({ resourceVersion })],
  ['by a label that objects gain and lose', GROUPS, (resourceVersion) => ({ resourceVersion, labelSelector: 'chosen=yes' })],
  ['by name', GROUPS, (resourceVersion) => ({ resourceVersion, fieldSelector: 'metadata.name=two' })],
  ['with initial events', GROUPS, () => ({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true })],
  ['of metadata', GROUPS, (resourceVersion) => ({ resourceVersion }), PARTIAL],
  [
    'of metadata, with initial events', GROUPS,
    () => ({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true }), PARTIAL,
  ],
  ['from a state that is forgotten', GROUPS, () => ({ resourceVersion: '1' })],
  ['by a bad selector', GROUPS, (resourceVersion) => ({ resourceVersion, fieldSelector: 'spec.location=x' })],
  ['from no number', GROUPS, () => ({ resourceVersion: 'x' })],
  ['initial events without the match', GROUPS, () => ({ sendInitialEvents: true, allowWatchBookmarks: true })],
];

interface Watched {
  readonly status: number;
  readonly events: unknown[];
}

async function watched(connection: Connection): Promise<Map<string, Watched>> {
  const send = async (method: HttpRequest['method'], path: string, body?: object, contentType?: string) => {
    const { status, text } = await connection.request({
      method, path, ...(contentType === undefined ? {} : { contentType }), ...(body && { body: JSON.stringify(body) }),
    });
    if (status > 201) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as { metadata: { resourceVersion: string } };
  };
  const group = (name: string) => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name },
    spec: { location: 'uksouth' },
  });
  const merge = (name: string, body: object) => send('PATCH', `${GROUPS}/${name}`, body, 'application/merge-patch+json');
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'watched' } });
  await send('POST', GROUPS, group('one'));
  const { resourceVersion: since } = (await send('GET', GROUPS)).metadata;

  const open = watches.map(
    async ([title, path, query, accept]) =>
      [
        title,
        await collect(connection, {
          method: 'GET', path, ...(accept === undefined ? {} : { accept }), query: { ...query(since), watch: true, timeoutSeconds: SECONDS },
        }),
      ] as const,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await send('POST', GROUPS, group('two'));
  await merge('one', { metadata: { labels: { chosen: 'yes' } } });
  await merge('one', { spec: { tags: { a: 'b' } } });
  await send('PATCH', `${GROUPS}/one/status`, { status: { id: 'x' } }, 'application/merge-patch+json');
  await merge('one', { metadata: { labels: { chosen: null } } });
  await merge('two', { metadata: { finalizers: ['example.com/hold'] } });
  await send('DELETE', `${GROUPS}/two`);
  await merge('two', { metadata: { finalizers: null } });
  await send('DELETE', `${GROUPS}/one`);
  return new Map(await Promise.all(open));
}

async function collect(connection: Connection, request: HttpRequest): Promise<Watched> {
  const end = new AbortController();
  const { status, body } = await connection.stream(request, end.signal);
  let text = '';
  for await (const part of body) text += Buffer.from(part).toString('utf8');
  const events = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WatchEvent)
    .filter((event) => !isPeriodicBookmark(event));
  return { status, events: events.map((event) => normalized(event)) };
}

interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
}

/** When a server sends these is its own business: how many come depends on how long a watch takes. */
function isPeriodicBookmark({ type, object }: WatchEvent): boolean {
  return type === 'BOOKMARK' && object.metadata?.annotations?.['k8s.io/initial-events-end'] === undefined;
}

describeWithRealKubernetes('watches of the sandbox are those of a real kube-apiserver', () => {
  let real: RealCluster;
  let sandbox: SandboxKubernetes;
  let expected: Map<string, Watched>;
  let actual: Map<string, Watched>;
  beforeAll(async () => {
    [real, sandbox] = await Promise.all([startReal(), startKubernetes({ crds: kinds })]);
    await installCrds(real.connection, kinds.map((kind) => crdManifest(kind)));
    const connection = new Connection(anonymousAccess(sandbox.url));
    [expected, actual] = await Promise.all([watched(real.connection), watched(connection)]);
    await connection.close();
  });
  afterAll(async () => {
    await sandbox?.close();
    await real?.close();
  });

  test.each(watches.map(([title]) => title))('%s', (title) => expect(actual.get(title)).toEqual(expected.get(title)));
});
