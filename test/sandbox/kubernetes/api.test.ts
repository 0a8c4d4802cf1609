import { eventually, send, watchEvents } from './client';
import type { SandboxKubernetes } from '../../../sandbox/kubernetes';
import { startKubernetes } from '../../../sandbox/kubernetes';
import { Catalog } from '../../../src/catalog';

const catalog = Catalog.default();
const kinds = [catalog.kind('storage.azure.com', 'StorageAccount')!, catalog.kind('resources.azure.com', 'ResourceGroup')!];

let server: SandboxKubernetes;
beforeEach(async () => {
  server = await startKubernetes({ crds: kinds, historyLength: 50, namespaceGracePeriod: 50 });
});
afterEach(() => server.close());

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  send(server.url, method, path, body, headers);
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

const GROUPS = '/apis/resources.azure.com/v1api20200601/namespaces/default/resourcegroups';
const group = (name: string, more: object = {}) => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name, ...more },
  spec: { location: 'uksouth' },
});
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { a: 'b' },
});

describe('create, read, replace, delete', () => {
  test('a new object gets what only the server gives', async () => {
    const { code, body } = await call('POST', GROUPS, {
      ...group('rg', { uid: 'mine', resourceVersion: undefined, generation: 9 }),
      status: { id: 'mine' },
    });
    expect(code).toBe(201);
    expect(body.metadata).toMatchObject({
      name: 'rg',
      namespace: 'default',
      generation: 1,
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.status).toBeUndefined();
    expect((await call('GET', `${GROUPS}/rg`)).body).toEqual(body);
  });

  test('names: generated, taken, missing, malformed', async () => {
    expect((await call('POST', GROUPS, { ...group(''), metadata: { generateName: 'rg-' } })).body.metadata.name).toMatch(
      /^rg-[b-z2-9]{5}$/,
    );
    await call('POST', GROUPS, group('rg'));
    expect((await call('POST', GROUPS, group('rg'))).body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'resourcegroups.resources.azure.com "rg" already exists',
      details: { name: 'rg', group: 'resources.azure.com', kind: 'resourcegroups' },
    });
    expect((await call('POST', GROUPS, group(''))).body.message).toContain(
      'metadata.name: Required value: name or generateName is required',
    );
    expect((await call('POST', GROUPS, group('A_'))).body.message).toContain('a lowercase RFC 1123 subdomain must consist of');
    expect((await call('GET', `${GROUPS}/nope`)).body).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'resourcegroups.resources.azure.com "nope" not found',
    });
    expect((await call('GET', '/apis/none/v1/x')).body).toBe('404 page not found\n');
  });

  test('a stale resourceVersion is a conflict, and custom resources need one', async () => {
    const { body } = await call('POST', GROUPS, group('rg'));
    const fresh = await call('PUT', `${GROUPS}/rg`, { ...body, spec: { location: 'ukwest' } });
    expect(fresh.body.metadata.generation).toBe(2);
    expect((await call('PUT', `${GROUPS}/rg`, body)).body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Operation cannot be fulfilled on resourcegroups.resources.azure.com "rg": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect((await call('PUT', `${GROUPS}/rg`, group('rg'))).body.message).toContain('metadata.resourceVersion');
    await call('POST', CONFIG_MAPS, configMap('cm'));
    expect((await call('PUT', `${CONFIG_MAPS}/cm`, { ...configMap('cm'), data: { z: 'y' } })).body.data).toEqual({ z: 'y' });
  });

  test('only a change of the spec counts for the generation, and no change is no write', async () => {
    const { body } = await call('POST', GROUPS, group('rg'));
    const same = await call('PUT', `${GROUPS}/rg`, body);
    expect(same.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    const labelled = await call('PATCH', `${GROUPS}/rg`, { metadata: { labels: { a: 'b' } } }, MERGE);
    expect(labelled.body.metadata).toMatchObject({ generation: 1, labels: { a: 'b' } });
    expect(Number(labelled.body.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion));
  });

  test('status is written by its subresource only, the rest only without it', async () => {
    const { body } = await call('POST', GROUPS, group('rg'));
    const withStatus = await call('PUT', `${GROUPS}/rg/status`, { ...body, spec: { location: 'elsewhere' }, status: { id: '/x' } });
    expect(withStatus.body).toMatchObject({ spec: { location: 'uksouth' }, status: { id: '/x' }, metadata: { generation: 1 } });
    const withSpec = await call('PUT', `${GROUPS}/rg`, { ...withStatus.body, spec: { location: 'ukwest' }, status: { id: '/y' } });
    expect(withSpec.body).toMatchObject({ spec: { location: 'ukwest' }, status: { id: '/x' }, metadata: { generation: 2 } });
    expect((await call('GET', `${GROUPS}/rg/status`)).body.status).toEqual({ id: '/x' });
  });

  test('finalizers hold a deleted object; none can be added any more', async () => {
    await call('POST', GROUPS, group('rg', { finalizers: ['a.b/c'] }));
    const deleting = await call('DELETE', `${GROUPS}/rg`);
    expect(deleting.body.metadata).toMatchObject({ deletionTimestamp: expect.any(String), generation: 2, finalizers: ['a.b/c'] });
    expect((await call('DELETE', `${GROUPS}/rg`)).body.metadata.resourceVersion).toBe(deleting.body.metadata.resourceVersion);
    expect((await call('PATCH', `${GROUPS}/rg`, { metadata: { finalizers: ['a.b/c', 'd.e/f'] } }, MERGE)).body.message)
      .toContain('metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"d.e/f"}');
    await call('PATCH', `${GROUPS}/rg`, { metadata: { finalizers: null } }, MERGE);
    expect((await call('GET', `${GROUPS}/rg`)).code).toBe(404);
  });

  test('an object without finalizers is gone at once', async () => {
    const { body } = await call('POST', GROUPS, group('rg'));
    expect((await call('DELETE', `${GROUPS}/rg`, { preconditions: { uid: 'other' } })).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('the UID in the precondition (other) does not match the UID in record'),
    });
    expect((await call('DELETE', `${GROUPS}/rg`)).body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'rg', uid: body.metadata.uid },
    });
  });

  test('a dry run changes nothing', async () => {
    expect((await call('POST', `${GROUPS}?dryRun=All`, group('rg'))).code).toBe(201);
    expect((await call('GET', `${GROUPS}/rg`)).code).toBe(404);
    await call('POST', GROUPS, group('rg'));
    expect((await call('PATCH', `${GROUPS}/rg?dryRun=All`, { spec: { location: 'x' } }, MERGE)).body.spec.location).toBe('x');
    await call('DELETE', `${GROUPS}/rg?dryRun=All`);
    expect((await call('GET', `${GROUPS}/rg`)).body.spec.location).toBe('uksouth');
  });

  // https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/delete.go
  test('a deletion with options in its body heeds no options of the query', async () => {
    await call('POST', GROUPS, group('rg'));
    await call('DELETE', `${GROUPS}/rg`, { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] });
    expect((await call('GET', `${GROUPS}/rg`)).code).toBe(200);
    await call('DELETE', `${GROUPS}/rg?dryRun=All`, { apiVersion: 'v1', kind: 'DeleteOptions' });
    expect((await call('GET', `${GROUPS}/rg`)).code).toBe(404);
  });

  test('a collection is deleted by label', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => call('POST', CONFIG_MAPS, configMap(name, { labels: { half: String(name < 'b') } }))));
    await call('DELETE', `${CONFIG_MAPS}?labelSelector=half%3Dfalse`);
    expect((await call('GET', CONFIG_MAPS)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a']);
  });

  test('bodies that do not fit are refused with the reason', async () => {
    expect((await call('POST', GROUPS, '{')).body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await call('POST', GROUPS, { ...group('x'), apiVersion: 'v1' })).body.message).toContain(
      'does not match the expected API version',
    );
    expect((await call('POST', GROUPS, group('x', { namespace: 'other' }))).body.message).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
    expect((await call('POST', GROUPS, group('x', { labels: { a: 1 } }))).body.message).toContain(
      'cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    );
    expect((await call('POST', CONFIG_MAPS, { ...configMap('x'), data: { a: 1 } })).body.message).toContain(
      'cannot unmarshal number into Go struct field ConfigMap.data of type string',
    );
    expect((await call('POST', GROUPS, 'x', { 'Content-Type': 'text/plain' })).code).toBe(415);
    expect((await call('PATCH', `${GROUPS}`, {}, MERGE)).code).toBe(405);
    expect((await call('GET', `${GROUPS}/%zz`)).code).toBe(400);
    expect((await call('POST', GROUPS.replace('default', 'nowhere'), group('x'))).body.message).toBe('namespaces "nowhere" not found');
  });
});

