/**
 * Writes API.md for the hand-written modules: the root, and submodules that have a folder of their own in src/. The generated
 * services are left out of it: codegen writes one page for each of them (docs/api), and with them this file would have some 300,000 lines.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defaultLinkFormatter, Documentation, Language, MarkdownRenderer } from 'jsii-docgen';
import type { ApiReferenceSchema } from 'jsii-docgen';

interface Assembly {
  readonly name: string;
  submodules?: Record<string, unknown>;
  readme?: unknown;
  readonly dependencies?: Record<string, string>;
}

const root = join(__dirname, '..');

function assemblyOf(directory: string): Assembly {
  const assembly = JSON.parse(readFileSync(join(directory, '.jsii'), 'utf8')) as Assembly & { schema?: string; filename?: string };
  if (assembly.schema !== 'jsii/file-redirect') return assembly;
  return JSON.parse(gunzipSync(readFileSync(join(directory, assembly.filename!))).toString('utf8')) as Assembly;
}

/** Whether a submodule is one of ours; nested ones follow theirs. */
function isHandWritten(submodule: string): boolean {
  return existsSync(join(root, 'src', submodule.split('.')[0], 'index.ts'));
}

type Link = typeof defaultLinkFormatter;
type Schema = Awaited<ReturnType<Documentation['toJson']>>['content'];

/** One after the other: the library keeps what it has read. The hand-written modules refer to types of services, so all types have to be there. */
async function modulesOf(documentation: Documentation, names: readonly (string | undefined)[]): Promise<Schema[]> {
  const schemas: Schema[] = [];
  for (const submodule of names) schemas.push((await documentation.toJson({ language: Language.TYPESCRIPT, readme: false, submodule })).content);
  return schemas;
}

/** The modules as one reference, by name. */
function merged(references: readonly ApiReferenceSchema[]): ApiReferenceSchema {
  const all = <T extends { readonly displayName: string }>(of: (reference: ApiReferenceSchema) => readonly T[]): T[] =>
    references.flatMap(of).sort((one, other) => one.displayName.localeCompare(other.displayName));
  return {
    constructs: all(({ constructs }) => constructs),
    classes: all(({ classes }) => classes),
    structs: all(({ structs }) => structs),
    interfaces: all(({ interfaces }) => interfaces),
    enums: all(({ enums }) => enums),
  };
}

/** Types of services are on the pages of their services. */
const linkTo: Link = (type, metadata) => {
  if (type.packageName !== metadata.packageName) return defaultLinkFormatter(type, metadata);
  const { submodule } = type;
  if (submodule === undefined || isHandWritten(submodule)) return defaultLinkFormatter(type, { ...metadata, submodule });
  return `<a href="docs/api/${submodule}.md">${type.displayName}</a>`;
};

async function main(): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'api-docs-'));
  try {
    const own = assemblyOf(root);
    delete own.readme;
    const write = (assembly: Assembly) => {
      mkdirSync(join(workspace, assembly.name), { recursive: true });
      writeFileSync(join(workspace, assembly.name, '.jsii'), JSON.stringify(assembly));
    };
    write(own);
    for (const name of Object.keys(own.dependencies ?? {})) write(assemblyOf(join(root, 'node_modules', name)));
    const documentation = await Documentation.forAssembly(own.name, workspace);
    const submodules = Object.keys(own.submodules ?? {}).filter((name) => isHandWritten(name.slice(own.name.length + 1)));
    const [first, ...others] = await modulesOf(documentation, [undefined, ...submodules]);
    const schema = { ...first, apiReference: merged([first, ...others].map(({ apiReference }) => apiReference!)) };
    writeFileSync(join(root, 'API.md'), MarkdownRenderer.fromSchema(schema, { linkFormatter: linkTo }).render());
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
