import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { CLAIM_DESCRIPTIONS, claimDescriptionsFile, DESCRIBED } from './claim-descriptions';
import { NAME_RULES, nameRulesFile } from './emit-name-rules';
import { RELEASES, releasesFile } from './emit-releases';
import { filesBelow, Stamp } from './stamp';
import { Catalog } from '../src/catalog';

/**
 * Generates `src/services`, `src/index.ts`, the class of the releases, the table of name rules and `docs/api` from `catalog/`, and the
 * descriptions of claims from docstrings. Up-to-date files are not written again.
 */

const root = join(__dirname, '..');
const FOLDERS = ['src/services', 'docs/api'];
const STAMP = 'src/services/.generated';

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

async function main(): Promise<void> {
  const stamp = new Stamp(
    root,
    STAMP,
    ['catalog', 'codegen', 'src/catalog', 'src/azure', ...DESCRIBED],
    [...FOLDERS, 'src/index.ts', RELEASES, NAME_RULES, CLAIM_DESCRIPTIONS],
  );
  if (stamp.fresh) return;
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
    if (!files.has(path) && path !== STAMP) rmSync(file);
  }
  writeFileSync(join(root, STAMP), stamp.content());
  console.log(`generate: ${files.size + tables.size + 1} files, ${written} of them new or changed, ${Date.now() - started} ms`);
}

void main();
