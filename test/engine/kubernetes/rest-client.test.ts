import { createServer } from 'node:net';
import { FakeApiServer, hangUp, json, status, thing, THING, THINGS } from './fake-api-server';
import { FakeClock } from './fake-clock';
import { anonymousAccess, Connection } from '../../../engine/kubernetes/connection';
import { RestClient } from '../../../engine/kubernetes/rest-client';
import { KubernetesError, type ResourceType } from '../../../engine/kubernetes/types';

let server: FakeApiServer;
beforeEach(async () => (server = await FakeApiServer.start()));
afterEach(() => server.stop());

const ITEMS = '/apis/test.azure.com/v1/namespaces/default/things';

test('reads an object, and undefined where there is none', async () => {
  server.on(`GET ${ITEMS}/a`, json(thing('a', 1))).on(`GET ${ITEMS}/b`, status(404, 'NotFound', 'things "b" not found'));
  expect(await server.client.get(THING, 'a', 'default')).toEqual(thing('a', 1));
  expect(await server.client.get(THING, 'b', 'default')).toBeUndefined();
  expect(server.seen[0]?.headers['user-agent']).toBe('test');
});

test('a request keeps no timer when its answer has come, for which a command would wait at its end', async () => {
  server.on(`GET ${ITEMS}/a`, json(thing('a', 1)));
  const connection = new Connection(anonymousAccess(server.url), { requestTimeout: 5_000 });
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const get = () => new RestClient(connection).get(THING, 'a', 'default');
  // The first one opens the connection.
  await get();
  const before = timers();
  for (let request = 0; request < 5; request += 1) await get();
  expect(timers()).toBeLessThan(before + 5);
  await connection.close();
});

test('writes with the method, path and content type of each kind of write', async () => {
  const answer = json(thing('a', 2));
  server.on(`POST ${ITEMS}`, answer).on(`PUT ${ITEMS}/a`, answer).on(`PUT ${ITEMS}/a/status`, answer).on(`PATCH ${ITEMS}/a`, answer)
    .on(`PATCH ${ITEMS}/a/status`, answer).on(`DELETE ${ITEMS}/a`, answer);
  await server.client.create(THING, thing('a', 1));
  await server.client.replace(THING, thing('a', 1));
  await server.client.replaceStatus(THING, thing('a', 1));
  await server.client.patch(THING, 'a', 'default', { metadata: {} }, 'application/merge-patch+json');
  await server.client.patchStatus(THING, 'a', 'default', [], 'application/json-patch+json');
  await server.client.patch(THING, 'a', 'default', thing('a', 1), 'application/apply-patch+yaml');
  await server.client.delete(THING, 'a', 'default');
  expect(server.seen.map(({ method, path, headers }) => [method, path.slice(ITEMS.length), headers['content-type']])).toEqual([
    ['POST', '', 'application/json'],
    ['PUT', '/a', 'application/json'],
    ['PUT', '/a/status', 'application/json'],
    ['PATCH', '/a', 'application/merge-patch+json'],
    ['PATCH', '/a/status', 'application/json-patch+json'],
    ['PATCH', '/a', 'application/apply-patch+yaml'],
    ['DELETE', '/a', undefined],
  ]);
  expect(Object.fromEntries(server.seen[5]!.query)).toEqual({ fieldManager: 'cdk8s-aso', force: 'true' });
});

test('a dry run of a deletion with preconditions says so in the body, without which the API server would delete', async () => {
  server.on(`DELETE ${ITEMS}/a`, json(thing('a', 2)));
  const preconditions = { uid: 'u', resourceVersion: '1' };
  await server.client.asDryRun().delete(THING, 'a', 'default', preconditions);
  await server.client.asDryRun().delete(THING, 'a', 'default');
  await server.client.delete(THING, 'a', 'default', preconditions);
  expect(server.seen.map(({ body, query }) => [body === '' ? undefined : JSON.parse(body), query.get('dryRun')])).toEqual([
    [{ apiVersion: 'v1', kind: 'DeleteOptions', preconditions, dryRun: ['All'] }, 'All'],
    [undefined, 'All'],
    [{ apiVersion: 'v1', kind: 'DeleteOptions', preconditions }, null],
  ]);
});

