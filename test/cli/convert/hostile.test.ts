import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { docComment, lineComment } from '../../../cli/convert/code-comment';
import { appSources, convert, convertSources, singleFile } from '../../../cli/convert/convert';
import { readText, type Sources } from '../../../cli/convert/read';
import { Catalog } from '../../../src/catalog';
import { captured, filesIn } from '../capture';

// Manifests come from anywhere: nothing of them becomes code, and nothing is written but the files of the app.

const HOSTILE = [
  '*/ PWNED(); /*',
  '*/}}PWNED();class X{/*',
  "'); PWNED(); ('",
  '"); PWNED(); ("',
  '`; PWNED(); `',
  '${PWNED()}',
  "\\'); PWNED(); //",
  '\nPWNED();\n',
  '\rPWNED();\r',
  '\u2028PWNED();\u2029',
  '\u0085PWNED();',
  '\u202e;)(DENWP',
  '\u200b\u2066\ufeff',
  '\u001b]0;PWNED()\u0007',
  '\u{e0041}\u{e0042}',
  '\ud800',
  '../../src/main',
  '/etc/passwd',
  'C:\\x',
  'con',
  'main',
  'unreadable',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'PWNED',
  'a'.repeat(3000),
  '',
  ' ',
  '// @ts-nocheck',
  '@ts-ignore',
  '# sourceMappingURL=x',
  '/ <reference path="x" />',
  '<!--',
  '-->',
  '#!PWNED',
  'import("PWNED")',
  '\\u0050WNED()',
  '][PWNED()',
  '{}',
  'storage',
  'Chart',
  'scope',
  '1e999',
  '-0',
  // Variables of the files, which become props.
  '${A:-`${PWNED()}`}',
  "${A:=');PWNED();('}",
  '${A}`${PWNED()}`\\${B}',
  '${*/PWNED();/*}',
  '${\\u0050WNED}',
  '${__proto__}',
  '${constructor}',
  '${PWNED}-${PWNED:=x}',
  '{{ */ PWNED(); /* }}',
  '{{ PWNED`${PWNED()}` | default "`;PWNED();" }}',
  '#{PWNED}#',
  '<PWNED ME>',
  '$PWNED',
  '${\u202ePWNED}',
];
const SHOWN_OR_NOTHING = /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

const known = fc.constantFrom(...HOSTILE);
const text = fc.oneof(
  { weight: 6, arbitrary: known },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.tuple(known, known).map(([a, b]) => a + b),
);
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 1.5, -0),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const some = { requiredKeys: [] };
const texts = fc.dictionary(text, text, { maxKeys: 2 });
const metadata = fc.record({ name: text, namespace: text, labels: texts, annotations: texts }, some);
const owner = fc.record({ name: text, armId: text, group: text, kind: text }, some);
const account = { location: text, owner, azureName: text, kind: text, tags: texts, sku: fc.record({ name: text }), operatorSpec: value };
const role = {
  owner,
  principalIdFromConfig: fc.record({ name: text, key: text }),
  roleDefinitionReference: fc.record({ wellKnownName: text, armId: text }, some),
};
const of = (apiVersion: string, kind: string) => ({ apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), metadata });
/** Kinds with classes, whose properties are spelled as they are, and any others. */
const object = fc.oneof(
  fc.record({ ...of('storage.azure.com/v1api20230101', 'StorageAccount'), spec: fc.record(account, some) }),
  fc.record({ ...of('authorization.azure.com/v1api20220401', 'RoleAssignment'), spec: fc.record(role, some) }),
  fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constantFrom('Secret', 'ConfigMap', 'Namespace'),
    metadata,
    data: fc.dictionary(text, text, { maxKeys: 3 }),
  }),
  fc.record({
    apiVersion: text.filter((one) => /^[^/]+(\/[^/]+)?$/.test(one)),
    kind: text.filter((one) => one !== ''),
    metadata,
    spec: value,
  }),
);

function read(documents: readonly string[]): Sources {
  const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
  documents.forEach((document, index) => readText(document, `${HOSTILE[index % HOSTILE.length]}.yaml`, sources));
  return sources;
}

/** `props.team`, or the variable that has it. */
function isProp(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression)) return isProp(expression.left) && ts.isStringLiteral(expression.right);
  const isOfProps = ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'props';
  return isOfProps || ts.isIdentifier(expression);
}

