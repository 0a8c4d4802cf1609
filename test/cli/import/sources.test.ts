import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idsOf, type Sources } from '../../../cli/import/sources';
import type { ArmClient, ArmRequest } from '../../../engine/arm/types';
import { ACCOUNT, AzureStub, GROUP, refusal } from '../../engine/import/azure-stub';

const NONE: Sources = { query: [], terraformState: [], deployment: [] };
const SUBSCRIPTION = '00000000-0000-0000-0000-000000000001';
const ids = (given: readonly string[], sources: Partial<Sources> = {}, azure = new AzureStub({})) =>
  idsOf(given, { ...NONE, ...sources }, { client: azure as unknown as ArmClient, subscription: SUBSCRIPTION });

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

  test.each([
    [ACCOUNT, {}, /no id of a deployment/],
    [deployment('none'), {}, /there is no deployment/],
    [deployment('none'), { [deployment('none')]: refusal(403, 'AuthorizationFailed') }, /cannot be read/],
  ])('%s is refused', async (id, others, message) => {
    await expect(ids([], { deployment: [id] }, new AzureStub({}, others))).rejects.toThrow(message);
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
  ])('%s', async (query, found) => {
    expect(await ids([], { query: [query] }, azure())).toEqual(found.map((index) => list[index]!.id));
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

  test.each([['', /is empty/], ['colour=red', /none of type=/], ['name=', /none of type=/]])('%j is refused', async (query, message) => {
    await expect(ids([], { query: [query] }, azure())).rejects.toThrow(message);
  });
});
