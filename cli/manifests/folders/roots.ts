import { readdirSync, type Dirent } from 'node:fs';
import { join, resolve } from 'node:path';
import { isChart } from './chart';
import { notReadable } from './files';
import { isProblem, KnownKustomizations, LEFT_OUT } from './known-kustomizations';
import { isKustomizationFile, kustomizationFileOf, type Kustomization } from './kustomization';
import { filesBeside } from './kustomization-tree';
import { isBelow } from './paths';
import type { Problem } from '../../output/problem';
import { MANIFEST_FILE, OTHER_FILES } from '../file-names';

const MAX_DIRECTORIES = 50_000;
/** Directories that helm reads. */
const OF_CHART: ReadonlySet<string> = new Set(['templates', 'crds', 'charts']);

/** A part that is applied by itself: a kustomization, a chart, or the files of a directory. */
export type Root =
  | { readonly kind: 'chart' | 'component'; readonly directory: string }
  /** `files`: all that it refers to, and itself; the files beside it where it cannot be read. */
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
export function rootsIn(directory: string, known = new KnownKustomizations()): Roots {
  const { directories, charts, problems } = walk(directory);
  const graph = graphOf(directories, directory, known);
  const covered = new Set(Array.from(graph.values()).flatMap(({ files }) => files.map((file) => resolve(file))));
  const roots = [...rootKustomizations(directories, graph), ...charts.map((chart): Root => ({ kind: 'chart', directory: chart }))];
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
    const isOfChart = isChart(entries.map(({ name }) => name));
    if (isOfChart) {
      charts.push(path);
    } else {
      const named = entries.filter(({ name }) => (MANIFEST_FILE.test(name) || name === 'Kustomization') && !OTHER_FILES.includes(name));
      directories.push({ path, files: named.filter((entry) => entry.isFile()).map(({ name }) => name) });
      const special = named.filter((entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink());
      problems.push(...special.map(({ name }) => notReadable(join(path, name))));
    }
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || LEFT_OUT.has(entry.name) || (isOfChart && OF_CHART.has(entry.name))) continue;
      if (open.length < MAX_DIRECTORIES) open.push(join(path, entry.name));
      else if (problems.length === 0) problems.push({ file: root, message: `has more than ${MAX_DIRECTORIES} directories; the others are not read`, fix: 'give a part of it' });
    }
  }
  return { directories, charts, problems };
}

/** A kustomization with what it refers to itself. */
interface Found {
  readonly directory: string;
  readonly file: string;
  /** Undefined where the file cannot be read: reading it by itself says so. */
  readonly kustomization?: Kustomization;
  /** Itself, and the files that it names. */
  readonly files: readonly string[];
  /** The kustomizations that it has. */
  readonly below: readonly string[];
}

/** Kustomizations by their directories. */
type Graph = ReadonlyMap<string, Found>;

/** The kustomizations of the directories, and those elsewhere that they have. */
function graphOf(directories: readonly Directory[], whole: string, known: KnownKustomizations): Graph {
  const graph = new Map<string, Found>();
  const open = directories.map(({ path }) => path);
  for (let read = 0; read < open.length; read += 1) {
    const directory = open[read]!;
    const file = graph.has(resolve(directory)) ? undefined : kustomizationFileOf(directory);
    if (file === undefined || !isKustomizationFile(file)) continue;
    const found = foundAt(directory, file, whole, known);
    graph.set(resolve(directory), found);
    open.push(...found.below);
  }
  return graph;
}

function foundAt(directory: string, file: string, whole: string, known: KnownKustomizations): Found {
  const kustomization = known.of(file);
  if (isProblem(kustomization)) return { directory, file, files: [file, ...filesBeside(file)], below: [] };
  const { references } = kustomization;
  const named = references.filter(({ state }) => state === 'file').map(({ path }) => path);
  const below = references.filter(({ state, path }) => state === 'directory' && resolve(path) !== resolve(directory)).map(({ path }) => path);
  return { directory, file, kustomization, files: [file, ...named.filter((one) => isBelow(one, whole))], below };
}

/** Adds the kustomizations that are reached from some. */
function reach(from: readonly Found[], graph: Graph, reached: Set<Found>): void {
  const open = [...from];
  for (let one = open.pop(); one; one = open.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    for (const directory of one.below) {
      const next = graph.get(resolve(directory));
      if (next) open.push(next);
    }
  }
}

/** Those that no other one has; of a cycle, the first by name. */
function rootKustomizations(directories: readonly Directory[], graph: Graph): Root[] {
  const found = directories.flatMap(({ path }) => graph.get(resolve(path)) ?? []);
  const used = new Set(Array.from(graph.values()).flatMap(({ below }) => below.map((one) => resolve(one))));
  const roots = found.filter(({ directory }) => !used.has(resolve(directory)));
  const reached = new Set<Found>();
  reach(roots, graph, reached);
  for (const one of found) {
    if (reached.has(one)) continue;
    roots.push(one);
    reach([one], graph, reached);
  }
  return roots.map((root): Root => {
    const { directory, kustomization } = root;
    if (kustomization?.isComponent) return { kind: 'component', directory };
    const all = new Set<Found>();
    reach([root], graph, all);
    return { kind: 'kustomization', directory, files: [...new Set(Array.from(all).flatMap(({ files }) => files))] };
  });
}
