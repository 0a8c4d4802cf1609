import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idsOf, type Sources } from '../../../cli/import/sources';
import type { ArmClient, ArmRequest } from '../../../engine/arm/types';
import { ACCOUNT, AzureStub, GROUP, refusal } from '../../engine/import/azure-stub';

const NONE: Sources = { query: [], terraformState: [], deployment: [] };
const SUBSCRIPTION = '00000000-0000-0000-0000-000000000001';
const found = (given: readonly string[], sources: Partial<Sources> = {}, azure = new AzureStub({})) =>
  idsOf(given, { ...NONE, ...sources }, { client: azure as unknown as ArmClient, subscription: SUBSCRIPTION });
const ids = async (...args: Parameters<typeof found>) => {
  const { ids: all, failed } = await found(...args);
  expect(failed).toEqual([]);
  return all;
};
/** A list whose every page has the same element and says that there is another one. */
const endless = (list: string, item: object) => {
  let page = 0;
  return { [list]: () => ({ status: 200, body: { value: [item], nextLink: `${list}?page=${(page += 1)}` } }) };
};

function file(value: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'import-sources-')), 'terraform.tfstate');
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

test.each([
  [`${ACCOUNT}/`, ACCOUNT],
  [` ${ACCOUNT} `, ACCOUNT],
  [`https://portal.azure.com/#@contoso.com/resource${ACCOUNT}/overview`, ACCOUNT],
])('an id as people copy it: %s', async (text, id) => {
  expect(await ids([text])).toEqual([id]);
});

test.each(['shop', '/subscriptions', 'https://portal.azure.com', `${ACCOUNT}/../x`, `${GROUP}?x`])('%s is refused', async (text) => {
  await expect(ids([text])).rejects.toThrow(/is no ARM id|has the segment/);
});

describe('--terraform-state', () => {
  const managed = (type: string, id: unknown) => ({ mode: 'managed', type, name: 'x', instances: [{ attributes: { id } }] });

  test('the ids of azurerm and azapi, each once; nothing of data sources, other providers, or the data plane', async () => {
    const state = file({
      version: 4,
      terraform_version: '1.9.0',
      resources: [
        managed('azurerm_storage_account', ACCOUNT), managed('azapi_resource', `${GROUP}/providers/Microsoft.Search/searchServices/s`),
        managed('azurerm_storage_account', ACCOUNT), managed('azurerm_storage_blob', 'https://data.blob.core.windows.net/c/b'),
        managed('random_id', '/subscriptions/x'), { ...managed('azurerm_resource_group', GROUP), mode: 'data' }, managed('azurerm_x', null), null, { instances: 5 },
      ],
    });
    expect(await ids([], { terraformState: [state] })).toEqual([ACCOUNT, `${GROUP}/providers/Microsoft.Search/searchServices/s`]);
  });

  test('what `terraform show -json` prints, modules in modules included', async () => {
    const resource = (id: string) => ({ mode: 'managed', type: 'azurerm_x', values: { id } });
    const shown = file({
      format_version: '1.0',
      values: { root_module: { resources: [resource(GROUP)], child_modules: [{ child_modules: [{ resources: [resource(ACCOUNT)] }] }] } },
    });
    expect(await ids([], { terraformState: [shown] })).toEqual([GROUP, ACCOUNT]);
  });

  test.each([
    [{ version: 3 }, /a state of version 3; version 4 can be read/],
    [{ version: 99 }, /a state of version 99/],
    ['{"version":', /no JSON object/],
    [[], /no JSON object/],
  ])('%j is refused', async (state, message) => {
    await expect(ids([], { terraformState: [file(state)] })).rejects.toThrow(message);
  });
});

describe('--deployment', () => {
  const deployment = (name: string) => `${GROUP}/providers/Microsoft.Resources/deployments/${name}`;

  test('what it made, nested deployments included', async () => {
    const azure = new AzureStub({
      [deployment('main')]: { properties: { outputResources: [{ id: GROUP }, { id: deployment('inner') }] } },
      [deployment('inner')]: { properties: { outputResources: [{ id: ACCOUNT }, { id: deployment('main') }] } },
    });
    expect(await ids([], { deployment: [deployment('main')] }, azure)).toEqual([GROUP, ACCOUNT]);
  });

  test('an id of something else is refused', async () => {
    await expect(ids([], { deployment: [ACCOUNT] })).rejects.toThrow(/no id of a deployment/);
  });

  test.each([
    ['is not there', {}, /no such deployment/],
    ['may not be read', { [deployment('none')]: refusal(403, 'AuthorizationFailed') }, /AuthorizationFailed/],
  ])('one that %s costs what it made, and nothing else', async (_, others, why) => {
    const azure = new AzureStub({ [deployment('main')]: { properties: { outputResources: [{ id: deployment('none') }, { id: ACCOUNT }] } } }, others);
    expect(await found([GROUP], { deployment: [deployment('none'), deployment('main')] }, azure)).toEqual({
      ids: [GROUP, ACCOUNT],
      failed: [{ id: deployment('none'), why: expect.stringMatching(why) }, { id: deployment('none'), why: expect.stringMatching(why) }],
    });
  });

  test('operations without end are a failure; what they have made is found', async () => {
    const made = { properties: { provisioningState: 'Succeeded', provisioningOperation: 'Create', targetResource: { id: ACCOUNT } } };
    const azure = new AzureStub({ [deployment('main')]: { properties: {} } }, endless(`${deployment('main')}/operations`, made));
    expect(await found([], { deployment: [deployment('main')] }, azure)).toEqual({
      ids: [ACCOUNT], failed: [{ id: deployment('main'), why: expect.stringContaining('no end after') }],
    });
  });
});

