import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

const root = join(__dirname, '..', '..');

/** The TypeScript blocks of README.md and docs/ that stand for themselves: those with an import of the library. */
const snippets = ['README.md', ...readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, code]) => code)
    .filter((code) => /from 'cdk8s-aso/.test(code))
    .map((code, index) => ({ name: `${file}, block ${index + 1}`, code, path: join(root, 'test', 'docs', `${file.replace(/\W/g, '-')}-${index}.snippet.ts`) })));

test('there is something to check', () => expect(snippets.map(({ name }) => name)).toContain('README.md, block 1'));

test('every snippet compiles as it stands', () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => snippets.find((snippet) => snippet.path === path)?.code ?? readFile(path);
  host.fileExists = (path) => snippets.some((snippet) => snippet.path === path) || fileExists(path);
  const program = ts.createProgram(snippets.map(({ path }) => path), options, {
    ...host,
    getSourceFile: (path, languageVersion) => {
      const text = host.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion);
    },
  });
  const found = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => `${snippets.find(({ path }) => path === file?.fileName)?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  expect(found).toEqual([]);
});

test('the example of the README gives what it says', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'readme-'));
  const { code } = transformSync(snippets[0].code, { loader: 'ts', format: 'cjs' });
  execFileSync(process.execPath, ['-e', code], { cwd: root, env: { ...process.env, CDK8S_OUTDIR: outdir } });
  const objects = parseAllDocuments(readFileSync(join(outdir, 'shop.k8s.yaml'), 'utf8')).map((document) => document.toJS());
  expect(objects.map(({ kind }) => kind)).toEqual(['ResourceGroup', 'StorageAccount', 'UserAssignedIdentity', 'RoleAssignment']);
  const [, account, identity, role] = objects;
  expect(role.spec).toMatchObject({
    owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: account.metadata.name },
    principalIdFromConfig: identity.spec.operatorSpec.configMaps.principalId,
  });
});
