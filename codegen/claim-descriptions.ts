import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

/** Path of the descriptions of claims. */
export const CLAIM_DESCRIPTIONS = 'src/platform-kinds/schema/descriptions.ts';

const root = join(__dirname, '..');
const SCHEMAS = join(root, 'src', 'platform-kinds', 'schema');
const sources = () => [
  ...filesOf(join(root, 'src', 'platform')),
  ...filesOf(SCHEMAS).filter((file) => !file.endsWith('descriptions.ts')),
  ...['shared', 'storage-accounts-blob-service', 'storage-account', 'storage-accounts-file-services-share']
    .map((name) => join(root, 'src', 'services', 'storage', `${name}.ts`)),
];

type Texts = Record<string, string>;

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => join(directory, file));
}

/** The descriptions that the schemas of claims take from docstrings, by interface and member. */
export function docstrings(): Record<string, Texts> {
  const files = sources().map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true));
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  const enums = new Map<string, string>();
  for (const file of files) {
    file.forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
      if (!ts.isEnumDeclaration(node)) return;
      for (const member of node.members) {
        if (member.initializer && ts.isStringLiteral(member.initializer)) enums.set(`${node.name.text}.${member.name.getText()}`, member.initializer.text);
      }
    });
  }
  const used = filesOf(SCHEMAS).filter((file) => !file.endsWith('descriptions.ts')).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/DESCRIPTIONS\.(\w+)/g)].map(([, name]) => name!));
  return Object.fromEntries([...new Set(used)].sort().map((name) => [name, textsOf(name, interfaces, enums)]));
}

function textsOf(name: string, interfaces: ReadonlyMap<string, ts.InterfaceDeclaration>, enums: ReadonlyMap<string, string>): Texts {
  const node = interfaces.get(name);
  if (!node) throw new Error(`there is no interface ${name} with docstrings`);
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(({ expression, typeArguments }) => {
    const base = expression.getText();
    return ['Omit', 'Pick'].includes(base) ? [] : [base, ...(typeArguments ?? []).map((one) => one.getText())];
  }));
  const known = bases.filter((base) => interfaces.has(base));
  const inherited = Object.assign({}, ...known.map((base) => textsOf(base, interfaces, enums))) as Texts;
  const own = node.members.filter(ts.isPropertySignature).flatMap((member) => {
    const text = textOf(member, enums);
    return text === '' ? [] : [[member.name.getText(), text] as const];
  });
  return { ...inherited, ...Object.fromEntries(own) };
}

/** The docstring as `kubectl explain` shows it: values of enums instead of their members, the default as a sentence. */
function textOf(member: ts.PropertySignature, enums: ReadonlyMap<string, string>): string {
  const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  if (!doc) return '';
  const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/`([^`]*)`/g, '$1')
    .replace(/\b([A-Z]\w+\.[A-Z_0-9]+)\b/g, (known) => enums.get(known) ?? known).trim();
  const text = plain(ts.getTextOfJSDocComment(doc.comment) ?? '');
  const tag = (doc.tags ?? []).find(({ tagName }) => tagName.text === 'default');
  const byDefault = plain(ts.getTextOfJSDocComment(tag?.comment) ?? '').replace(/^- /, '').replace(/^'(.*)'$/, '$1');
  const isWorthSaying = byDefault !== '' && byDefault !== 'none' && byDefault !== 'the default of each setting';
  return isWorthSaying ? `${text} Default: ${byDefault.replace(/\.$/, '')}.` : text;
}

/** The file with the descriptions, generated because a library has no docstrings when it runs. */
export function claimDescriptionsFile(): string {
  const lines = Object.entries(docstrings()).flatMap(([name, texts]) => [
    `  ${name}: {`,
    ...Object.entries(texts).map(([member, text]) => `    ${member}:\n${chunks(text).map((chunk) => `      ${quoted(chunk)}`).join('\n      + ').replace(/\n {6}\+ {7}/g, '\n      + ')},`),
    '  },',
  ]);
  return `// Written by \`npm run generate\`.

/** Descriptions of the members of claims, for \`kubectl explain\`: the docstrings of the interfaces, by interface and member. */
export const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n${lines.join('\n')}\n};\n`;
}

function chunks(text: string): string[] {
  const made: string[] = [''];
  for (const word of text.split(/(?<= )/)) {
    if ((made.at(-1)! + word).length > 110) made.push('');
    made[made.length - 1] += word;
  }
  return made;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
