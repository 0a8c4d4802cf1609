import { join, normalize } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Such imports are not in the record of a module, so its syntax tree is looked at, which takes ten times as long. */
const OTHER_IMPORTS = /\brequire\b|\bimport\s*\(/;

/** Name of an import, or a beginning and `/*`, → where it is, as in `paths` of a tsconfig.json. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** The files of `files` that a file imports: with `import`, `export … from`, `import()`, `require`, or as a type alone. */
export function importedFiles(file: string, text: string, files: ReadonlySet<string>, aliases: Aliases = {}): string[] {
  const imported = importedNames(file, text).flatMap((name) => {
    const path = /^\.\.?(\/|$)/.test(name) ? join(file, '..', name) : aliased(name, aliases);
    if (path === undefined) return [];
    const target = normalize(path).replace(/\/$/, '');
    return [target, `${target}.ts`, join(target, 'index.ts')].find((candidate) => files.has(candidate)) ?? [];
  });
  return [...new Set(imported)];
}

function aliased(name: string, aliases: Aliases): string | undefined {
  const exact = aliases[name];
  if (exact) return exact[0];
  const [prefix, paths] = Object.entries(aliases).find(([alias]) => alias.endsWith('/*') && name.startsWith(alias.slice(0, -1))) ?? [];
  return prefix && paths?.[0]?.replace('*', name.slice(prefix.length - 1));
}

function importedNames(file: string, text: string): string[] {
  const parsed = parseSync(file, text);
  const [error] = parsed.errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const { staticImports, staticExports } = parsed.module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
  ];
  if (!OTHER_IMPORTS.test(text)) return names;
  const add = (node: { readonly type: string; readonly value?: unknown } | undefined) => {
    if (node?.type === 'Literal' && typeof node.value === 'string') names.push(node.value);
  };
  new Visitor({
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: ({ callee, arguments: [name] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(name);
    },
  }).visit(parsed.program);
  return names;
}
