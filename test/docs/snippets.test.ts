import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAllDocuments } from 'yaml';
import { compileErrors } from './compile';
import { blocks, blocksOf, root } from './documents';
import { completed } from './fragment';
import { run } from './run';
import { Rules, RuleSeverity } from '../../src/core';
import { converted } from '../cli/convert/converting';

const typescript = blocks.filter(({ language }) => language === 'ts');
const isWhole = (code: string) => /^import /m.test(code);
const isApp = (code: string) => isWhole(code) && code.includes('new App(');

test('there is something to check', () => {
  expect(typescript.filter(({ code }) => isApp(code)).length).toBeGreaterThan(12);
  expect(typescript.filter(({ code }) => !isWhole(code)).length).toBeGreaterThan(5);
});

test('every block of TypeScript compiles: whole ones as they stand, pieces with what they take for granted', () => {
  const mistakes = [
    { piece: 'AzureNaming.cloudAdoption({}).applyTo(app);', message: /^mistake:\d+: .*'cloudAdoption' does not exist/ },
    { piece: 'const n: number = OwnerGraph.of(chart).nodes;', message: /^mistake:\d+: .*not assignable to type 'number'/ },
    { piece: 'unheardOf(app);', message: /^mistake:\d+: Cannot find name 'unheardOf'/ },
  ];
  const snippets = typescript.map(({ name, code }) => ({ name, code: isWhole(code) ? code : completed(code) }));
  // In one program with pieces that are wrong: a check that finds nothing would not find these either.
  const errors = compileErrors([...snippets, ...mistakes.map(({ piece }) => ({ name: 'mistake', code: completed(piece) }))]);
  expect(errors.filter((error) => !error.startsWith('mistake'))).toEqual([]);
  expect(errors).toEqual(mistakes.map(({ message }) => expect.stringMatching(message)));
});

describe('apps', () => {
  test.each(typescript.filter(({ code }) => isApp(code)).map(({ name, code }) => [name, code]))(
    '%s synthesizes, and no rule has an error to report',
    (_, code) => {
      const { app } = run(code);
      expect(Rules.check(app!).filter(({ severity }) => severity === RuleSeverity.ERROR)).toEqual([]);
    },
  );
});

describe('the model', () => {
  const pairs = blocks.flatMap((block, i) =>
    block.document === 'docs/model.md' && block.language === 'yaml' ? [{ made: blocks[i - 1], yaml: block }] : [],
  );

  test('every word has its YAML', () => expect(pairs).toHaveLength(blocksOf('docs/model.md', 'ts').length));

  test.each(pairs.map(({ made, yaml }) => [yaml.name, made!.code, yaml.code]))('%s is what the app before it writes', (_, code, yaml) => {
    const { objects } = run(code);
    for (const document of parseAllDocuments(yaml)) expect(objects).toContainEqual(document.toJS());
  });
});

test('the page on migration shows what convert makes of its YAML', () => {
  const { code, lost } = converted(blocksOf('docs/migrate-from-yaml.md', 'yaml')[0]!.code);
  expect(lost).toEqual([]);
  expect(blocksOf('docs/migrate-from-yaml.md', 'ts')[0]!.code).toBe(code.replace('from file.yaml', 'from shop.yaml'));
});

test('the example of the README gives what it says, with the package as it was built', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    const { code } = transformSync(blocksOf('README.md', 'ts')[0]!.code, { loader: 'ts', format: 'cjs' });
    execFileSync(process.execPath, ['-e', code], { cwd: root, env: { ...process.env, CDK8S_OUTDIR: outdir } });
    const objects = parseAllDocuments(readFileSync(join(outdir, 'shop.k8s.yaml'), 'utf8')).map((document) => document.toJS());
    expect(objects.map(({ kind }) => kind)).toEqual(['ResourceGroup', 'StorageAccount', 'UserAssignedIdentity', 'RoleAssignment']);
    const [, account, identity, role] = objects;
    expect(role.spec).toMatchObject({
      owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: account.metadata.name },
      principalIdFromConfig: identity.spec.operatorSpec.configMaps.principalId,
    });
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
