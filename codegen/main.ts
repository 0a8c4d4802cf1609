import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { RELEASES, releasesFile } from './emit-releases';
import { generate } from './generate';
import { filesBelow, Stamp } from './stamp';
import { Catalog } from '../src/catalog';

/** Writes `src/services`, `src/index.ts`, the class of the releases and `docs/api` from `catalog/`. Files that are right already are left alone. */

const root = join(__dirname, '..');
const FOLDERS = ['src/services', 'docs/api'];
const STAMP = 'src/services/.generated';

const stamp = new Stamp(root, STAMP, ['catalog', 'codegen', 'src/catalog', 'src/azure'], [...FOLDERS, 'src/index.ts', RELEASES]);
if (!stamp.fresh) {
  const started = Date.now();
  const catalog = new Catalog(join(root, 'catalog'));
  const files = generate(catalog).set(RELEASES, releasesFile(catalog));
  let written = 0;
  for (const [path, content] of files) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    written++;
  }
  for (const file of FOLDERS.flatMap((folder) => filesBelow(join(root, folder)))) {
    const path = relative(root, file).split(sep).join('/');
    if (!files.has(path) && path !== STAMP) rmSync(file);
  }
  writeFileSync(join(root, STAMP), stamp.content());
  console.log(`generate: ${files.size} files, ${written} of them new or changed, ${Date.now() - started} ms`);
}
