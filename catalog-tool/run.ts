import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from './arguments';
import { Catalog } from '../src/catalog';
import { diffCatalogs } from './compare/catalog-diff';
import { diffText } from './compare/diff-text';
import { GoParser } from './go/parse';
import { readOverlays } from './overlays/read-overlays';
import { refreshedFiles } from './overlays/refresh';
import { readCatalog } from './read-catalog';
import { Checkout } from './source/checkout';
import type { CatalogFiles } from './write/catalog-text';
import { differingFiles, writeCatalog } from './write/write-files';

/** The output streams of the tool. */
export interface Output {
  readonly say: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** @returns the exit code */
export async function run(command: Command, output: Output): Promise<number> {
  if (command.is === 'diff') {
    const diff = diffCatalogs(new Catalog(command.before), new Catalog(command.after));
    output.say(command.output === 'json' ? `${JSON.stringify(diff, undefined, 2)}\n` : diffText(diff));
    return 0;
  }
  if (command.is === 'overlays') {
    return written(command.out, refreshedFiles(command.out, readOverlays(command.overlays)), command.check, output);
  }
  const { files, notices } = readCatalog(new Checkout(command.source, await GoParser.load()), readOverlays(command.overlays));
  notices.forEach((notice) => output.warn(`${notice}\n`));
  return written(command.out, files, command.is === 'check', output);
}

function written(directory: string, files: CatalogFiles, onlyCheck: boolean, output: Output): number {
  if (onlyCheck) return check(directory, files, output);
  writeCatalog(directory, files);
  return 0;
}

function check(directory: string, files: CatalogFiles, { say }: Output): number {
  const differing = differingFiles(directory, files);
  if (differing.length === 0) return 0;
  const other = mkdtempSync(join(tmpdir(), 'catalog-'));
  try {
    writeCatalog(other, files);
    say(`Files that differ: ${differing.join(', ')}\n\n${diffText(diffCatalogs(new Catalog(directory), new Catalog(other)))}`);
  } finally {
    rmSync(other, { recursive: true });
  }
  return 1;
}
