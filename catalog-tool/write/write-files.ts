import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CatalogFiles } from './catalog-text';

/** Writes the files of the catalog, and removes those of services that are no more. */
export function writeCatalog(directory: string, files: CatalogFiles): void {
  for (const name of jsonFiles(directory)) if (files[name] === undefined) rmSync(join(directory, name));
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The names of the files that differ from what would be written. */
export function differingFiles(directory: string, files: CatalogFiles): string[] {
  const names = new Set([...jsonFiles(directory), ...Object.keys(files)]);
  return [...names].sort().filter((name) => files[name] === undefined || !existsSync(join(directory, name)) || readFileSync(join(directory, name), 'utf8') !== files[name]);
}

function jsonFiles(directory: string): string[] {
  return ['', 'status'].flatMap((folder) => {
    const path = join(directory, folder);
    return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')).map((name) => (folder === '' ? name : `${folder}/${name}`)) : [];
  });
}
