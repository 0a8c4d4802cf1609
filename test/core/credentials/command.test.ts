import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { twoTeams } from './platform';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../../cli/capture';
import '../../cli/graph/graphviz';

const PICTURE = join(__dirname, '..', '..', '..', 'docs', 'credentials.svg');

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['graph', ...args], '1.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const ROLES = [
  {
    name: '5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c',
    roleName: 'Service Bus writer',
    permissions: [{ actions: ['Microsoft.ServiceBus/*'], notActions: ['*/queues/delete'] }],
  },
];
const files = (more: Record<string, string> = {}) => filesIn({ 'app.yaml': twoTeams().app.synthYaml(), ...more });

test('over files, which know no more of a role than its id: not known, unless its definition is given', async () => {
  const directory = files({
    'roles.json.txt': JSON.stringify(ROLES),
    'all.json.txt': JSON.stringify({ value: [{ name: ROLES[0]!.name, properties: ROLES[0] }] }),
  });
  const bare = await run('--credentials', directory);
  expect(bare).toMatchObject({ status: 0, err: [] });
  expect(bare.out).toContain('? NamespacesQueue harvest-orders');
  expect(bare.out).toContain('5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c on namespaces contosobus (what it allows is not known)');
  for (const name of ['roles.json.txt', 'all.json.txt']) {
    const answer = await run('--credentials', '--roles', join(directory, name), directory);
    expect(answer.out).toContain('✗ NamespacesQueue harvest-orders  needs Microsoft.ServiceBus/namespaces/queues/delete');
    expect(answer.out).toContain('Service Bus writer on namespaces contosobus');
  }
});

test('each format, to the standard output or a file', async () => {
  const directory = files();
  for (const [format, beginning] of [
    ['tree', 'client 0c6d2f4b'],
    ['mermaid', 'flowchart LR'],
    ['dot', 'digraph "credentials"'],
    ['svg', '<svg'],
    ['json', '{'],
  ]) {
    const { status, out } = await run('--credentials', '--format', format!, directory);
    expect([status, out.startsWith(beginning!)]).toEqual([0, true]);
  }
  const file = join(filesIn({}), 'who.json');
  await run('--credentials', '--out', file, directory);
  const { resources, credentials, identities } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown[]>;
  expect([resources!.length, credentials!.length, identities!.length]).toEqual([18, 3, 3]);
});

test('a sentence about several resources stands once, above them', async () => {
  const group = (name: string) => `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: ${name}, namespace: a }\nspec: { location: uksouth }\n`;
  const { out } = await run('--credentials', filesIn({ 'a.yaml': `${group('rg1')}---\n${group('rg2')}` }));
  expect(out.split('\n').slice(0, 4)).toEqual([
    '(no credential here)',
    expect.stringMatching(/^└─ no credential is here: neither the Secret a\/aso-credential /),
    '   ├─ ✗ ResourceGroup a/rg1',
    '   └─ ✗ ResourceGroup a/rg2',
  ]);
});

test('a strict controller is told of by its settings, or by an option', async () => {
  expect((await run('--credentials', files())).out).toContain('any namespace can borrow it');
  expect((await run('--strict', files())).out).not.toContain('any namespace can borrow it');
});

test('secret values are never shown', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: aso-credential, namespace: a }\nstringData: { AZURE_CLIENT_SECRET: hunter2, AZURE_CLIENT_ID: "${clientId}" }\ndata: { AZURE_CLIENT_CERTIFICATE: aHVudGVyMg== }\n';
  const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: rg, namespace: a }\nspec: { location: uksouth }\n';
  for (const format of ['tree', 'mermaid', 'dot', 'svg', 'json']) {
    const { out } = await run('--credentials', '--format', format, filesIn({ 'a.yaml': `${secret}---\n${group}` }));
    expect(out).toMatch(/client.{0,8}secret/);
    expect(out).not.toMatch(/hunter2|aHVudGVyMg/);
  }
});

test('wrong files of roles', async () => {
  const directory = files({ 'no.txt': 'roles: []', 'empty.txt': '[{}]' });
  for (const [file, message] of [
    ['absent.txt', 'cannot be read'],
    ['no.txt', 'is no JSON'],
    ['empty.txt', 'has no role definitions; give the output of az role definition list'],
  ]) {
    const { status, err } = await run('--roles', join(directory, file!), directory);
    expect([status, err]).toEqual([2, [expect.stringContaining(message!)]]);
  }
});

/** After a look at it: `npx jest test/core/credentials/command -u`. */
test('docs/credentials.svg is the picture of the platform of these tests', async () => {
  const { out } = await run('--format', 'svg', '--roles', join(filesIn({ 'roles.txt': JSON.stringify(ROLES) }), 'roles.txt'), files());
  const { _updateSnapshot: update } = (expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } }).snapshotState;
  if (update === 'all') writeFileSync(PICTURE, `${out}\n`);
  expect(readFileSync(PICTURE, 'utf8')).toBe(`${out}\n`);
});