describe('schemas', () => {
  const path = '/apis/storage.azure.com/v1api20230101/namespaces/default/storageaccounts';
  const account = (spec: object) => ({
    apiVersion: 'storage.azure.com/v1api20230101',
    kind: 'StorageAccount',
    metadata: { name: 'sa' },
    spec,
  });
  const good = { location: 'uksouth', owner: { name: 'rg' }, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };

  test('what is wrong is reported with its causes', async () => {
    const { body } = await call('POST', path, account({ ...good, location: undefined, kind: 'X', azureName: 'NO' }));
    expect(body).toMatchObject({
      kind: 'Status',
      code: 422,
      reason: 'Invalid',
      details: { name: 'sa', group: 'storage.azure.com', kind: 'StorageAccount' },
    });
    expect(body.message).toMatch(/^StorageAccount\.storage\.azure\.com "sa" is invalid: \[/);
    expect(body.details.causes).toEqual(
      expect.arrayContaining([
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.location' },
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: "NO": spec.azureName in body should be at least 3 chars long',
          field: 'spec.azureName',
        },
      ]),
    );
    expect(body.details.causes.map((cause: { reason: string }) => cause.reason)).toContain('FieldValueNotSupported');
  });

  test('unknown fields: pruned with a warning, refused when strict, silent when ignored', async () => {
    const odd = account({ ...good, foo: 1 });
    const strict = await call('POST', `${path}?fieldValidation=Strict`, odd);
    expect(strict.body).toMatchObject({
      code: 400,
      message:
        'StorageAccount in version "v1api20230101" cannot be handled as a StorageAccount: strict decoding error: unknown field "spec.foo"',
    });
    const warned = await call('POST', path, odd);
    expect(warned.headers.get('warning')).toContain('unknown field \\"spec.foo\\"');
    expect(warned.body.spec).toEqual(good);
    const patched = await call('PATCH', `${path}/sa?fieldValidation=Strict`, { spec: { bar: 1 } }, MERGE);
    expect(patched.body).toMatchObject({ code: 422, message: expect.stringContaining('strict decoding error: unknown field "spec.bar"') });
    expect(
      (await call('PATCH', `${path}/sa?fieldValidation=Ignore`, { spec: { bar: 1 } }, MERGE)).headers.get('warning') ?? '',
    ).not.toContain('unknown');
  });

  test('an object is shown in any version, and only its apiVersion changes', async () => {
    await call('POST', path, account(good));
    const other = await call('GET', '/apis/storage.azure.com/v20250601/namespaces/default/storageaccounts/sa');
    expect(other.body).toMatchObject({ apiVersion: 'storage.azure.com/v20250601', spec: good });
  });

  test('the object tells in which version its spec was last written', async () => {
    const writers = async () =>
      ((await call('GET', `${newest}/sa`)).body.metadata.managedFields as { apiVersion: string; fieldsV1: object }[]).map(
        ({ apiVersion, fieldsV1 }) => [apiVersion, Object.keys(fieldsV1)],
      );
    const newest = '/apis/storage.azure.com/v20250601/namespaces/default/storageaccounts';
    await call('POST', path, account(good));
    expect(await writers()).toEqual([['storage.azure.com/v1api20230101', ['f:spec']]]);
    await call('PATCH', `${newest}/sa`, { metadata: { labels: { a: 'b' } } }, MERGE);
    await call('PATCH', `${newest}/sa/status`, { status: { id: '/x' } }, MERGE);
    expect(await writers()).toEqual([['storage.azure.com/v1api20230101', ['f:spec']]]);
    await call('PATCH', `${newest}/sa`, { spec: { location: 'ukwest' } }, MERGE);
    expect(await writers()).toEqual([['storage.azure.com/v20250601', ['f:spec']]]);
  });

  test('azureName is filled in on demand only', async () => {
    const defaulting = await startKubernetes({ crds: kinds, defaultAzureName: true });
    try {
      const named = { ...account(good), metadata: { name: 'account' } };
      expect((await send(defaulting.url, 'POST', path, named)).body.spec.azureName).toBe('account');
      expect((await call('POST', path, named)).body.spec.azureName).toBeUndefined();
    } finally {
      await defaulting.close();
    }
  });
});

