import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['check', ...args], '1.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const group = (name: string, more = '') => `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: ${name}, namespace: shop }\nspec:\n  location: uksouth\n${more}`;
const account = 'apiVersion: storage.azure.com/v20250601\nkind: StorageAccount\nmetadata: { name: data, namespace: shop }\nspec:\n  location: uksouth\n  kind: StorageV2\n  sku: { name: Standard_LRS }\n  owner: { name: rg }\n';

test('one line a finding, at the line of the field, and a line that sums up', async () => {
  const directory = filesIn({ 'a.yaml': group('rg', '  loction: x\n') });
  const { status, out, err } = await run(directory);
  expect(err).toEqual([]);
  expect(out.replaceAll(directory, '')).toBe([
    '/a.yaml:6: error unknown-field ResourceGroup shop/rg: spec.loction: is no field of this kind and version; kubectl refuses it, other appliers have the cluster drop it in silence; did you mean location?',
    'Check: 1 object, 1 error.',
  ].join('\n'));
  expect(status).toBe(1);
});

test('good files have nothing to say', async () => {
  expect(await run(join(filesIn({ 'a.yaml': group('rg') }), 'a.yaml'))).toEqual({
    status: 0,
    out: 'Check: 1 object, nothing to say.',
    err: [],
  });
});

test('warnings fail only when it is strict; what is not printed counts all the same', async () => {
  const directory = filesIn({ 'a.yaml': `${group('rg')}---\n${account}` });
  expect((await run(directory)).status).toBe(0);
  expect((await run(directory)).out).toContain(':7: warning data-unprotected StorageAccount shop/data: ');
  const strict = await run('--strict', '--severity', 'error', directory);
  expect(strict).toEqual({ status: 1, out: 'Check: 2 objects, 1 warning.', err: [] });
});

test('what cannot be read is named, and the rest is checked', async () => {
  const directory = filesIn({
    'a.yaml': `not an object\n---\n${group('rg', '  loction: x\n')}`,
    'b.yaml': 'apiVersion: [',
    'd.yaml': 'other: [',
    'c.yaml': `${group('rg')}`,
  });
  const { status, out } = await run(directory, join(directory, 'absent.yaml'));
  expect(status).toBe(1);
  expect(out.replaceAll(directory, '').split('\n').map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
    '/a.yaml:1: error unreadable is not a Kubernetes object; it is not checked, and kubectl does not apply it; give an object with apiVersion, kind and metadata',
    '/a.yaml:8: error unknown-field ResourceGroup shop/rg',
    expect.stringMatching(/^\/b\.yaml:1: error unreadable is neither YAML nor JSON/),
    '/absent.yaml: error unreadable no such file or directory; it is not checked, and kubectl does not apply it; check the path',
    '/c.yaml:3: error duplicate-object ResourceGroup shop/rg',
    'Check: 2 objects, 5 errors.',
  ]);
});

test('JSON has the findings, the suppressed ones and the numbers', async () => {
  const file = join(filesIn({ 'a.yaml': `${group('rg')}---\n${account.replace('namespace: shop }', 'namespace: shop, annotations: { aso.cdk8s.io/ignore-rules: "data-unprotected: a scratch pad; cycle" } }')}` }), 'a.yaml');
  const { status, out } = await run('--output', 'json', file);
  const report = JSON.parse(out) as { summary: object; findings: object[]; suppressed: object[] };
  expect(status).toBe(0);
  expect(report.summary).toEqual({ objects: 2, error: 0, warning: 1, info: 0, suppressed: 1 });
  expect(report.findings).toEqual([{
    file,
    line: 9,
    severity: 'warning',
    rule: 'ignore-rules',
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    namespace: 'shop',
    name: 'data',
    field: "metadata.annotations['aso.cdk8s.io/ignore-rules']",
    message: "gives no reason for 'cycle'",
    why: expect.any(String),
    fix: expect.any(String),
  }]);
  expect(report.suppressed).toEqual([expect.objectContaining({ rule: 'data-unprotected', reason: 'a scratch pad', line: 7 })]);
});

test('no secret value and no control character gets into the output', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: aso-credential, namespace: shop }\nstringData: { AZURE_CLIENT_SECRET: hunter2, AUTH_MODE: hunter3 }\n';
  const hostile = `${group('rg')}---\n${account.replace('sku: { name: Standard_LRS }', 'sku: { name: "\\e[31mX" }')}---\n${secret}`;
  const { out } = await run(filesIn({ 'a.yaml': hostile }));
  expect(out).not.toMatch(/hunter/);
  // eslint-disable-next-line no-control-regex
  expect(out).not.toMatch(/\u001b/);
});

test('a command line that makes no sense', async () => {
  expect((await run()).status).toBe(2);
  expect((await run('--severity', 'fatal', 'x')).status).toBe(2);
});
