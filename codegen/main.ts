import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { CLAIM_DESCRIPTIONS, claimDescriptionsFile } from './claim-descriptions';
import { NAME_RULES, nameRulesFile } from './emit-name-rules';
import { RELEASES, releasesFile } from './emit-releases';
import { Catalog } from '../src/catalog';

/**
 * Generates `src/services`, `src/index.ts`, the class of the releases, the table of name rules and `docs/api` from `catalog/`, and the
 * descriptions of claims from docstrings. Up-to-date files are not written again.
 */

const root = join(__dirname, '..');
const FOLDERS = ['src/services', 'docs/api'];

function write(files: ReadonlyMap<string, string>): number {
  const changed = [...files].filter(
    ([path, content]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content,
  );
  for (const [path, content] of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return changed.length;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function main(): Promise<void> {
  const started = Date.now();
  const catalog = new Catalog(join(root, 'catalog'));
  const tables = new Map([[RELEASES, releasesFile(catalog)], [NAME_RULES, nameRulesFile(catalog)]]);
  const rewritten = write(tables);
  // The names in the pages' examples follow the name rules, so the table is written before it is loaded.
  const { generate } = await import('./generate');
  const files = generate(catalog);
  // Some docstrings are those of generated classes.
  const written = rewritten + write(files) + write(new Map([[CLAIM_DESCRIPTIONS, claimDescriptionsFile()]]));
  for (const file of FOLDERS.flatMap((folder) => filesBelow(join(root, folder)))) {
    const path = relative(root, file).split(sep).join('/');
    if (!files.has(path)) rmSync(file);
  }
  console.log(`generate: ${files.size + tables.size + 1} files, ${written} of them new or changed, ${Date.now() - started} ms`);
}

void main();
