import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { RELEASES, releasesFile } from '../../codegen/emit-releases';
import { generate, serviceFiles } from '../../codegen/generate';
import { serviceModel } from '../../codegen/service-model';
import { Catalog } from '../../src/catalog';

const root = join(__dirname, '..', '..');
const files = generate(Catalog.default());
const sources = [...files].filter(([path]) => path.endsWith('.ts'));

describe('golden text', () => {
  test.each([
    'src/services/resources/resource-group.ts',
    'src/services/managedidentity/federated-identity-credential.ts',
    'src/services/authorization/role-assignment.ts',
    'src/services/entra/security-group.ts',
    'docs/api/managedidentity.md',
    'src/services/storage/index.ts',
  ])('%s', (path) => expect(files.get(path)).toMatchSnapshot());
});

test.each([
  ['dbforpostgresql/flexible-server.ts', 'administratorLoginPassword', "Give `SecretValue.fromSecret('name', 'key')`."],
  ['cache/redis-access-policy-assignment.ts', 'objectId', 'Object ID as text; an output of another resource goes into `objectIdFromConfig`.'],
  ['insights/metric-alert.ts', 'actionGroupId', 'A resource of this app goes into `actionGroupReference`.'],
  ['keyvault/vault.ts', 'vaultUri', 'Azure sets it; leave it out and use the output instead. Address of the vault'],
  ['keyvault/vault.ts', 'provisioningState', 'Azure sets it; leave it out. State'],
  ['containerservice/managed-cluster.ts', 'vnetSubnetReference', '`vnetSubnetID` in ARM.'],
])('%s: the comment of %s says what goes there', (path, property, sentence) => {
  const [before] = files.get(`src/services/${path}`)!.split(`  readonly ${property}?: `);
  expect(before!.slice(before!.lastIndexOf('/**'))).toContain(sentence);
});

test('the same catalog gives the same files', () => {
  expect([...generate(new Catalog(join(root, 'catalog')))]).toEqual([...files]);
});

test('src/index.ts is up to date', () => {
  expect(readFileSync(join(root, 'src', 'index.ts'), 'utf8')).toBe(files.get('src/index.ts'));
});

test('the class of the releases is up to date', () => {
  expect(readFileSync(join(root, RELEASES), 'utf8')).toBe(releasesFile(Catalog.default()));
});

test('every file is TypeScript', () => {
  const faulty = sources.filter(([path, content]) => {
    const source = ts.createSourceFile(path, content, ts.ScriptTarget.ES2022) as ts.SourceFile & { parseDiagnostics: ts.Diagnostic[] };
    return source.parseDiagnostics.length > 0;
  });
  expect(faulty.map(([path]) => path)).toEqual([]);
});

test('a kind loads core and its children, and nothing else: whatever it takes from others is a type', () => {
  const loaded = sources.flatMap(([path, content]) =>
    [...content.matchAll(/^import (?!type ).*? from '(.+)';$/gm)].map(([, from]) => ({ path, from })),
  );
  expect(loaded.length).toBeGreaterThan(280);
  const methodsOf = (path: string) => files.get(path)!.match(/new \w+\(\.\.\.this\._child\(/g)?.length ?? 0;
  const others = loaded.filter(({ from }) => from !== '../../core');
  expect(others.filter(({ from }) => !/^\.\/[a-z0-9-]+$/.test(from!))).toEqual([]);
  for (const { path } of others) expect([path, others.filter((other) => other.path === path).length]).toEqual([path, methodsOf(path)]);
});

test('props do not inherit what a constructor takes by position: the Python package would have an argument twice', () => {
  const inheriting = sources.flatMap(([path, content]) => {
    const options = new Map([...content.matchAll(/^export interface (\w+Options) extends[^{]*{\n([\s\S]*?)^}/gm)].map(([, name, body]) => [name, body!]));
    return [...content.matchAll(/^export interface \w+Props extends (\w+Options) {/gm)]
      .filter(([, base]) => /^ {2}readonly (scope|id)\??:/m.test(options.get(base!) ?? '')).map(([text]) => `${path}: ${text}`);
  });
  expect(inheriting).toEqual([]);
  expect(files.get('src/services/documentdb/sql-role-assignment.ts')).toContain('SqlRoleAssignmentProps extends AzureResourceProps');
});

test('text is tidy', () => {
  const untidy = sources.flatMap(([path, content]) =>
    content.split('\n').flatMap((line, i) => (/\s$|undefined|\[object|`` in ARM/.test(line) ? [`${path}:${i + 1}: ${line}`] : [])),
  );
  expect(untidy).toEqual([]);
  expect(sources.filter(([, content]) => !content.endsWith('\n') || content.includes('\n\n\n')).map(([path]) => path)).toEqual([]);
});

test('a page has a table for every kind, and every link on it leads somewhere', () => {
  for (const service of Catalog.default().services) {
    const model = serviceModel(Catalog.default(), service);
    const page = serviceFiles(model).get(`docs/api/${model.submodule}.md`)!;
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase()));
    for (const kind of model.kinds) expect(headings).toContain(kind.className.toLowerCase());
    expect([...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor).filter((anchor) => !headings.has(anchor!))).toEqual([]);
    const columns = (line: string) => line.replace(/\\\|/g, '').split('|').length;
    const tables = page
      .split('\n\n')
      .flatMap((block) => (/^\|/m.test(block) ? [block.split('\n').filter((line) => line.startsWith('|'))] : []));
    for (const lines of tables) expect(new Set(lines.map(columns)).size).toBe(1);
  }
});

test('the section of a kind names the methods of its owners that create it, and each of these is in the table of the owner', () => {
  for (const service of Catalog.default().services) {
    const model = serviceModel(Catalog.default(), service);
    const sections = serviceFiles(model).get(`docs/api/${model.submodule}.md`)!.split(/^## /m);
    const sectionOf = (kind: string) => sections.find((section) => section.startsWith(`${kind}\n`))!;
    for (const [owner, children] of model.children) {
      for (const { kind, name } of children) {
        expect(sectionOf(kind.className)).toContain(`[\`${owner}.add${name}(id, options)\`](#${owner.toLowerCase()})`);
        expect(sectionOf(owner)).toContain(`| \`add${name}(id, options)\` | [\`${kind.className}\`]`);
      }
    }
    const sentences = sections.filter((section) => section.includes('An owner in the app creates it too')).length;
    expect(sentences).toBe(new Set([...model.children.values()].flat().map(({ kind }) => kind.className)).size);
  }
});
