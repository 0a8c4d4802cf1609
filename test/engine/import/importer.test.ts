import { ACCOUNT, AzureStub, GROUP, refusal } from './azure-stub';
import { ImportableKinds } from '../../../engine/import/importable-kinds';
import { Importer, type ImportOptions } from '../../../engine/import/importer';
import { Catalog } from '../../../src/catalog';

const KINDS = new ImportableKinds(Catalog.default());
const account = { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {} };
const shop = {
  [GROUP]: { location: 'uksouth' },
  [ACCOUNT]: account,
  [`${ACCOUNT}/blobServices/default`]: { properties: {} },
  [`${ACCOUNT}/blobServices/default/containers/orders`]: { properties: { publicAccess: 'None' } },
};

async function imported(stub: AzureStub, ids: readonly string[] = [GROUP], options: Partial<ImportOptions> = {}) {
  const result = await new Importer(stub, KINDS, { concurrency: 4, children: true, ...options }).run(ids);
  return {
    ids: result.resources.map(({ id }) => id).sort(),
    failed: result.others.filter(({ what }) => what === 'failed').map(({ id, why }) => `${id}: ${why}`),
    absent: result.others.filter(({ what }) => what === 'absent').map(({ id }) => id),
    leftOut: result.others.filter(({ what }) => what === 'left-out').map(({ id, why }) => `${id}: ${why}`),
    resources: result.resources,
  };
}

