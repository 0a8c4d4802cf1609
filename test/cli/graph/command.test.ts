import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import './graphviz';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const FEATURES = join(__dirname, 'features.yaml');

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['graph', ...args], '1.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const group = (name: string, more = '') =>
  `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: ${name} }\nspec: { location: uksouth${more} }\n`;
const account = (name: string, uses: string) =>
  `apiVersion: storage.azure.com/v1api20230101\nkind: StorageAccount\nmetadata: { name: ${name} }\nspec:\n  owner: { name: rg }\n  identity: { userAssignedIdentities: [{ reference: { group: storage.azure.com, kind: StorageAccount, name: ${uses} } }] }\n`;

test('draws a tree, or what the ending of the file says', async () => {
  expect((await run(FEATURES)).out).toContain('│  ├─ VirtualNetwork net');
  const directory = filesIn({});
  for (const [ending, beginning] of [['svg', '<svg'], ['dot', 'digraph'], ['mmd', 'flowchart'], ['json', '{'], ['txt', 'shop']]) {
    const file = join(directory, `graph.${ending}`);
    expect(await run(FEATURES, '--out', file)).toEqual({ status: 0, out: '', err: [] });
    expect(readFileSync(file, 'utf8').startsWith(beginning!)).toBe(true);
  }
  expect(JSON.parse((await run(FEATURES, '--format', 'json')).out).criticalPath.length).toBeGreaterThan(1);
});

test('one line a problem, and the rest goes on', async () => {
  const directory = filesIn({
    'a.yaml': `${group('good')}---\napiVersion: storage.azure.com/v1api20230101\nkind: StorageAcount\nmetadata: { name: typo }\n---\nnot an object\n`,
    'b.yaml': 'apiVersion: [',
    'c.yaml': 'apiVersion: storage.azure.com/v1api20230101\nkind: StorageAccount\nmetadata: { name: sa }\nspec: { owner: { name: a, armId: /subscriptions/x } }\n',
  });
  const { status, out, err } = await run(directory, join(directory, 'absent.yaml'));
  expect(status).toBe(1);
  expect(out).toContain('ResourceGroup good');
  expect(out).toContain('StorageAcount typo');
  expect(err.map((line) => line.replaceAll(directory, ''))).toEqual([
    expect.stringMatching(/^\/a\.yaml:10: is not a Kubernetes object/),
    expect.stringMatching(/^\/b\.yaml:\d+: is neither YAML nor JSON/),
    expect.stringMatching(/^\/absent\.yaml: no such file/),
    expect.stringMatching(/^\/a\.yaml:\d+: StorageAcount typo: kind: .*; write kind StorageAccount$/),
    expect.stringMatching(/^\/c\.yaml:4: StorageAccount sa: spec\.owner: .*mutually exclusive/),
  ]);
});

test('cycles are problems, drawn nevertheless', async () => {
  const directory = filesIn({ 'a.yaml': [group('rg'), account('aaa', 'bbb'), account('bbb', 'aaa')].join('---\n') });
  const { status, out, err } = await run(directory);
  expect(status).toBe(1);
  expect(out).toContain('Wait for each other: StorageAccount default/aaa');
  expect(err).toEqual([expect.stringMatching(/a\.yaml:6: StorageAccount aaa: objects wait for each other: StorageAccount default\/aaa \(spec\.identity.* → StorageAccount default\/bbb .*; remove one/)]);
});

test('nothing of Azure in the files', async () => {
  const directory = filesIn({ 'a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n' });
  expect(await run(directory)).toEqual({ status: 1, out: '', err: [expect.stringContaining('no Azure objects')] });
  expect((await run(directory, '--format', 'svg')).out).toContain('no Azure objects');
});

test('wrong command lines', async () => {
  expect((await run(FEATURES, '--format', 'png')).status).toBe(2);
  expect((await run(FEATURES, '--subscription', 'x')).status).toBe(2);
  expect((await run()).status).toBe(2);
  const { status, err } = await run(FEATURES, '--out', '/absent/graph.svg');
  expect([status, err]).toEqual([2, [expect.stringContaining('--out /absent/graph.svg: cannot be written')]]);
  expect(existsSync('/absent')).toBe(false);
});

test('secrets are never shown', async () => {
  for (const format of ['tree', 'mermaid', 'dot', 'svg', 'json']) {
    expect((await run(FEATURES, '--format', format)).out).not.toContain('never-shown');
  }
});