test('a write of a status leaves out what the API server ignores and what makes it large', async () => {
  server.on(`PUT ${ITEMS}/a/status`, json(thing('a', 2)));
  const object = { ...thing('a', 1), status: { phase: 'Ready' } };
  const metadata = {
    ...object.metadata,
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'other': 'kept' },
    managedFields: [{ manager: 'kubectl' }],
  };
  await server.client.replaceStatus(THING, { ...object, metadata });
  expect(JSON.parse(server.seen[0]!.body)).toEqual({ ...object, metadata: { ...object.metadata, annotations: { other: 'kept' } } });
});

test('the bytes of bodies, answers and watches are counted', async () => {
  const counts = { sent: 0, received: 0 };
  const connection = new Connection(anonymousAccess(server.url), { onBytes: (direction, bytes) => (counts[direction] += bytes) });
  const client = new RestClient(connection);
  const answer = JSON.stringify(thing('a', 1));
  const event = `${JSON.stringify({ type: 'ADDED', object: thing('b', 2) })}\n`;
  server.on(`POST ${ITEMS}`, json(thing('a', 1))).on(`watch ${THINGS}`, (_, response) => response.end(event));
  await client.create(THING, thing('ü', 1));
  expect(counts).toEqual({ sent: Buffer.byteLength(JSON.stringify(thing('ü', 1))), received: answer.length });
  for await (const each of client.watch(THING, { resourceVersion: '1', timeoutSeconds: 1 }, new AbortController().signal)) expect(each.type).toBe('ADDED');
  expect(counts.received).toBe(answer.length + event.length);
  await connection.close();
});