describe('secrets', () => {
  const path = '/api/v1/namespaces/default/secrets';

  test('stringData becomes data', async () => {
    const { body } = await call('POST', path, { metadata: { name: 's' }, stringData: { a: 'b' } });
    expect(body).toMatchObject({ data: { a: 'Yg==' }, type: 'Opaque' });
    expect(body).not.toHaveProperty('stringData');
  });

  test('a value that is not base64 is refused and not repeated', async () => {
    const { body } = await call('POST', path, { metadata: { name: 's' }, data: { a: 'top-secret!' } });
    expect(body.message).toContain('illegal base64 data');
    expect(JSON.stringify(body)).not.toContain('top-secret');
  });
});

describe('lists', () => {
  test('come in pages of one state', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call('POST', CONFIG_MAPS, configMap(name));
    const first = (await call('GET', `${CONFIG_MAPS}?limit=2`)).body;
    expect(first.metadata.remainingItemCount).toBe(3);
    await call('DELETE', `${CONFIG_MAPS}/c`);
    const second = (await call('GET', `${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`)).body;
    const third = (await call('GET', `${CONFIG_MAPS}?limit=2&continue=${second.metadata.continue}`)).body;
    const names = [first, second, third].flatMap((page) => page.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect((await call('GET', `${CONFIG_MAPS}?continue=nonsense`)).body).toMatchObject({ code: 400, reason: 'BadRequest' });
    const old = Buffer.from('{"v":"sandbox"}').toString('base64url');
    expect((await call('GET', `${CONFIG_MAPS}?continue=${old}`)).body).toMatchObject({ code: 410, reason: 'Expired' });
  });

  test('as metadata only and as a table', async () => {
    await call('POST', GROUPS, group('rg'));
    const { body } = await call('GET', '/apis/resources.azure.com/v1api20200601/resourcegroups', undefined, {
      Accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    });
    expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'rg' } }] });
    expect(body.items[0].spec).toBeUndefined();
    const condition = {
      type: 'Ready',
      status: 'False',
      severity: 'Error',
      reason: 'Bad',
      message: 'why',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await call('PATCH', `${GROUPS}/rg/status`, { status: { conditions: [condition] } }, MERGE);
    const table = (await call('GET', GROUPS, undefined, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' })).body;
    expect(table.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
      'Name',
      'Ready',
      'Severity',
      'Reason',
      'Message',
      'Age',
    ]);
    expect(table.rows[0].cells).toEqual(['rg', 'False', 'Error', 'Bad', 'why', expect.stringMatching(/^\d+s$/)]);
    expect(table.rows[0].object.kind).toBe('PartialObjectMetadata');
  });

  test('a resourceVersion of the future is refused', async () => {
    expect((await call('GET', `${CONFIG_MAPS}?resourceVersion=99999999`)).body).toMatchObject({
      code: 504,
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
  });
});

