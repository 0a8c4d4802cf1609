/**
 * Writes API.md for the hand-written modules: the root, and submodules that have a folder of their own in src/. The generated
 * services are left out of it: codegen writes one page for each of them (docs/api), and with them this file would have some 300,000 lines.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Documentation, Language } from 'jsii-docgen';

interface Assembly {
  readonly name: string;
  types?: Record<string, { namespace?: string }>;
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

async function main(): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'api-docs-'));
  try {
    const own = assemblyOf(root);
    const types = Object.entries(own.types ?? {});
    own.types = Object.fromEntries(types.filter(([, { namespace }]) => namespace === undefined || isHandWritten(namespace)));
    own.submodules = Object.fromEntries(Object.entries(own.submodules ?? {}).filter(([name]) => isHandWritten(name.slice(own.name.length + 1))));
    delete own.readme;
    const write = (assembly: Assembly) => {
      mkdirSync(join(workspace, assembly.name), { recursive: true });
      writeFileSync(join(workspace, assembly.name, '.jsii'), JSON.stringify(assembly));
    };
    write(own);
    for (const name of Object.keys(own.dependencies ?? {})) write(assemblyOf(join(root, 'node_modules', name)));
    const documentation = await Documentation.forAssembly(own.name, workspace);
    const markdown = await documentation.toMarkdown({ language: Language.TYPESCRIPT, readme: false, allSubmodules: true });
    writeFileSync(join(root, 'API.md'), markdown.render());
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