test('a group brings what is in it, and what is in that; nothing but GET is sent', async () => {
  const azure = new AzureStub(shop);
  const { ids, failed, resources } = await imported(azure);
  expect([ids, failed]).toEqual([Object.keys(shop).sort(), []]);
  expect(new Set(azure.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  const owners = Object.fromEntries(resources.map(({ id, owner }) => [id, owner]));
  expect(owners[`${ACCOUNT}/blobServices/default/containers/orders`]).toBe(`${ACCOUNT}/blobServices/default`);
  expect(owners[ACCOUNT]).toBe(GROUP);
});

test('a subscription brings all its groups but those that a service manages', async () => {
  const managed = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/MC_shop';
  const azure = new AzureStub({ ...shop, [managed]: { location: 'uksouth', managedBy: `${GROUP}/providers/Microsoft.ContainerService/managedClusters/k` } });
  const { ids, leftOut } = await imported(azure, ['/subscriptions/00000000-0000-0000-0000-000000000001']);
  expect(ids).toEqual(Object.keys(shop).sort());
  expect(leftOut).toContainEqual(expect.stringContaining(`${managed}: the group is managed by`));
});

test('a singleton with nothing set is left out, unless something is in it', async () => {
  const policy = `${ACCOUNT}/managementPolicies/default`;
  const [files, rules] = [`${ACCOUNT}/fileServices/default`, { policy: { rules: [{ name: 'old', type: 'Lifecycle', enabled: true, definition: { actions: {} } }] } }];
  const without = await imported(new AzureStub({ ...shop, [policy]: { properties: {} }, [files]: { properties: {} } }));
  expect(without.ids).toEqual(Object.keys(shop).sort());
  expect(without.leftOut).toEqual(expect.arrayContaining([policy, files].map((id) => `${id}: Azure makes it, and nothing of it is set`)));
  expect((await imported(new AzureStub({ ...shop, [policy]: { properties: rules } }))).ids).toContain(policy);
  expect((await imported(new AzureStub({ ...shop, [policy]: { properties: {} } }), [policy])).ids).toEqual([policy]);
});

describe('a child that its parent shows as well', () => {
  const cluster = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/k`;
  const pool = (name: string) => ({ name, mode: 'System', count: 1 });
  const azure = {
    [cluster]: { location: 'uksouth', properties: { dnsPrefix: 'k', agentPoolProfiles: [pool('one'), pool('two'), pool('three')] } },
    [`${cluster}/agentPools/one`]: { properties: { mode: 'System', count: 1 } },
    [`${cluster}/agentPools/two`]: { properties: { mode: 'User', count: 1 } },
  };
  const poolsOf = (resources: readonly { readonly id: string; readonly spec: Readonly<Record<string, unknown>> }[]) => (
    (resources.find(({ id }) => id === cluster)!.spec.agentPoolProfiles as { name: string }[] | undefined)?.map(({ name }) => name)
  );

  test('is written once: as an object, and in the parent where there is none', async () => {
    const { ids, resources } = await imported(new AzureStub(azure), [cluster]);
    expect(ids).toEqual(Object.keys(azure).sort());
    expect(poolsOf(resources)).toEqual(['three']);
  });

  test('stays in the parent where children are not imported', async () => {
    const { resources } = await imported(new AzureStub(azure), [cluster], { children: false });
    expect(poolsOf(resources)).toEqual(['one', 'two', 'three']);
  });
});

test('a resource that was asked for and is not there is absent; the rest is done', async () => {
  const none = `${GROUP}/providers/Microsoft.KeyVault/vaults/none`;
  const { ids, absent, leftOut } = await imported(new AzureStub({ [ACCOUNT]: account }), [`${GROUP}x`, none, ACCOUNT], { children: false });
  expect({ ids, absent, leftOut }).toEqual({ ids: [ACCOUNT], absent: [`${GROUP}x`, none], leftOut: [] });
});

test.each([[404, 'SubscriptionNotFound'], [400, 'BadRequest']])('a subscription that answers %i %s is a failure', async (status, code) => {
  const subscription = '/subscriptions/00000000-0000-0000-0000-000000000001';
  const { failed } = await imported(new AzureStub(shop, { [`${subscription}/resourcegroups`]: refusal(status, code) }), [subscription]);
  expect(failed).toEqual([expect.stringContaining(`${subscription}/resourcegroups: `)]);
});

test('--no-children brings the resource alone', async () => {
  expect((await imported(new AzureStub(shop), [ACCOUNT], { children: false })).ids).toEqual([ACCOUNT]);
});

test('one resource under two spellings is one', async () => {
  const { ids } = await imported(new AzureStub(shop), [ACCOUNT, ACCOUNT.toUpperCase().replace('/SUBSCRIPTIONS', '/subscriptions')], { children: false });
  expect(ids).toEqual([ACCOUNT]);
});

test('a list that fails costs what is in it, and nothing else', async () => {
  const azure = new AzureStub(shop, { [`${ACCOUNT}/blobServices/default/containers`]: refusal(403, 'AuthorizationFailed', 'you may not list') });
  const { ids, failed } = await imported(azure);
  expect(ids).toEqual([GROUP, ACCOUNT, `${ACCOUNT}/blobServices/default`].sort());
  expect(failed).toEqual([expect.stringMatching(/blobServices\/default\/containers: .*you may not list/)]);
});

test.each([
  ['no rights', refusal(403, 'AuthorizationFailed', 'you may not read')],
  ['no answer', () => ({ status: 0, body: undefined })],
  ['a page of a proxy', () => ({ status: 200, body: '<html>' })],
])('a resource of which Azure says nothing (%s) is a failure of that resource alone', async (_, answer) => {
  const { ids, failed } = await imported(new AzureStub(shop, { [`${ACCOUNT}/blobServices/default/containers/orders`]: answer }));
  expect([ids.length, failed.length]).toEqual([3, 1]);
});

test.each([
  ['always another page', (page: number) => `/page/${page}`],
  ['the same page again', () => '/page/1'],
])('a list without end (%s) is a failure; what it had is imported', async (_, link) => {
  let page = 0;
  const list = `${ACCOUNT}/blobServices/default/containers`;
  const azure = new AzureStub(shop, {
    [list]: () => ({ status: 200, body: { value: [{ id: `${list}/orders` }], nextLink: `${list}?skip=${link((page += 1))}` } }),
  });
  const { ids, failed } = await imported(azure);
  expect(ids).toContain(`${list}/orders`);
  expect(failed).toEqual([expect.stringMatching(/no end after/)]);
});

test('a next page at another path is not asked for', async () => {
  const list = `${ACCOUNT}/blobServices/default/containers`;
  const azure = new AzureStub(shop, { [list]: () => ({ status: 200, body: { value: [], nextLink: '/subscriptions/other/secrets' } }) });
  const { failed } = await imported(azure);
  expect(failed).toHaveLength(1);
  expect(azure.requests.some(({ url }) => url.includes('other'))).toBe(false);
});

test('types without a kind, singletons that a tier lacks, and what Azure makes by itself are left out with the reason', async () => {
  const server = `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db`;
  const azure = new AzureStub({
    ...shop,
    [`${GROUP}/providers/Microsoft.Made/up/x`]: {},
    [server]: { location: 'uksouth', properties: {} },
    [`${server}/databases/postgres`]: { properties: {} },
    [`${server}/databases/orders`]: { properties: {} },
    [`${server}/configurations/work_mem`]: { properties: { source: 'system-default', value: '4096' } },
    [`${server}/configurations/log_statement`]: { properties: { source: 'user-override', value: 'all', defaultValue: 'none' } },
  });
  const { ids, leftOut } = await imported(azure);
  expect(ids.filter((id) => id.startsWith(server))).toEqual([server, `${server}/configurations/log_statement`, `${server}/databases/orders`]);
  expect(leftOut).toEqual(expect.arrayContaining([
    expect.stringMatching(/Microsoft\.Made\/up\/x: there is no kind for/),
    expect.stringMatching(/postgres: every PostgreSQL server/),
    expect.stringMatching(/work_mem: it has the default/),
  ]));
});

test('role assignments belong to their scope; one list of the group has those below it, too', async () => {
  const assignment = (scope: string, name: string) => `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const [own, inherited] = [assignment(ACCOUNT, '11111111-1111-1111-1111-111111111111'), assignment('/subscriptions/00000000-0000-0000-0000-000000000001', '22222222-2222-2222-2222-222222222222')];
  const of = (scope: string) => ({ properties: { scope, principalId: '33333333-3333-3333-3333-333333333333', roleDefinitionId: '/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7' } });
  const azure = new AzureStub({ ...shop, [own]: of(ACCOUNT) }, {
    [`${GROUP}/providers/Microsoft.Authorization/roleAssignments`]: () => ({ status: 200, body: { value: [{ id: own }, { id: inherited }] } }),
    [inherited]: () => ({ status: 200, body: { id: inherited, ...of('/subscriptions/00000000-0000-0000-0000-000000000001') } }),
  });
  const { resources, ids, leftOut } = await imported(azure);
  expect(resources.find(({ id }) => id === own)!.owner).toBe(ACCOUNT);
  expect(ids).not.toContain(inherited);
  expect(leftOut).toContainEqual(expect.stringContaining('inherited'));
  expect(azure.requests.filter(({ url }) => /\/roleAssignments$/i.test(url))).toHaveLength(1);
});

test('Ctrl-C: no request is sent after it', async () => {
  const stop = new AbortController();
  const azure = new AzureStub(shop);
  await imported(azure, [GROUP], { signal: stop.signal, onProgress: () => stop.abort() });
  expect(azure.requests.every(({ url }) => !url.includes('storageAccounts'))).toBe(true);
});

test('a workbook is read with its content', async () => {
  const workbook = `${GROUP}/providers/Microsoft.Insights/workbooks/c0de8e62-4b3a-4a1b-9b1a-1234567890ab`;
  const azure = new AzureStub({ [workbook]: { location: 'uksouth', kind: 'shared', properties: { displayName: 'Sales', category: 'workbook', serializedData: '{}' } } });
  const { resources } = await imported(azure, [workbook], { children: false });
  expect(resources[0]!.spec.serializedData).toBe('{}');
  expect(azure.requests.map(({ url }) => url)).toEqual([`${workbook}?canFetchContent=true`]);
});

test('a resource that is named belongs to what it is in; one that is inherited belongs elsewhere', async () => {
  const { resources } = await imported(new AzureStub(shop), [GROUP, ACCOUNT], { children: false });
  expect(Object.fromEntries(resources.map(({ id, owner }) => [id, owner]))).toEqual({ [GROUP]: undefined, [ACCOUNT]: GROUP });
});

test('custom roles of a group are imported in one list of the group; a role that others may assign is left out once', async () => {
  const ROLES = 'providers/Microsoft.Authorization/roleDefinitions';
  const subscription = '/subscriptions/00000000-0000-0000-0000-000000000001';
  // Azure spells the id of every role with the subscription alone.
  const role = (name: string, scopes: readonly string[]) => ({
    id: `${subscription}/${ROLES}/${name}`, properties: { roleName: name, type: 'CustomRole', assignableScopes: scopes, permissions: [{ actions: ['*/read'] }] },
  });
  const [own, shared] = [role('11111111-1111-1111-1111-111111111111', [GROUP.toUpperCase()]), role('22222222-2222-2222-2222-222222222222', [GROUP, subscription])];
  const azure = new AzureStub(shop, {
    [`${GROUP}/${ROLES}`]: () => ({ status: 200, body: { value: [own, shared] } }),
    [`${GROUP}/${ROLES}/11111111-1111-1111-1111-111111111111`]: () => ({ status: 200, body: own }),
  });
  const { resources, leftOut } = await imported(azure);
  const found = resources.find(({ version }) => version.kind.kind === 'RoleDefinition')!;
  expect([found.id, found.owner]).toEqual([`${GROUP}/${ROLES}/11111111-1111-1111-1111-111111111111`, GROUP]);
  expect(leftOut.filter((line) => line.includes('22222222'))).toEqual([expect.stringContaining(`it may be assigned in ${subscription}`)]);
  const lists = azure.requests.filter(({ url }) => /\/roleDefinitions(\?|$)/i.test(url)).map(({ url }) => url);
  expect(lists).toEqual([`${GROUP}/${ROLES}?$filter=type%20eq%20'CustomRole'`]);
});

test('lists are sent for the extensions that a resource may have', async () => {
  const cluster = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/k`;
  const batch = `${GROUP}/providers/Microsoft.Batch/batchAccounts/jobs`;
  const azure = new AzureStub({ ...shop, [cluster]: { location: 'uksouth', properties: {} }, [batch]: { location: 'uksouth', properties: {} } });
  await imported(azure);
  const scopesOf = (type: string) => azure.requests.map(({ url }) => url).filter((url) => url.endsWith(`/providers/${type}`)).map((url) => url.slice(0, -`/providers/${type}`.length));
  expect(scopesOf('Microsoft.KubernetesConfiguration/extensions')).toEqual([cluster]);
  expect(scopesOf('Microsoft.KubernetesConfiguration/fluxConfigurations')).toEqual([cluster]);
  expect(scopesOf('Microsoft.Quota/quotas')).toEqual([batch]);
  expect(scopesOf('Microsoft.Insights/diagnosticSettings')).toEqual(expect.arrayContaining([GROUP, ACCOUNT, cluster, batch]));
});

test('a group without role assignments of its own has one list of them, and what it inherits is left out once', async () => {
  const inherited = '/subscriptions/00000000-0000-0000-0000-000000000001/providers/Microsoft.Authorization/roleAssignments/22222222-2222-2222-2222-222222222222';
  const list = () => ({ status: 200, body: { value: [{ id: inherited }] } });
  const at = (scope: string) => `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  const azure = new AzureStub(shop, { [at(GROUP)]: list, [at(ACCOUNT)]: list });
  const { leftOut } = await imported(azure);
  expect(azure.requests.filter(({ url }) => /\/roleAssignments$/i.test(url)).map(({ url }) => url)).toEqual([at(GROUP)]);
  expect(leftOut.filter((line) => line.includes('inherited'))).toHaveLength(1);
});

test('resources have lists of role assignments of their own where the list of the group is refused', async () => {
  const at = (scope: string) => `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  const inherited = '/subscriptions/00000000-0000-0000-0000-000000000001/providers/Microsoft.Authorization/roleAssignments/22222222-2222-2222-2222-222222222222';
  const list = () => ({ status: 200, body: { value: [{ id: inherited }] } });
  const azure = new AzureStub({ ...shop }, { [at(GROUP)]: refusal(403, 'AuthorizationFailed'), [at(ACCOUNT)]: list, [at(`${ACCOUNT}/blobServices/default`)]: list });
  const { leftOut } = await imported(azure);
  expect(azure.requests.some(({ url }) => url === at(ACCOUNT))).toBe(true);
  expect(leftOut.filter((line) => line.includes('inherited'))).toHaveLength(1);
});
