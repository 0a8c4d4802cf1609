import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { helmTool, isChart, isLibraryChart, renderChart, templateFiles } from './chart';
import { isDirectory, manifestFiles, STANDARD_INPUT } from './files';
import type { Folders } from './folder-options';
import { isProblem, KnownKustomizations, type PatchOf } from './known-kustomizations';
import { isKustomizationFile, kustomizationFileOf } from './kustomization';
import { filesBeside, readKustomizationTree, type KustomizationTree } from './kustomization-tree';
import { buildKustomization, kustomizeTool, type Build } from './kustomize-build';
import { isBelow } from './paths';
import { repositoryOf } from './repository';
import type { Root } from './roots';
import { groupBy } from '../../../src/util/group-by';
import { counted, firstOf, plural } from '../../../src/util/words';
import type { Problem } from '../../output/problem';

const MAX_NAMED = 5;

/** A text with objects, and how it is read. */
export interface Source {
  readonly file: string;
  /** `given`: by its own path; `found`: in a directory, where what is no object is left aside. */
  readonly role: 'given' | 'found' | 'patch';
  /** The output of a tool, in place of the file's text. */
  readonly built?: BuiltText;
  /** Whether objects may have more than is written here, or other names. */
  readonly isPartial?: boolean;
  /** Whether patches and replacements that are not known may change its values. */
  readonly hasOpenValues?: boolean;
  /** Whether it is one of a chart. */
  readonly isTemplate?: boolean;
  /** The kind that a patch is for. */
  readonly targetKind?: string | undefined;
}

export type BuiltText =
  | { readonly by: 'kustomize'; readonly build: Build; readonly tree: KustomizationTree }
  | { readonly by: 'helm'; readonly text: string; readonly directory: string; readonly hasDefaults: boolean };

/** The texts that a path stands for. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly problems: readonly Problem[];
  /** Things that one should know, and that are no mistakes. */
  readonly notes: readonly Problem[];
}

/** The texts that a path stands for: a file, a directory of files, what a kustomization builds, what a chart renders to. */
export function sourcesOf(path: string, folders: Folders, known = new KnownKustomizations()): Sources {
  if (isDirectory(path)) return sourcesOfDirectory(path, folders, known);
  if (isKustomizationFile(path)) return sourcesOfKustomization(path, folders, { known });
  return sourcesOfFiles(manifestFiles(path), 'given', known);
}

function sourcesOfDirectory(directory: string, folders: Folders, known: KnownKustomizations): Sources {
  const kustomization = kustomizationFileOf(directory);
  if (kustomization !== undefined && isKustomizationFile(kustomization)) return sourcesOfKustomization(kustomization, folders, { known });
  if (isChart(namesIn(directory))) return sourcesOfChart(directory, folders);
  return sourcesOfFiles(manifestFiles(directory), 'found', known);
}

/** The texts of what is applied by itself in a tree of directories. */
export function sourcesOfRoot(root: Root, folders: Folders, known: KnownKustomizations): Sources {
  if (root.kind === 'files') return sourcesOfFiles(root.files.map((file) => ({ file })), 'found', known);
  if (root.kind === 'chart') return sourcesOfChart(root.directory, folders);
  // Components are no whole: they are built by the kustomizations that have them.
  return sourcesOfKustomization(kustomizationFileOf(root.directory)!, folders, { isComponent: root.kind === 'component', known });
}

/** Files as they are, patches of the kustomizations of their repository apart. */
function sourcesOfFiles(
  files: readonly ({ readonly file: string } | Problem)[], role: 'given' | 'found', known: KnownKustomizations,
): Sources {
  const patches: PatchOf[] = [];
  const sources = files.flatMap((found): Source[] => {
    if (isProblem(found)) return [];
    const { file } = found;
    const patch = file === STANDARD_INPUT ? undefined : known.patchOf(file);
    if (!patch) return [{ file, role }];
    patches.push(patch);
    return [{ file, role: 'patch', targetKind: patch.patch.targetKind }];
  });
  return { sources, problems: files.filter((one) => isProblem(one)), notes: patchNotes(patches) };
}

/** One note for the patches of a kustomization in a directory. */
function patchNotes(patches: readonly PatchOf[]): Problem[] {
  const groups = groupBy(patches, ({ by, patch }) => JSON.stringify([by.file, dirname(patch.file)]));
  return Array.from(groups.values(), (ones) => {
    const { by, patch } = ones[0]!;
    const fix = `give ${by.directory} for what it becomes`;
    if (ones.length === 1) return { file: patch.file, message: `is a patch of ${by.file}, and is judged as one`, fix };
    const names = firstOf(ones.map((one) => basename(one.patch.file)), MAX_NAMED);
    return { file: dirname(patch.file), message: `${counted(ones.length, 'file')} ${plural(ones.length, 'is', 'are')} patches of ${by.file}, and judged as such: ${names}`, fix };
  });
}

interface KustomizationUse {
  /** Without the kustomization that has it, it is not built. */
  readonly isComponent?: boolean;
  readonly known: KnownKustomizations;
}

