import { closeSync, openSync, readdirSync, readSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, OTHER_FILES } from './file-names';

/** Enough for the environments and clusters of a platform, and read in less than a second. */
const MAX_DIRECTORIES = 300;
const MAX_FILES_OF_DIRECTORY = 20;
const MAX_NAMED = 5;
const BEGINNING_BYTES = 4096;

/**
 * The fix for a directory without manifests of its own: the directories below it that have some. They may be for several clusters, so
 * they are not read as one set. Empty if there is none.
 * @param path the directory
 */
export function fixByDirectoriesBelow(path: string): string | undefined {
  const found = directoriesBelow(path);
  const named = found.slice(0, MAX_NAMED);
  const last = found.length > MAX_NAMED ? `one of ${found.length - MAX_NAMED} more` : named.pop();
  if (last === undefined) return undefined;
  const one = named.length === 0 ? `give ${last}` : `give the directory of one cluster: ${named.join(', ')} or ${last}`;
  return `${one}; check -R reads all below it, each by itself`;
}

/** Breadth first and by name, without hidden directories, `node_modules` and symbolic links. */
function directoriesBelow(path: string): string[] {
  const found: string[] = [];
  const open = [path];
  for (let read = 0; read < open.length && read < MAX_DIRECTORIES; read += 1) {
    const directory = open[read]!;
    const entries = entriesOf(directory);
    if (directory !== path && hasManifests(directory, entries)) found.push(directory);
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (open.length < MAX_DIRECTORIES) open.push(join(directory, entry.name));
    }
  }
  return found;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // not readable: another directory may be
  }
}

/** Charts without objects have empty files, and `.json` files may be settings of a program. */
function hasManifests(directory: string, entries: readonly Dirent[]): boolean {
  return entries
    .filter((entry) => entry.isFile() && MANIFEST_FILE.test(entry.name) && !OTHER_FILES.includes(entry.name))
    .slice(0, MAX_FILES_OF_DIRECTORY)
    .some(({ name }) => beginningOf(join(directory, name)).includes('apiVersion'));
}

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const part = Buffer.alloc(BEGINNING_BYTES);
      return part.toString('utf8', 0, readSync(descriptor, part, 0, BEGINNING_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
