import { readdirSync, type Dirent } from 'node:fs';
import { join, resolve } from 'node:path';
import { isChart } from './chart';
import { isKustomizationFile, kustomizationFileOf } from './kustomization';
import { isProblem, readKustomizationTree, type KnownKustomizations, type KustomizationTree } from './kustomization-tree';
import type { Problem } from '../../output/problem';
import { MANIFEST_FILE, OTHER_FILES } from '../file-names';

const MAX_DIRECTORIES = 50_000;
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'vendor']);

/** A part that is applied by itself: a kustomization, a chart, or the files of a directory. */
export type Root =
  | { readonly kind: 'chart' | 'component'; readonly directory: string }
  /** `files`: all that it refers to, and itself; only itself where it cannot be read. */
  | { readonly kind: 'kustomization'; readonly directory: string; readonly files: readonly string[] }
  | { readonly kind: 'files'; readonly directory: string; readonly files: readonly string[] };

export interface Roots {
  readonly roots: readonly Root[];
  readonly problems: readonly Problem[];
}

interface Directory {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * The parts of a directory and those below it that are applied by themselves: kustomizations that no other one has for a base, charts, and
 * files that belong to neither. Hidden directories, `node_modules`, `vendor` and symbolic links are left out.
 */
export function rootsIn(directory: string): Roots {
  const { directories, charts, problems } = walk(directory);
  const kustomizations = kustomizationsIn(directories);
  const covered = new Set<string>();
  for (const { tree, file } of kustomizations) {
    covered.add(resolve(file));
    for (const one of tree?.files ?? []) covered.add(resolve(one));
  }
  const roots = [...rootKustomizations(kustomizations), ...charts.map((chart): Root => ({ kind: 'chart', directory: chart }))];
  for (const { path, files } of directories) {
    const own = files.map((name) => join(path, name)).filter((file) => !covered.has(resolve(file)));
    if (own.length > 0) roots.push({ kind: 'files', directory: path, files: own });
  }
  return { roots: roots.sort((a, b) => (a.directory < b.directory ? -1 : a.directory > b.directory ? 1 : 0)), problems };
}

function walk(root: string): { directories: Directory[]; charts: string[]; problems: Problem[] } {
  const directories: Directory[] = [];
  const charts: string[] = [];
  const problems: Problem[] = [];
  const open = [root];
  for (let read = 0; read < open.length; read += 1) {
    const path = open[read]!;
    let entries: Dirent[];
    try {
      entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      problems.push({ file: path, message: `cannot be read: ${(error as Error).message}`, fix: 'make the directory readable' });
      continue;
    }
    if (isChart(entries.map(({ name }) => name))) {
      charts.push(path);
      continue;
    }
    const files = entries.filter((entry) => entry.isFile() && (MANIFEST_FILE.test(entry.name) || entry.name === 'Kustomization') && !OTHER_FILES.includes(entry.name));
    directories.push({ path, files: files.map(({ name }) => name) });
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || LEFT_OUT.has(entry.name)) continue;
      if (open.length < MAX_DIRECTORIES) open.push(join(path, entry.name));
      else if (problems.length === 0) problems.push({ file: root, message: `has more than ${MAX_DIRECTORIES} directories; the others are not read`, fix: 'give a part of it' });
    }
  }
  return { directories, charts, problems };
}

interface Found {
  readonly directory: string;
  readonly file: string;
  /** Undefined where the file cannot be read: reading it by itself says so. */
  readonly tree?: KustomizationTree;
}

function kustomizationsIn(directories: readonly Directory[]): Found[] {
  const known: KnownKustomizations = new Map();
  return directories.flatMap(({ path }): Found[] => {
    const file = kustomizationFileOf(path);
    if (file === undefined || !isKustomizationFile(file)) return [];
    const tree = readKustomizationTree(file, known);
    return [{ directory: path, file, ...(!isProblem(tree) && { tree }) }];
  });
}

/** Those that no other one has; of a cycle, the first by name. */
function rootKustomizations(found: readonly Found[]): Root[] {
  const used = new Set<string>();
  for (const { tree, directory } of found) {
    for (const one of tree?.directories ?? []) if (resolve(one) !== resolve(directory)) used.add(resolve(one));
  }
  const roots: Found[] = found.filter(({ directory }) => !used.has(resolve(directory)));
  const reached = new Set(roots.flatMap(({ tree }) => (tree?.directories ?? []).map((one) => resolve(one))));
  for (const one of found) {
    if (roots.includes(one) || reached.has(resolve(one.directory))) continue;
    roots.push(one);
    for (const other of one.tree?.directories ?? []) reached.add(resolve(other));
  }
  return roots.map(({ directory, file, tree }): Root => (
    tree?.root.isComponent ? { kind: 'component', directory } : { kind: 'kustomization', directory, files: tree ? [...tree.files] : [file] }
  ));
}