function sourcesOfKustomization(file: string, folders: Folders, { isComponent = false, known }: KustomizationUse): Sources {
  const read = readKustomizationTree(file, known);
  if (isProblem(read)) {
    return { sources: filesBeside(file).map(besideUnreadable), problems: [read], notes: [] };
  }
  const tree = withinRepository(read, folders.repository);
  if (folders.asWritten) return { ...asWritten(tree), notes: tree.remote };
  if (isComponent) return { ...notBuilt(tree, []), notes: [] };
  const hindrances = [...(folders.remoteBases ? [] : tree.remote), ...tree.hindrances];
  if (tree.problems.length + hindrances.length > 0) return notBuilt(tree, hindrances);
  // Kustomize takes the square of the time for many files; without transformers there is nothing to learn from it.
  if (tree.isPlain && tree.remote.length === 0) return asWritten(tree);
  const tool = folders.tools ? folders.tools.kustomize : kustomizeTool();
  if (!tool) {
    return notBuilt(tree, [{ file: tree.root.file, message: 'is not built: neither kustomize nor kubectl is on the PATH', fix: 'install one of them, or give what they build' }]);
  }
  // The files of generators and remote bases are not known before: kustomize keeps them in their directories.
  const opens = tree.outside.length > 0 && tree.isTransparent && tree.remote.length === 0;
  const limits = { ...folders.limits, fetches: folders.remoteBases === true };
  const build = buildKustomization(tree.root, opens ? { ...tool, args: [...tool.args, ...UNRESTRICTED] } : tool, limits);
  if (!('failure' in build)) {
    const note = { file: tree.root.file, message: `reads files outside of its directory: ${tool.name} needs ${UNRESTRICTED.join(' ')}`, fix: 'Flux needs nothing' };
    return { sources: [{ file: tree.root.file, role: 'given', built: { by: 'kustomize', build, tree } }], problems: [], notes: opens ? [note] : [] };
  }
  if (build.isOutOfTime) {
    return notBuilt(tree, [{ file: tree.root.file, message: `${tool.name}: ${build.failure}`, fix: 'give fewer directories at a time' }]);
  }
  const failure: Problem = { file: tree.root.file, message: `${tool.name}: ${build.failure}`, fix: 'correct the kustomization, so that the tool builds it' };
  return { ...notBuilt(tree, []), problems: [failure] };
}

const UNRESTRICTED: readonly string[] = ['--load-restrictor', 'LoadRestrictionsNone'];

/**
 * Files outside of the directory of a kustomization are read if they are in its repository: Flux lets it, and Argo CD and kustomize do
 * where they are told to. Files elsewhere on the machine are left out.
 */
function withinRepository(tree: KustomizationTree, whole: string | undefined): KustomizationTree {
  if (tree.outside.length === 0) return tree;
  const repository = repositoryOf(tree.root.directory) ?? whole;
  const strangers = tree.outside.filter(({ path }) => repository === undefined || !isBelow(path, repository));
  if (strangers.length === 0) return tree;
  const paths = new Set(strangers.map(({ path }) => path));
  return {
    ...tree,
    objectFiles: tree.objectFiles.filter((file) => !paths.has(file)),
    patchFiles: tree.patchFiles.filter(({ file }) => !paths.has(file)),
    problems: [...tree.problems, ...strangers.map(({ problem }) => problem)],
  };
}

/** The files of a kustomization one by one. */
function notBuilt(tree: KustomizationTree, notes: readonly Problem[]): Sources {
  const { sources, problems } = asWritten(tree);
  const isRead = { file: tree.root.file, message: 'is not built: its files are read one by one, and its patches as patches', fix: `kubectl kustomize ${tree.root.directory} builds it` };
  return { sources: sources.map((source) => ({ ...source, isPartial: true })), problems, notes: [...notes, isRead] };
}

/** A file that a kustomization may name, and change: the objects that it makes of it are not known. */
function besideUnreadable(file: string): Source {
  return { file, role: 'found', isPartial: true, hasOpenValues: true };
}

function asWritten({ objectFiles, patchFiles, besideUnreadable: others, problems, isPlain, changesValues }: KustomizationTree): Sources {
  const patches = new Map(patchFiles.map((patch) => [resolve(patch.file), patch]));
  const objects = objectFiles.filter((file) => !patches.has(resolve(file))).map((file): Source => ({ file, role: 'given', isPartial: !isPlain, hasOpenValues: changesValues }));
  const patchSources = patchFiles.map((patch): Source => ({ ...patch, role: 'patch' }));
  return { sources: [...objects, ...others.map(besideUnreadable), ...patchSources], problems, notes: [] };
}

function sourcesOfChart(directory: string, folders: Folders): Sources {
  const file = join(directory, 'Chart.yaml');
  if (isLibraryChart(directory)) {
    const note = { file, message: 'is a library chart: helm renders it in other charts alone', fix: 'give a chart that depends on it' };
    return { sources: [], problems: [], notes: [note] };
  }
  const templates = templateFiles(directory).map((template): Source => ({ file: template, role: 'found', isTemplate: true }));
  if (folders.asWritten) return { sources: templates, problems: [], notes: [] };
  const tool = folders.tools ? folders.tools.helm : helmTool();
  const values = folders.values ?? [];
  const run = tool ? renderChart(directory, values, tool, folders.limits) : { failure: 'there is no helm on the PATH' };
  if ('output' in run) {
    const built = { by: 'helm', text: run.output, directory, hasDefaults: values.length === 0 } as const;
    return { sources: [{ file, role: 'given', built }], problems: [], notes: [] };
  }
  const note = {
    file,
    message: `is not rendered: ${tool ? `${tool.name}: ` : ''}${run.failure}; its templates are read as far as they are YAML`,
    fix: tool ? '--values FILE gives a chart its values' : `helm template ${directory} renders it`,
  };
  return { sources: templates, problems: [], notes: [note] };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // The files of the directory have the problem.
  }
}
