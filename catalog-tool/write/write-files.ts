import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CatalogFiles } from './catalog-text';

/** Writes the files of the catalog, and deletes those of removed services. */
export function writeCatalog(directory: string, files: CatalogFiles): void {
  for (const name of catalogFileNames(directory)) if (files[name] === undefined) rmSync(join(directory, name));
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The names of files whose content would change. */
export function differingFiles(directory: string, files: CatalogFiles): string[] {
  const names = new Set([...catalogFileNames(directory), ...Object.keys(files)]);
  const present = (name: string) => (existsSync(join(directory, name)) ? readFileSync(join(directory, name), 'utf8') : undefined);
  return [...names].sort().filter((name) => present(name) !== files[name]);
}

/** The names of the catalog's files in a directory: `storage.json`, `status/storage.json`, `docs/storage.json`, … */
export function catalogFileNames(directory: string): string[] {
  return ['', 'status', 'docs'].flatMap((folder) => {
    const path = join(directory, folder);
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : [];
    return names.map((name) => (folder === '' ? name : `${folder}/${name}`));
  });
}
