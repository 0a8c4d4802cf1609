import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CATALOG_FILE, type CodeFiles } from './code';
import { stateOf } from './stamp';
import { firstOf } from '../../src/util/words';
import { UsageError } from '../output/usage-error';

/** As many files as a message names. */
const MOST_NAMED = 3;

/**
 * Writes the files; what an earlier run wrote and this one does not is removed.
 * @throws UsageError when something would be lost that this command did not write, unless it is forced to. Nothing is written then.
 */
export function writeFiles(out: string, files: CodeFiles, force: boolean): void {
  const directory = resolve(out);
  if (existsSync(directory) && !statSync(directory).isDirectory()) throw new UsageError(`${out} is a file. Give a directory with --out.`);
  const links = [...new Set([...files.keys()].map((path) => dirname(path)))].filter(
    (folder) => folder !== '.' && isLink(join(directory, folder)),
  );
  if (links.length > 0) {
    throw new UsageError(
      `${out} has links in the place of folders: ${links.join(', ')}. Remove them, or give another directory with --out.`,
    );
  }
  const others = [...files.keys()].map((path) => [path, lossOf(join(directory, path))] as const).filter(([, loss]) => loss !== undefined);
  if (others.length > 0 && !force) {
    const named = firstOf(
      others.map(([path, loss]) => `${path} (${loss})`),
      MOST_NAMED,
    );
    throw new UsageError(
      `${out} has files that would be overwritten: ${named}. Give another directory with --out, or overwrite them with --force.`,
    );
  }
  try {
    for (const path of staleFiles(directory, files)) rmSync(join(directory, path));
    for (const [path, content] of files) {
      const file = join(directory, path);
      // With --force, too, what is behind a link stays as it is.
      if (isLink(file)) rmSync(file);
      if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written: ${(error as Error).message}. Give a directory that is writable.`);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Why a file must not just be overwritten. A link that leads nowhere would be written through, so it is not followed. */
function lossOf(file: string): string | undefined {
  if (isLink(file)) return 'a link';
  if (!existsSync(file)) return undefined;
  if (!lstatSync(file).isFile()) return 'no plain file';
  const content = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) {
    return content.trim() === '' || content.startsWith('{"cdk8sAsoCatalog":') ? undefined : 'not written by this command';
  }
  return { ours: undefined, changed: 'changed since it was written', foreign: 'not written by this command' }[stateOf(content)];
}

/** Files of an earlier run, of kinds that are no longer imported. Only those that nobody changed. */
function staleFiles(directory: string, files: CodeFiles): string[] {
  if (!existsSync(join(directory, CATALOG_FILE))) return [];
  const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });
  const folders = [
    directory,
    ...entries(directory)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(directory, name)),
  ];
  const sources = folders.flatMap((folder) =>
    entries(folder)
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map(({ name }) => join(folder, name)),
  );
  const ours = sources.filter((file) => stateOf(readFileSync(file, 'utf8')) === 'ours');
  return ours.map((file) => relative(directory, file).split(sep).join('/')).filter((path) => !files.has(path));
}
