import { runCommandLine } from '../../../cli/command-line';
import { runOrphans, type OrphansOptions } from '../../../cli/orphans/run';
import type { ArmClient } from '../../../engine/arm/types';
import { ACCOUNT, AzureStub, GROUP, refusal } from '../../engine/import/azure-stub';
import { captured, filesIn } from '../capture';

const OPTIONS: OrphansOptions = { scope: [], cluster: false, output: 'text', exitCode: false };
const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/keys`;
const shop = { [GROUP]: { location: 'uksouth' }, [ACCOUNT]: { location: 'uksouth', properties: {} }, [VAULT]: { location: 'uksouth', properties: {} } };

const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: shop }\nspec: { location: uksouth }\n';
const account = (name: string) =>
  `apiVersion: storage.azure.com/v1api20230101\nkind: StorageAccount\nmetadata: { name: ${name} }\nspec: { owner: { name: shop }, location: uksouth, kind: StorageV2, sku: { name: Standard_LRS } }\n`;
const files = (...documents: string[]) => filesIn({ 'a.yaml': [group, ...documents].join('---\n') });

async function run(azure: AzureStub, given: string, options: Partial<OrphansOptions> = {}) {
  const terminal = captured();
  const client = { subscriptionId: '', endpoint: 'https://management.azure.com', send: azure.send.bind(azure) } as unknown as ArmClient;
  const environment = { AZURE_SUBSCRIPTION_ID: GROUP.split('/')[2] };
  const access = () => ({ client, signIn: async () => undefined });
  const status = await runOrphans([given], { ...OPTIONS, ...options }, terminal, environment, access);
  const out = terminal.out.join('\n').replaceAll(given, 'DIR');
  return { status, out, err: terminal.err, methods: new Set(azure.requests.map(({ method }) => method)) };
}

test('a vault that no object stands for, an account that is gone', async () => {
  const { status, out, err, methods } = await run(new AzureStub(shop), files(account('data'), account('old')));
  expect({ status, err, methods: [...methods] }).toEqual({ status: 0, err: [], methods: ['GET'] });
  expect(out).toBe([
    'In Azure, without an object: 1',
    `  Vault  ${VAULT}`,
    'Objects without a resource: 1',
    `  StorageAccount old  ${GROUP}/providers/Microsoft.Storage/storageAccounts/old  (DIR/a.yaml)`,
    '1 resource without an object, 1 object without a resource, in 1 scope.',
  ].join('\n'));
});

test('an account whose name is a variable of any form is not read', async () => {
  const azure = new AzureStub(shop);
  const { out } = await run(azure, files(account('"<ACCOUNT_NAME>"'), account('${NAME}')), { output: 'json' });
  expect(azure.requests.map(({ url }) => url).filter((url) => /NAME/.test(decodeURIComponent(url)))).toEqual([]);
  expect(JSON.parse(out).objects).toEqual([]);
});

test('JSON says the same', async () => {
  const { out } = await run(new AzureStub(shop), files(account('data')), { output: 'json' });
  expect(JSON.parse(out)).toEqual({ scopes: [GROUP], resources: [{ armId: VAULT, kind: 'Vault' }], objects: [], unread: [] });
});

test('--scope: what is outside does not count', async () => {
  const { out } = await run(new AzureStub(shop), files(account('data'), account('old')), { output: 'json', scope: [`${VAULT}/`] });
  expect(JSON.parse(out)).toMatchObject({ scopes: [VAULT], resources: [{ armId: VAULT }], objects: [] });
});

test('--scope: a group whose name begins as that of the scope is outside', async () => {
  const [other, within] = [group, account('old')].map((document) => document.replace('name: shop }', 'name: shop-2 }'));
  const { out } = await run(new AzureStub(shop), files(account('data'), other!, within!), { output: 'json', scope: [GROUP] });
  expect(JSON.parse(out)).toMatchObject({ scopes: [GROUP], objects: [] });
});

test('a scope that is not there: its objects have no resource; without objects it is an error', async () => {
  const gone = await run(new AzureStub({}), files(account('data')), { output: 'json', exitCode: true });
  expect([gone.status, gone.err, JSON.parse(gone.out).objects.length]).toEqual([1, [], 2]);
  const typo = await run(new AzureStub(shop), files(account('data')), { scope: [`${GROUP}x`], exitCode: true });
  expect([typo.status, typo.err]).toEqual([2, [`${GROUP}x: Azure has no such resource`]]);
});

test.each([
  ['nothing', [account('data')], { [ACCOUNT]: shop[ACCOUNT], [GROUP]: shop[GROUP] }, {}, 0],
  ['orphans', [], shop, {}, 1],
  ['no rights', [account('data')], shop, { [ACCOUNT]: refusal(403, 'AuthorizationFailed', 'no') }, 2],
])('--exit-code: %s', async (_, documents, azure, others, expected) => {
  const { status, err } = await run(new AzureStub(azure as typeof shop, others), files(...documents), { exitCode: true });
  expect(status).toBe(expected);
  expect(err.length > 0).toBe(expected === 2);
});

test('without rights to read a resource, its object is no orphan', async () => {
  const { out, err, status } = await run(new AzureStub(shop, { [ACCOUNT]: refusal(403, 'AuthorizationFailed', 'no') }), files(account('data')));
  expect(status).toBe(1);
  expect(out).toContain('0 objects without a resource');
  expect(err.join()).toContain(ACCOUNT);
});

test.each([
  [['orphans'], 'give files or directories of manifests, or --cluster'],
  [['orphans', '--scope', 'shop', 'x.yaml'], 'is no ARM id'],
])('%j is refused', async (args, message) => {
  const terminal = captured();
  expect(await runCommandLine(args, '1.0.0', terminal)).toBe(2);
  expect(terminal.err.join()).toContain(message);
});
