import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { helmTool, isChart, renderChart, templateFiles } from './chart';
import { filesOfDirectory, isDirectory, manifestFiles } from './files';
import type { Folders } from './folder-options';
import { isKustomizationFile, kustomizationFileOf } from './kustomization';
import { isBelow, isProblem, kustomizationsNear, patchOf, readKustomizationTree, realPathOf, type KnownKustomizations, type KustomizationTree } from './kustomization-tree';
import { buildKustomization, kustomizeTool, type Build } from './kustomize-build';
import type { Root } from './roots';
import type { Problem } from '../../output/problem';

/** A text with objects, and how it is read. */
export interface Source {
  readonly file: string;
  /** `given`: by its own path; `found`: in a directory, where what is no object is left aside. */
  readonly role: 'given' | 'found' | 'patch';
  /** The output of a tool, in place of the file's text. */
  readonly built?: BuiltText;
  /** Whether objects may have more than is written here, or other names. */
  readonly isPartial?: boolean;
  /** Whether it is one of a chart. */
  readonly isTemplate?: boolean;
  /** The kind that a patch is for. */
  readonly targetKind?: string | undefined;
}

export type BuiltText =
  | { readonly by: 'kustomize'; readonly build: Build; readonly tree: KustomizationTree }
  | { readonly by: 'helm'; readonly text: string; readonly directory: string };

/** The texts that a path stands for. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly problems: readonly Problem[];
  /** Things that one should know, and that are no mistakes. */
  readonly notes: readonly Problem[];
}

/** The texts that a path stands for: a file, a directory of files, what a kustomization builds, what a chart renders to. */
export function sourcesOf(path: string, folders: Folders): Sources {
  if (isDirectory(path)) return sourcesOfDirectory(path, folders);
  if (isKustomizationFile(path)) return sourcesOfKustomization(path, folders);
  return sourcesOfFiles(manifestFiles(path), 'given');
}

function sourcesOfDirectory(directory: string, folders: Folders): Sources {
  const kustomization = kustomizationFileOf(directory);
  if (kustomization !== undefined && isKustomizationFile(kustomization)) return sourcesOfKustomization(kustomization, folders);
  if (isChart(namesIn(directory))) return sourcesOfChart(directory, folders);
  return sourcesOfFiles(manifestFiles(directory), 'found');
}

/** The texts of what is applied by itself in a tree of directories. */
export function sourcesOfRoot(root: Root, folders: Folders, known?: KnownKustomizations): Sources {
  if (root.kind === 'files') return { sources: root.files.map((file) => ({ file, role: 'found' })), problems: [], notes: [] };
  if (root.kind === 'chart') return sourcesOfChart(root.directory, folders);
  // Components are no whole: they are built by the kustomizations that have them.
  return sourcesOfKustomization(kustomizationFileOf(root.directory)!, folders, { isComponent: root.kind === 'component', known });
}

/** Files as they are, patches of the kustomizations near them apart. */
export function sourcesOfFiles(files: readonly ({ readonly file: string } | Problem)[], role: 'given' | 'found'): Sources {
  const near = new Map<string, ReturnType<typeof kustomizationsNear>>();
  const notes: Problem[] = [];
  const sources = files.flatMap((found): Source[] => {
    if (isProblem(found)) return [];
    const { file } = found;
    const directory = dirname(file);
    if (file !== '-' && !near.has(directory)) near.set(directory, kustomizationsNear(file));
    const patch = file === '-' ? undefined : patchOf(file, near.get(directory)!);
    if (!patch) return [{ file, role }];
    if (role === 'given') {
      notes.push({ file, message: `is a patch of ${patch.by.file}, and is judged as one`, fix: `give ${patch.by.directory} for what it becomes` });
    }
    return [{ file, role: 'patch', targetKind: patch.patch.targetKind }];
  });
  return { sources, problems: files.filter((one) => isProblem(one)), notes };
}

interface KustomizationUse {
  /** Without the kustomization that has it, it is not built. */
  readonly isComponent?: boolean;
  readonly known?: KnownKustomizations | undefined;
}

function sourcesOfKustomization(file: string, folders: Folders, { isComponent = false, known }: KustomizationUse = {}): Sources {
  const read = readKustomizationTree(file, known);
  if (isProblem(read)) {
    const others = filesOfDirectory(dirname(file)).filter((one) => isProblem(one) || one.file !== file);
    const { sources } = sourcesOfFiles(others, 'found');
    return { sources: sources.map((source) => ({ ...source, isPartial: true })), problems: [read], notes: [] };
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

function repositoryOf(directory: string): string | undefined {
  for (let at = realPathOf(resolve(directory)); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The files of a kustomization one by one. */
function notBuilt(tree: KustomizationTree, notes: readonly Problem[]): Sources {
  const { sources, problems } = asWritten(tree);
  const isRead = { file: tree.root.file, message: 'is not built: its files are read one by one, and its patches as patches', fix: `kubectl kustomize ${tree.root.directory} builds it` };
  return { sources: sources.map((source) => ({ ...source, isPartial: true })), problems, notes: [...notes, isRead] };
}

function asWritten({ objectFiles, patchFiles, problems, isPlain }: KustomizationTree): Sources {
  const patches = new Map(patchFiles.map((patch) => [resolve(patch.file), patch]));
  const objects = objectFiles.filter((file) => !patches.has(resolve(file))).map((file): Source => ({ file, role: 'given', isPartial: !isPlain }));
  return { sources: [...objects, ...patchFiles.map((patch): Source => ({ ...patch, role: 'patch' }))], problems, notes: [] };
}

function sourcesOfChart(directory: string, folders: Folders): Sources {
  const file = join(directory, 'Chart.yaml');
  const templates = templateFiles(directory).map((template): Source => ({ file: template, role: 'found', isTemplate: true }));
  if (folders.asWritten) return { sources: templates, problems: [], notes: [] };
  const tool = folders.tools ? folders.tools.helm : helmTool();
  const values = folders.values ?? [];
  const run = tool ? renderChart(directory, values, tool, folders.limits) : { failure: 'there is no helm on the PATH' };
  if ('output' in run) return { sources: [{ file, role: 'given', built: { by: 'helm', text: run.output, directory } }], problems: [], notes: [] };
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