describe('watches', () => {
  test('follow from a list, with what comes and goes by selector', async () => {
    const { body: list } = await call('GET', CONFIG_MAPS);
    const events = await watchEvents(
      server.url,
      `${CONFIG_MAPS}?watch=1&labelSelector=on%3Dyes&resourceVersion=${list.metadata.resourceVersion}`,
      (seen) => seen.length === 4,
      async () => {
        await call('POST', CONFIG_MAPS, configMap('a'));
        await call('PATCH', `${CONFIG_MAPS}/a`, { metadata: { labels: { on: 'yes' } } }, MERGE);
        await call('PATCH', `${CONFIG_MAPS}/a`, { data: { x: 'y' } }, MERGE);
        await call('PATCH', `${CONFIG_MAPS}/a`, { metadata: { labels: { on: 'no' } } }, MERGE);
        await call('POST', CONFIG_MAPS, configMap('b', { labels: { on: 'yes' } }));
      },
    );
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'a'],
      ['MODIFIED', 'a'],
      ['DELETED', 'a'],
      ['ADDED', 'b'],
    ]);
  });

  test('replay what has happened since, and only that', async () => {
    const { body } = await call('POST', CONFIG_MAPS, configMap('a'));
    await call('POST', CONFIG_MAPS, configMap('b'));
    await call('DELETE', `${CONFIG_MAPS}/a`);
    const events = await watchEvents(
      server.url,
      `${CONFIG_MAPS}?watch=true&resourceVersion=${body.metadata.resourceVersion}`,
      (seen) => seen.length === 2,
    );
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'b'],
      ['DELETED', 'a'],
    ]);
    expect(Number(events[1]!.object.metadata.resourceVersion)).toBeGreaterThan(Number(events[0]!.object.metadata.resourceVersion));
  });

  test('answer 410 when the history does not reach back', async () => {
    const { body } = await call('POST', CONFIG_MAPS, configMap('a'));
    await call('POST', CONFIG_MAPS, configMap('b'));
    server.store.compact();
    const events = await watchEvents(server.url, `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`, () => false);
    expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  });

  test('the history is bounded', async () => {
    const { body } = await call('POST', CONFIG_MAPS, configMap('a'));
    for (let n = 0; n < 120; n++) server.store.put('configmaps', { ...body, data: { n: String(n) } });
    const events = await watchEvents(server.url, `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`, () => false);
    expect(events[0]).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  });

  test('send first what there is, then tell that this was it', async () => {
    await call('POST', CONFIG_MAPS, configMap('a'));
    const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const events = await watchEvents(server.url, `${CONFIG_MAPS}?${query}`, (seen) => seen.length === 2);
    expect(events).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
    ]);
  });

  test.each([
    ['PartialObjectMetadata', 'meta.k8s.io/v1'],
    ['Table', 'meta.k8s.io/v1'],
  ])('send bookmarks as %s to a client that asked for it', async (kind, apiVersion) => {
    const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const accept = `application/json;as=${kind};g=meta.k8s.io;v=v1`;
    const [bookmark] = await watchEvents(server.url, `${CONFIG_MAPS}?${query}`, (seen) => seen.length === 1, undefined, accept);
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind, apiVersion } });
    expect(bookmark!.object.metadata.resourceVersion).toBe(String(server.store.resourceVersion));
  });

  test('send bookmarks and end after their time', async () => {
    const quick = await startKubernetes({ crds: [], bookmarkInterval: 100 });
    try {
      const started = Date.now();
      const events = await watchEvents(quick.url, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=1`, () => false);
      expect(events.filter(({ type }) => type === 'BOOKMARK').length).toBeGreaterThan(3);
      expect(events.every(({ object }) => object.metadata.resourceVersion === String(quick.store.resourceVersion))).toBe(true);
      expect(Date.now() - started).toBeGreaterThan(900);
    } finally {
      await quick.close();
    }
  });

  test('end when the CRD goes', async () => {
    const events = await watchEvents(
      server.url,
      `${GROUPS}?watch=1`,
      () => false,
      () => call('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/resourcegroups.resources.azure.com'),
    );
    expect(events).toEqual([]);
    expect((await call('GET', GROUPS)).code).toBe(404);
  });
});

describe('garbage collection', () => {
  const owned = (name: string, owner: { metadata: { name: string; uid: string } }, more: object = {}) =>
    configMap(name, {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, blockOwnerDeletion: true },
      ],
      ...more,
    });
  const names = async () =>
    (await call('GET', CONFIG_MAPS)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name) as string[];

  test('what is owned goes with its owner, down to the last', async () => {
    const { body: a } = await call('POST', CONFIG_MAPS, configMap('a'));
    const { body: b } = await call('POST', CONFIG_MAPS, owned('b', a));
    await call('POST', CONFIG_MAPS, owned('c', b));
    await call('POST', CONFIG_MAPS, configMap('other'));
    await call('DELETE', `${CONFIG_MAPS}/a`);
    expect(await eventually(names, (left) => left.length === 1)).toEqual(['other']);
  });

  test('what has another owner stays, without the one that is gone', async () => {
    const { body: a } = await call('POST', CONFIG_MAPS, configMap('a'));
    const { body: b } = await call('POST', CONFIG_MAPS, configMap('b'));
    const both = [a, b].map(({ metadata: { name, uid } }) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid }));
    await call('POST', CONFIG_MAPS, configMap('c', { ownerReferences: both }));
    await call('DELETE', `${CONFIG_MAPS}/a`);
    const c = await eventually(
      async () => (await call('GET', `${CONFIG_MAPS}/c`)).body,
      (object) => object.metadata.ownerReferences.length === 1,
    );
    expect(c.metadata.ownerReferences).toMatchObject([{ name: 'b' }]);
  });

  test('an owner of another uid is no owner', async () => {
    const { body: a } = await call('POST', CONFIG_MAPS, configMap('a'));
    await call('POST', CONFIG_MAPS, owned('b', { metadata: { name: 'a', uid: `${a.metadata.uid}x` } }));
    expect(await eventually(names, (left) => left.length === 1)).toEqual(['a']);
  });

  test('foreground: the owner waits for what blocks it', async () => {
    const { body: a } = await call('POST', CONFIG_MAPS, configMap('a'));
    await call('POST', CONFIG_MAPS, owned('b', a, { finalizers: ['x.y/z'] }));
    await call('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Foreground' });
    const b = await eventually(
      async () => (await call('GET', `${CONFIG_MAPS}/b`)).body,
      (object) => object.metadata.deletionTimestamp !== undefined,
    );
    expect(b.metadata.deletionTimestamp).toBeDefined();
    expect((await call('GET', `${CONFIG_MAPS}/a`)).body.metadata.finalizers).toEqual(['foregroundDeletion']);
    await call('PATCH', `${CONFIG_MAPS}/b`, { metadata: { finalizers: [] } }, MERGE);
    await eventually(async () => call('PATCH', `${CONFIG_MAPS}/b`, { metadata: { finalizers: [] } }, MERGE), ({ code }) => code === 404);
    expect(await eventually(names, (left) => left.length === 0)).toEqual([]);
  });

  test('orphan: what was owned stays', async () => {
    const { body: a } = await call('POST', CONFIG_MAPS, configMap('a'));
    await call('POST', CONFIG_MAPS, owned('b', a));
    await call('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Orphan' });
    expect(await eventually(names, (left) => left.length === 1)).toEqual(['b']);
    expect((await call('GET', `${CONFIG_MAPS}/b`)).body.metadata.ownerReferences).toBeUndefined();
  });

  test('a namespace takes its content along, and waits for it', async () => {
    await call('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    const inTeam = GROUPS.replace('default', 'team');
    await call('POST', inTeam, group('rg', { finalizers: ['a.b/c'] }));
    await call('POST', CONFIG_MAPS.replace('default', 'team'), configMap('cm'));
    await call('DELETE', '/api/v1/namespaces/team');
    expect((await call('POST', inTeam, group('late'))).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: expect.stringContaining('because it is being terminated'),
    });
    expect(
      (
        await eventually(
          () => call('GET', `${CONFIG_MAPS.replace('default', 'team')}/cm`),
          ({ code }) => code === 404,
        )
      ).code,
    ).toBe(404);
    expect((await call('GET', '/api/v1/namespaces/team')).body.status.phase).toBe('Terminating');
    await call('PATCH', `${inTeam}/rg`, { metadata: { finalizers: null } }, MERGE);
    expect((await eventually(() => call('GET', '/api/v1/namespaces/team'), ({ code }) => code === 404)).code).toBe(404);
    expect((await call('DELETE', '/api/v1/namespaces/default')).code).toBe(403);
  });
});

describe('CRDs', () => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const widgets = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } },
        },
      ],
    },
  };

  test('define what is served, until they are deleted', async () => {
    expect((await call('POST', path, widgets)).body.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    );
    expect(
      (await call('POST', '/apis/example.com/v1/widgets', { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })).body
        .size,
    ).toBe(3);
    expect((await call('GET', '/apis/example.com/v1')).body.resources).toMatchObject([
      { name: 'widgets', kind: 'Widget', namespaced: false },
    ]);
    await call('DELETE', `${path}/widgets.example.com`);
    expect((await eventually(() => call('GET', '/apis/example.com/v1/widgets'), ({ code }) => code === 404)).code).toBe(404);
    expect(server.store.list('widgets.example.com')).toEqual([]);
  });

  test('have to be complete', async () => {
    expect((await call('POST', path, { ...widgets, metadata: { name: 'other' } })).body.message).toContain(
      'must be spec.names.plural+"."+spec.group',
    );
    expect((await call('POST', path, { ...widgets, spec: {} })).body.details.causes.length).toBeGreaterThan(3);
  });

  test('of the catalog are whole when they are read', async () => {
    const { body } = await call('GET', `${path}/resourcegroups.resources.azure.com`);
    expect(body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.location).toEqual({ type: 'string' });
    expect(body.status.storedVersions).toHaveLength(1);
  });
});

test('faults on demand: a status, and a connection that is cut', async () => {
  const faulty = await startKubernetes({
    crds: [],
    intercept: ({ path, method }) =>
      path.includes('secrets')
        ? 'reset'
        : method === 'POST'
          ? { code: 429, reason: 'TooManyRequests', message: 'later', retryAfterSeconds: 7 }
          : undefined,
  });
  try {
    const busy = await send(faulty.url, 'POST', CONFIG_MAPS, configMap('a'));
    expect(busy.body).toMatchObject({ code: 429, reason: 'TooManyRequests', message: 'later' });
    expect(busy.headers.get('retry-after')).toBe('7');
    await expect(send(faulty.url, 'GET', '/api/v1/secrets')).rejects.toThrow();
    expect((await send(faulty.url, 'GET', CONFIG_MAPS)).code).toBe(200);
  } finally {
    await faulty.close();
  }
});

test('discovery tells the same in both forms', async () => {
  const { body } = await call('GET', '/apis', undefined, {
    Accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
  });
  expect(body.kind).toBe('APIGroupDiscoveryList');
  const aggregated = body.items.flatMap((item: any) =>
    item.versions.flatMap((version: any) =>
      version.resources.map((resource: any) => `${item.metadata.name}/${version.version}/${resource.resource}`),
    ),
  ); // eslint-disable-line @typescript-eslint/no-explicit-any
  const { body: plain } = await call('GET', '/apis');
  const listed: string[] = [];
  for (const { versions } of plain.groups as { versions: { groupVersion: string }[] }[]) {
    for (const { groupVersion } of versions) {
      const resources = (await call('GET', `/apis/${groupVersion}`)).body.resources as { name: string }[];
      listed.push(...resources.filter(({ name }) => !name.includes('/')).map(({ name }) => `${groupVersion}/${name}`));
    }
  }
  expect(new Set(listed)).toEqual(new Set(aggregated));
  expect(listed).toContain('storage.azure.com/v1api20230101/storageaccounts');
  const { body: root } = await call('GET', '/');
  expect(root.paths).toEqual([...root.paths].sort());
  expect(root.paths).toEqual(expect.arrayContaining(['/api/v1', '/apis/storage.azure.com', '/apis/storage.azure.com/v1api20230101', '/version']));
  for (const path of root.paths as string[]) expect([path, (await call('GET', path)).code]).toEqual([path, 200]);
  const { body: index } = await call('GET', '/openapi/v3');
  expect(Object.keys(index.paths)).toContain('apis/storage.azure.com/v1api20230101');
  expect((await call('GET', index.paths['api/v1'].serverRelativeURL)).code).toBe(200);
});