test('a Status is a KubernetesError, and so is the page of a proxy', async () => {
  server
    .on(`PUT ${ITEMS}/a`, status(409, 'Conflict', 'the object has been modified'))
    .on(`DELETE ${ITEMS}/a`, (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'));
  await expect(server.client.replace(THING, thing('a', 1))).rejects.toMatchObject({
    name: 'KubernetesError',
    status: 409,
    reason: 'Conflict',
    message: 'the object has been modified',
  });
  await expect(server.client.delete(THING, 'a', 'default')).rejects.toMatchObject({
    status: 502,
    message: `DELETE ${ITEMS}/a was answered with HTTP 502`,
  });
});

test('a broken connection: a read is repeated, a write is not', async () => {
  server.on(`GET ${ITEMS}/a`, hangUp, hangUp, json(thing('a', 1))).on(`POST ${ITEMS}`, hangUp);
  expect(await server.client.get(THING, 'a', 'default')).toBeDefined();
  const refused = await server.client.create(THING, thing('a', 1)).catch((error: KubernetesError) => error);
  expect(refused).toMatchObject({ name: 'KubernetesError', status: 0 });
  expect((refused as Error).message).toContain(`POST ${ITEMS}`);
  expect(server.requests(`POST ${ITEMS}`)).toHaveLength(1);
});

test('a write that was never sent is repeated', async () => {
  const free = createServer();
  const port = await new Promise<number>((resolve) =>
    free.listen(0, '127.0.0.1', () => resolve((free.address() as { port: number }).port)),
  );
  await new Promise((resolve) => free.close(resolve));
  const connection = new Connection(anonymousAccess(`http://127.0.0.1:${port}`));
  const attempts: unknown[] = [];
  const request = connection.request.bind(connection);
  connection.request = (...all) => (attempts.push(all), request(...all));
  await expect(new RestClient(connection).create(THING, thing('a', 1))).rejects.toMatchObject({ status: 0, reason: 'ECONNREFUSED' });
  expect(attempts).toHaveLength(4);
  await connection.close();
});

test('429 with Retry-After is waited for, whatever the method; without it or for too long it is not', async () => {
  server
    .on(`POST ${ITEMS}`, status(429, 'TooManyRequests', 'slow down', { 'retry-after': '7' }), json(thing('a', 1), 201))
    .on(`GET ${ITEMS}/a`, status(429, 'TooManyRequests', 'slow down'))
    .on(`GET ${ITEMS}/b`, status(429, 'TooManyRequests', 'slow down', { 'retry-after': '3600' }));
  const clock = new FakeClock();
  const slept: number[] = [];
  clock.sleep = async (milliseconds) => void slept.push(milliseconds);
  const client = new RestClient(server.connection, { clock });
  await client.create(THING, thing('a', 1));
  expect(slept).toEqual([7_000]);
  await expect(client.get(THING, 'a', 'default')).rejects.toMatchObject({ status: 429 });
  await expect(client.get(THING, 'b', 'default')).rejects.toMatchObject({ status: 429 });
});

test('401: the credentials are renewed once', async () => {
  let renewed = 0;
  const access = {
    server: server.url,
    authenticate: async () => ({ headers: { authorization: `Bearer ${renewed}` }, tls: {} }),
    invalidate: () => void (renewed += 1),
  };
  server.on(`GET ${ITEMS}/a`, (seen, response) =>
    (seen.headers.authorization === 'Bearer 1' ? json(thing('a', 1)) : status(401, 'Unauthorized', 'Unauthorized'))(seen, response));
  server.on(`GET ${ITEMS}/b`, status(401, 'Unauthorized', 'Unauthorized'));
  const connection = new Connection(access);
  const client = new RestClient(connection);
  expect(await client.get(THING, 'a', 'default')).toBeDefined();
  await expect(client.get(THING, 'b', 'default')).rejects.toMatchObject({ status: 401 });
  expect(renewed).toBe(2);
  await connection.close();
});

test('a server that begins no answer in time is no answer', async () => {
  server.on(`POST ${ITEMS}`, () => undefined);
  const connection = new Connection(anonymousAccess(server.url), { timeout: 200 });
  await expect(new RestClient(connection).create(THING, thing('a', 1))).rejects.toMatchObject({
    status: 0,
    reason: 'UND_ERR_HEADERS_TIMEOUT',
  });
  await connection.close();
});

test('items of a built-in list get apiVersion and kind, and lose managedFields', async () => {
  const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
  server.on(
    'GET /api/v1/secrets',
    json({
      metadata: { resourceVersion: '5' },
      items: [{ metadata: { name: 's', namespace: 'n', managedFields: [{}] }, data: { a: 'Yg==' } }],
    }),
  );
  expect(await server.client.list(secrets, {})).toEqual({
    resourceVersion: '5',
    continue: undefined,
    items: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' }, data: { a: 'Yg==' } }],
  });
});

test('names are encoded into the URL, and a namespaced object needs its namespace', async () => {
  server.on(`GET ${ITEMS}/a%2F..%2Fb`, json(thing('x', 1)));
  expect(await server.client.get(THING, 'a/../b', 'default')).toBeDefined();
  await expect(server.client.get(THING, 'a')).rejects.toThrow('Thing a is namespaced: its URL needs a namespace');
});

test('a server below a path', async () => {
  server.on(`GET /k8s/clusters/x${THINGS}`, json({ metadata: { resourceVersion: '1' }, items: null }));
  const connection = new Connection(anonymousAccess(`${server.url}/k8s/clusters/x/`));
  expect((await new RestClient(connection).list(THING, {})).items).toEqual([]);
  await connection.close();
});

describe('discovery', () => {
  test('in two requests where the server can', async () => {
    const group = (name: string, resource: object) => ({
      metadata: { name },
      versions: [{ version: 'v1', freshness: 'Current', resources: [resource] }],
    });
    server
      .on(
        'GET /api',
        json({
          kind: 'APIGroupDiscoveryList',
          items: [group('', { resource: 'secrets', responseKind: { kind: 'Secret' }, scope: 'Namespaced' })],
        }),
      )
      .on(
        'GET /apis',
        json({
          kind: 'APIGroupDiscoveryList',
          items: [
            group('test.azure.com', { resource: 'things', responseKind: { kind: 'Thing' }, scope: 'Namespaced' }),
            { metadata: { name: 'metrics' }, versions: [{ version: 'v1', freshness: 'Stale' }] },
          ],
        }),
      );
    expect(await server.client.discover()).toEqual([
      { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
      THING,
    ]);
    expect([...(await server.client.discovery()).unknownGroups]).toEqual(['metrics']);
  });

  test('group by group where it cannot; only the groups that are wanted; a group that fails is unknown, not gone', async () => {
    const groups = ['test.azure.com', 'broken.azure.com', 'other.io'].map((name) => ({ name, versions: [{ version: 'v1' }] }));
    const resources = [{ name: 'things', kind: 'Thing', namespaced: true }, { name: 'things/status', kind: 'Thing', namespaced: true }];
    server
      .on('GET /api', json({ kind: 'APIVersions', versions: ['v1'] }))
      .on('GET /api/v1', json({ resources: [] }))
      .on('GET /apis', json({ kind: 'APIGroupList', groups }))
      .on('GET /apis/test.azure.com/v1', json({ resources }))
      .on('GET /apis/broken.azure.com/v1', status(500, 'InternalError', 'no'));
    const found = await server.client.discovery((group) => group.endsWith('.azure.com'));
    expect(found.types).toEqual([THING]);
    expect([...found.unknownGroups]).toEqual(['broken.azure.com']);
    expect(server.requests('GET /apis/other.io/v1')).toHaveLength(0);
  });
});

describe('what something between the API server and this process may answer', () => {
  const LISTS: readonly unknown[] = [
    null,
    5,
    [],
    { metadata: null },
    ...[{ a: 1 }, 'x', [null], [5], [{}], [{ metadata: {} }], [{ metadata: { name: 5 } }]].map((items) => ({
      metadata: { resourceVersion: '1' },
      items,
    })),
  ];

  test.each(LISTS.map((list) => [JSON.stringify(list)]))('the list %s is malformed', async (list) => {
    server.on(`GET ${ITEMS}`, json(JSON.parse(list) as object));
    await expect(server.client.list(THING, { namespace: 'default' })).rejects.toMatchObject({
      name: 'KubernetesError',
      reason: 'Malformed',
    });
  });

  test.each([
    'null',
    '5',
    '[]',
    '{"type":"ADDED","object":[]}',
    '{"type":"ADDED","object":{"metadata":5}}',
    '{"type":"ADDED","object":{"metadata":{}}}',
  ])('the event %s is malformed', async (line) => {
    server.on(`watch ${ITEMS}`, (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`${line}\n`));
    const next = server.client
      .watch(THING, { namespace: 'default', resourceVersion: '1', timeoutSeconds: 1 }, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next();
    await expect(next).rejects.toMatchObject({ name: 'KubernetesError', reason: 'Malformed' });
  });

  test('a Status whose members are no texts', async () => {
    server.on(`watch ${ITEMS}`, (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"type":"ERROR","object":{"code":"x","reason":{},"message":[5]}}\n'),
    );
    const next = server.client
      .watch(THING, { namespace: 'default', resourceVersion: '1', timeoutSeconds: 1 }, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next();
    await expect(next).rejects.toMatchObject({ name: 'KubernetesError', status: 500, reason: 'InternalError' });
    server.on(`PUT ${ITEMS}/a`, (_, response) =>
      response.writeHead(409, { 'content-type': 'application/json' }).end('{"kind":"Status","reason":5,"message":{"a":1}}'),
    );
    await expect(server.client.replace(THING, thing('a', 1))).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  });
});
