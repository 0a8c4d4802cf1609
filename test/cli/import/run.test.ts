import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runImport, type ImportCommandOptions } from '../../../cli/import/run';
import type { Terminal } from '../../../cli/output/terminal';
import { UsageError } from '../../../cli/output/usage-error';
import type { ArmClient } from '../../../engine/arm/types';
import { ACCOUNT, AzureStub, GROUP, refusal } from '../../engine/import/azure-stub';

const DEFAULTS: ImportCommandOptions = {
  query: [], terraformState: [], deployment: [], children: true, defaults: true, format: 'yaml', policy: 'detach-on-delete', label: {}, annotation: {}, verify: false, workers: 4,
};
const shop = {
  [GROUP]: { location: 'uksouth', tags: { team: 'shop' } },
  [ACCOUNT]: { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS', tier: 'Standard' }, properties: { accessTier: 'Hot', minimumTlsVersion: 'TLS1_2' } },
};
const plain = (text: string) => text;
const style = { bold: plain, dim: plain, good: plain, bad: plain, warn: plain };

async function run(azure: AzureStub, options: Partial<ImportCommandOptions> = {}, given = [GROUP]) {
  const [printed, errors, notes]: string[][] = [[], [], []];
  const into = (lines: string[] | undefined) => (text: string) => void lines!.push(text);
  const terminal: Terminal = { style, print: into(printed), error: into(errors), note: into(notes) };
  const client = { subscriptionId: '', endpoint: 'https://management.azure.com', send: azure.send.bind(azure) } as unknown as ArmClient;
  const status = await runImport(given, { ...DEFAULTS, ...options }, terminal, {}, () => ({ client, signIn: async () => undefined }));
  return { status, printed: printed!.join('\n'), errors: errors!, notes: notes! };
}

const directory = () => mkdtempSync(join(tmpdir(), 'import-run-'));

test('YAML on the standard output: what is adopted is neither created nor deleted', async () => {
  const { status, printed, errors } = await run(new AzureStub(shop), { namespace: 'shop' });
  expect([status, errors]).toEqual([0, []]);
  expect(printed).toMatchSnapshot();
});

test('TypeScript: constructs that refer to constructs', async () => {
  const { status, printed } = await run(new AzureStub(shop), { format: 'typescript', namespace: 'shop', policy: 'manage' });
  expect(status).toBe(0);
  expect(printed).toMatchSnapshot();
});

test('--out: an app, or a file for each object; never over something', async () => {
  const [app, yaml] = [directory(), directory()];
  expect((await run(new AzureStub(shop), { format: 'typescript', out: app })).status).toBe(0);
  expect((await run(new AzureStub(shop), { out: yaml })).status).toBe(0);
  expect(readdirSync(app).sort()).toEqual(expect.arrayContaining(['cdk8s.yaml', 'main.ts', 'package.json', 'tsconfig.json']));
  expect(readdirSync(yaml).sort()).toEqual(['ResourceGroup-shop.yaml', 'StorageAccount-data.yaml']);
  await expect(run(new AzureStub(shop), { out: yaml })).rejects.toThrow(/is not empty/);
});

test('JSON: objects, what was left out, what failed', async () => {
  const { status, printed } = await run(new AzureStub({ ...shop, [`${GROUP}/providers/Microsoft.Made/up/x`]: {} }, { [ACCOUNT]: refusal(403, 'AuthorizationFailed', 'no') }), { format: 'json' });
  expect(status).toBe(1);
  expect(JSON.parse(printed)).toMatchObject({
    resources: [{ armId: GROUP, object: { kind: 'ResourceGroup' } }],
    leftOut: [{ id: expect.stringContaining('Microsoft.Made'), why: expect.any(String) }],
    failed: [{ id: ACCOUNT, why: expect.stringContaining('no') }],
  });
});

test('of two groups one is not there: it is an error, and the other is written', async () => {
  const { status, printed, errors } = await run(new AzureStub(shop), {}, [`${GROUP}x`, GROUP]);
  expect([status, errors]).toEqual([1, [`${GROUP}x: Azure has no such resource`]]);
  expect(printed).toContain('kind: StorageAccount');
  expect(JSON.parse((await run(new AzureStub(shop), { format: 'json' }, [`${GROUP}x`, GROUP])).printed).failed).toEqual([{ id: `${GROUP}x`, why: 'Azure has no such resource' }]);
});

test('--verify: nothing would change, and nothing is read twice', async () => {
  const azure = new AzureStub(shop);
  const { status, errors } = await run(azure, { verify: true });
  expect([status, errors]).toEqual([0, []]);
  const urls = azure.requests.map(({ url, apiVersion }) => `${url.toLowerCase()} ${apiVersion}`);
  expect(new Set(urls).size).toBe(urls.length);
});

test('--state: the second import asks only what the first one had no answer to', async () => {
  const state = join(directory(), 'state');
  expect((await run(new AzureStub(shop, { [ACCOUNT]: refusal(403, 'AuthorizationFailed') }), { state })).status).toBe(1);
  // A program that is killed while it writes leaves half a line.
  writeFileSync(state, `${readFileSync(state, 'utf8')}{"key":"GET /subsc`);
  const second = new AzureStub(shop);
  expect((await run(second, { state })).status).toBe(0);
  expect(second.requests[0]!.url).toBe(ACCOUNT);
  expect(second.requests.every(({ url }) => url.startsWith(ACCOUNT))).toBe(true);
});

test.each([
  ['a page of a proxy', () => ({ status: 200, body: '<html>sign in</html>' })],
  ['a proxy that finds nothing', () => ({ status: 404, body: '<html>not found</html>' })],
])('--state: %s is no answer to keep', async (_, answer) => {
  const state = join(directory(), 'state');
  expect((await run(new AzureStub(shop, { [ACCOUNT]: answer }), { state })).status).toBe(1);
  expect((await run(new AzureStub(shop), { state })).status).toBe(0);
});

test.each(['', 'none/state'])('--state: %j in a directory is no file', async (name) => {
  await expect(run(new AzureStub(shop), { state: join(directory(), name) })).rejects.toThrow(UsageError);
});

test('--verify plans in the subscription of the resources, whichever source named them', async () => {
  const file = join(directory(), 'terraform.tfstate');
  const resources = [{ mode: 'managed', type: 'azurerm_resource_group', instances: [{ attributes: { id: GROUP } }] }];
  writeFileSync(file, JSON.stringify({ version: 4, resources }));
  const { status, errors } = await run(new AzureStub(shop), { terraformState: [file], policy: 'manage', verify: true }, []);
  expect([status, errors]).toEqual([0, []]);
});

test('--state: another file is not written to', async () => {
  const state = join(directory(), 'precious.txt');
  writeFileSync(state, 'precious\n');
  await expect(run(new AzureStub(shop), { state })).rejects.toThrow(/no file of import --state/);
  expect(readFileSync(state, 'utf8')).toBe('precious\n');
});

test.each([
  ['a group that is not there', () => new AzureStub({}), 1],
  ['no rights', () => new AzureStub({}, { [GROUP]: refusal(403, 'AuthorizationFailed') }), 1],
])('%s: nothing is printed but the reason', async (_, azure, status) => {
  const out = join(directory(), 'app');
  const result = await run(azure(), { out, format: 'typescript' });
  expect([result.status, result.printed, existsSync(out)]).toEqual([status, '', false]);
  expect(result.errors.join()).toContain('nothing was imported');
});

test('without any source the command line is wrong', async () => {
  await expect(run(new AzureStub({}), {}, [])).rejects.toThrow(/give the id of a resource/);
});

test('resources of two subscriptions are refused: an object names none', async () => {
  const other = GROUP.replace(/[0-9a-f-]{36}/, '99999999-0000-0000-0000-000000000000');
  const azure = new AzureStub({ ...shop, [other]: { location: 'uksouth' } });
  await expect(run(azure, {}, [GROUP, other])).rejects.toThrow(/the resources are of 2 subscriptions \(.*99999999.*credential of its own/);
  expect(azure.requests).toEqual([]);
});

test('--state keeps no resource that was not there', async () => {
  const state = join(directory(), 'answers');
  expect((await run(new AzureStub({}), { state })).status).toBe(1);
  expect((await run(new AzureStub(shop), { state })).status).toBe(0);
});

test.each(['yaml', 'typescript'] as const)('%s: a value that the schema refuses is a note with the way out, and the object is only read', async (format) => {
  const azure = new AzureStub({ [ACCOUNT]: { ...shop[ACCOUNT], properties: { accessTier: 'Frozen' } } });
  const { status, printed, notes } = await run(azure, { format, children: false }, [ACCOUNT]);
  expect(status).toBe(0);
  expect(notes).toEqual([
    expect.stringMatching(/^StorageAccount data: Azure has "Frozen" for spec\.accessTier, which v\d+ of the kind refuses \(.*'Hot'.*\): spec\.accessTier is left out$/),
    expect.stringMatching(/^StorageAccount data: it is only read \(reconcile-policy: skip\)/),
  ]);
  const isComment = (line: string) => /^ *(#|\/\/)/.test(line);
  const code = printed.split('\n').filter((line) => !isComment(line)).join('\n');
  expect(code).not.toContain('Frozen');
  expect(code).toMatch(format === 'yaml' ? /reconcile-policy: skip/ : /ReconcilePolicy\.SKIP/);
  expect(printed.split('\n').filter(isComment).map((line) => line.replace(/^ *(#|\/\/) /, '').replaceAll('\\"', '"'))).toEqual(notes);
});