/** Everything that a program of ours may have in it. */
function expectOurs(code: string): void {
  const source = ts.createSourceFile('x.ts', code, ts.ScriptTarget.ES2022, true) as ts.SourceFile & { parseDiagnostics: ts.Diagnostic[] };
  expect(source.parseDiagnostics.map(({ messageText }) => messageText)).toEqual([]);
  const isOurs = (one: ts.Statement) =>
    ts.isImportDeclaration(one) || ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one) || ts.isExportDeclaration(one);
  expect(source.statements.every(isOurs)).toBe(true);
  expect([...source.referencedFiles, ...source.typeReferenceDirectives, ...source.libReferenceDirectives].flat()).toEqual([]);
  expect(code.replace(/\n/g, '')).not.toMatch(SHOWN_OR_NOTHING);
  expect(code).not.toMatch(/^\s*\/\/\s*(@ts-|eslint)|^\s*\/\/[/#@]/m);
  const visit = (node: ts.Node): void => {
    const isKey = ts.isPropertyAssignment(node.parent ?? node) && (node.parent as ts.PropertyAssignment).name === node;
    if (ts.isIdentifier(node) && node.text === 'PWNED' && !isKey) throw new Error(`code of a manifest: ${node.parent.getText()}`);
    if (ts.isTemplateLiteral(node)) {
      if (ts.isTemplateExpression(node) && node.templateSpans.every(({ expression }) => isProp(expression))) return;
      throw new Error(`no template of ours: ${node.getText()}`);
    }
    if (ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node)) {
      throw new Error(`no code of ours: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

test('whatever stands in manifests, their code has it in strings and comments only', () => {
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), fc.array(text, { maxLength: 3 }), (objects, remarks) => {
      const comments = remarks
        .map((remark) =>
          remark
            .split(/[\n\r]/)
            .map((line) => `# ${line}`)
            .join('\n'),
        )
        .join('\n');
      const sources = read(objects.map((one) => `${comments}\n${JSON.stringify(one)}\n`));
      const { charts } = convertSources(sources, Catalog.default(), { hasParameters: true });
      expectOurs(singleFile(charts, sources));
      const files = appSources(HOSTILE[0]!, charts, sources);
      for (const [file, content] of Object.entries(files)) {
        expect(file).toMatch(/^[a-z0-9][a-z0-9-]{0,70}\.(ts|json|yaml)$/);
        if (file.endsWith('.ts') && file !== 'main.ts') expectOurs(content);
      }
      expect(Object.keys(files).length).toBe(4 + charts.length + (sources.unreadable.length > 0 ? 1 : 0));
      expect(files['main.ts']).toMatch(
        new RegExp([
          /^import \{ App \} from 'cdk8s';\n(import \* as [a-z]+ from 'cdk8s-aso\/[a-z]+';\n)*/,
          /(import \{ \w+ \} from '\.\/[a-z0-9-]+';\n)*\n(const env = required\((?:[ \n]*'\w+',?)+\n?\);\n)?const app = new App\(\);\n/,
        ].map(({ source }) => source).join('')),
      );
    }),
    { numRuns: 120 },
  );
});

test('values come out as they were', () => {
  fc.assert(
    fc.property(text, (data) => {
      const sources = read([JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: data } })]);
      if (sources.objects.length === 0) return;
      const code = singleFile(convertSources(sources, Catalog.default()).charts, sources);
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isPropertyAssignment(node) && node.name.getText() === 'key') {
          const { initializer } = node;
          const joined = ts.isCallExpression(initializer) ? (initializer.expression as ts.PropertyAccessExpression).expression : undefined;
          const list = joined as ts.ArrayLiteralExpression | undefined;
          found.push(
            list ? list.elements.map((element) => (element as ts.StringLiteral).text).join('\n') : (initializer as ts.StringLiteral).text,
          );
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile('x.ts', code, ts.ScriptTarget.ES2022, true));
      expect(found).toEqual([sources.objects[0]!.object.data ? (sources.objects[0]!.object.data as Record<string, string>).key : '']);
    }),
    { numRuns: 200 },
  );
});

test.each(HOSTILE)('a comment is a comment: %j', (line) => {
  expectOurs(`${lineComment(line)}\n${docComment(line)}\nexport class A {}`);
});

describe('--out', () => {
  const manifest = (namespace: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: ${JSON.stringify(namespace)}\n`;
  const converted = (namespaces: readonly string[], out: string) =>
    convert([join(filesIn({ 'a.yaml': namespaces.map(manifest).join('---\n') }), 'a.yaml')], { out }, captured());

  test('nothing is written beside it, whatever a namespace is called', () => {
    const root = mkdtempSync(join(tmpdir(), 'convert-'));
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src', 'main.ts'), 'mine');
    expect(
      converted(['../src/main', '/etc/x', '..', '.', 'a/b', 'main', 'unreadable', 'Main', '', 'con', '../src/main/'], join(root, 'app')),
    ).toBe(0);
    expect(readdirSync(root).sort()).toEqual(['app', 'src']);
    expect(readFileSync(join(root, 'src', 'main.ts'), 'utf8')).toBe('mine');
    expect(readdirSync(join(root, 'app')).filter((file) => file.endsWith('.ts')).every((file) => /^[a-z0-9-]+\.ts$/.test(file))).toBe(true);
    expect(readFileSync(join(root, 'app', 'main.ts'), 'utf8')).toContain('app.synth();');
  });

  test('a namespace that ran as code does not', () => {
    const root = mkdtempSync(join(tmpdir(), 'convert-'));
    expect(converted(['*/ require("node:fs").writeFileSync("owned", ""); /*'], join(root, 'app'))).toBe(0);
    const [file] = readdirSync(join(root, 'app')).filter((name) => name.startsWith('require'));
    expectOurs(readFileSync(join(root, 'app', file!), 'utf8'));
    expect(existsSync(join(root, 'owned'))).toBe(false);
  });

  test('a link that somebody puts there is not followed', () => {
    const root = mkdtempSync(join(tmpdir(), 'convert-'));
    writeFileSync(join(root, 'other.ts'), 'mine');
    mkdirSync(join(root, 'app'));
    symlinkSync(join(root, 'other.ts'), join(root, 'app', 'main.ts'));
    expect(() => converted(['team'], join(root, 'app'))).toThrow('is not empty');
    expect(readFileSync(join(root, 'other.ts'), 'utf8')).toBe('mine');
  });
});
