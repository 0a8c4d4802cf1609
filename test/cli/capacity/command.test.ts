import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['capacity', ...args], '1.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const secret = `apiVersion: v1
kind: Secret
metadata: { name: aso-credential, namespace: shop }
stringData: { AZURE_SUBSCRIPTION_ID: ${SUBSCRIPTION}, AZURE_TENANT_ID: ${SUBSCRIPTION}, AZURE_CLIENT_ID: 22222222-2222-2222-2222-222222222222, AZURE_CLIENT_SECRET: never-shown }
`;
const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: rg, namespace: shop }\nspec: { location: uksouth }\n';
const account = 'apiVersion: storage.azure.com/v1api20230101\nkind: StorageAccount\nmetadata: { name: sa, namespace: shop }\nspec: { owner: { name: rg }, location: uksouth, kind: StorageV2, sku: { name: Standard_LRS }, operatorSpec: { secrets: { key1: { name: keys, key: one }, key2: { name: keys, key: two } } } }\n';
const files = () => filesIn({ 'a.yaml': [secret, group, account].join('---\n') });

test('text', async () => {
  const { status, out, err } = await run('--verbose', files());
  expect([status, err]).toEqual([0, []]);
  expect(out).toMatchSnapshot();
  expect(out).not.toContain('never-shown');
});

test('JSON says the same', async () => {
  const { status, out, err } = await run('--output', 'json', '--sync-period', '15m', files());
  expect([status, err]).toEqual([0, []]);
  expect(JSON.parse(out)).toMatchSnapshot();
});

test('a sync period of never costs nothing', async () => {
  const { out } = await run('--sync-period', 'never', files());
  expect(out).toContain('sync period never');
  expect(out).toMatch(/this controller +0 +0 +0 +0 +0 %/);
});

test('one line a problem, and the rest is counted', async () => {
  const directory = filesIn({
    'a.yaml': [
      group,
      account.replace('operatorSpec: {', 'operatorSpec: { secretExpressions: [{ name: x, key: y, value: "secret.(" }],'),
      'apiVersion: storage.azure.com/v1api20230101\nkind: StorageAcount\nmetadata: { name: typo }\n',
    ].join('---\n'),
  });
  const { status, out, err } = await run(directory);
  expect(status).toBe(1);
  expect(err.map((line) => line.replace(directory, ''))).toEqual([
    expect.stringMatching(/^\/a\.yaml:\d+: StorageAcount typo: kind: .*; write kind StorageAccount$/),
    expect.stringMatching(/^\/a\.yaml:9: StorageAccount shop\/sa: spec\.operatorSpec\.secretExpressions: .*the object is not counted$/),
  ]);
  expect(out).toContain('A subscription that is not known (--subscription), a credential that is not in the files\n  1 object\n');
});

test('nothing of Azure in the files', async () => {
  expect(await run(filesIn({ 'a.yaml': secret }))).toEqual({ status: 1, out: '', err: [expect.stringContaining('no Azure objects')] });
});

test('wrong command lines', async () => {
  for (const args of [
    [],
    ['--sync-period', '0s', 'x'],
    ['--sync-period', 'soon', 'x'],
    ['--sync-period', '-1h', 'x'],
    ['--output', 'xml', 'x'],
    ['--subscription', 'x', 'x'],
  ]) {
    expect([args, (await run(...args)).status]).toEqual([args, 2]);
  }
});