describe('--query', () => {
  const list = [
    { id: ACCOUNT, name: 'data', type: 'Microsoft.Storage/storageAccounts', location: 'uksouth', tags: { Team: 'shop' } },
    { id: `${GROUP}/providers/Microsoft.KeyVault/vaults/data`, name: 'data', type: 'Microsoft.KeyVault/vaults', location: 'ukwest' },
  ];
  const azure = () => new AzureStub({}, { [`/subscriptions/${SUBSCRIPTION}/resources`]: () => ({ status: 200, body: { value: list } }) });

  test.each([
    ['name=data', [0, 1]], ['type=microsoft.storage/*', [0]], ['tag.team=SHOP', [0]], ['name=d*a location=ukwest', [1]],
    ['name=*', [0, 1]], ['name=da', []], ['name=data*data', []], ['type=*vaults', [1]],
  ])('%s', async (query, expected) => {
    expect(await ids([], { query: [query] }, azure())).toEqual(expected.map((index) => list[index]!.id));
  });

  describe('with Azure Resource Graph', () => {
    const graph = (answer: (request: ArmRequest) => { status: number; body: unknown }) =>
      new AzureStub({}, {
        '/providers/Microsoft.ResourceGraph/resources': answer,
        [`/subscriptions/${SUBSCRIPTION}/resources`]: () => ({ status: 200, body: { value: list } }),
      });

    test('pages, and rows that do not fit', async () => {
      const stub = graph(({ body }) => {
        const { options: { $skipToken } } = body as { options: { $skipToken?: string } };
        return { status: 200, body: $skipToken === undefined ? { data: [list[0]], $skipToken: 'more' } : { data: [list[1]] } };
      });
      expect(await ids([], { query: ["type=microsoft.*/v'aults* tag.team=shop", 'name=data'] }, stub)).toEqual(list.map(({ id }) => id));
      const queries = stub.requests.map(({ body }) => (body as { query: string }).query);
      expect(queries[0]).toBe("resources | where type startswith 'microsoft.' and type contains '/v\\'aults' | where tostring(tags) contains 'team' | project id, name, type, location, tags | order by id asc");
      expect(stub.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
    });

    test.each([
      ['no rights', refusal(403, 'AuthorizationFailed')],
      ['not there', refusal(404, 'NotFound')],
      ['busy', refusal(429, 'RateLimiting')],
      ['not registered', refusal(409, 'MissingSubscriptionRegistration')],
      ['no answer', () => ({ status: 0, body: undefined })],
      ['pages without end', () => ({ status: 200, body: { data: [], $skipToken: 'again' } })],
      ['cut off', () => ({ status: 200, body: { data: [list[0]], resultTruncated: 'true' } })],
    ])('%s: the subscription is listed', async (_, answer) => {
      expect(await ids([], { query: ['name=data'] }, graph(answer))).toEqual(list.map(({ id }) => id));
    });
  });

  test('a list of the subscription that cannot be read, or never ends, is a failure; the rest is found', async () => {
    const url = `/subscriptions/${SUBSCRIPTION}/resources`;
    const refused = new AzureStub({}, { [url]: refusal(403, 'AuthorizationFailed') });
    expect(await found([GROUP], { query: ['name=data'] }, refused)).toEqual({ ids: [GROUP], failed: [{ id: url, why: expect.stringContaining('AuthorizationFailed') }] });
    const { ids: all, failed } = await found([], { query: ['name=data'] }, new AzureStub({}, endless(url, { id: ACCOUNT, name: 'data' })));
    expect([new Set(all), failed]).toEqual([new Set([ACCOUNT]), [{ id: url, why: expect.stringContaining('no end after') }]]);
  });

  test.each([['', /is empty/], ['colour=red', /none of type=/], ['name=', /none of type=/]])('%j is refused', async (query, message) => {
    await expect(ids([], { query: [query] }, azure())).rejects.toThrow(message);
  });
});
