import { nothingIn, STANDARD_INPUT, unreadable } from './files';
import type { Folders } from './folder-options';
import { KnownKustomizations } from './known-kustomizations';
import { placedManifests } from './placed-manifests';
import { rootsIn, type Root, type Roots } from './roots';
import { withToolTime } from './run-tool';
import { asideNote, hasContent, isLeftAside, mayHaveAzureObjects, mayHaveObjects } from './set-aside';
import { sourcesOf, sourcesOfRoot, type Source, type Sources } from './sources';
import type { FillScalar } from '../../../engine/yaml/node-value';
import { isRecord } from '../../../src/util/records';
import type { Problem } from '../../output/problem';
import { manifestsIn, type Manifest, type Manifests } from '../manifests';
import { readLimited } from '../read-limited';
import { readSourceText } from '../source-text';

interface Collected {
  readonly manifests: Manifest[];
  readonly problems: Problem[];
  readonly patches: Manifest[];
  readonly notes: Problem[];
}

interface Read extends Collected {
  /** Files without Kubernetes objects. */
  readonly aside: string[];
  /** Templates that may have objects once they are rendered. */
  readonly templates: string[];
}

/** Reads paths, more than once if need be: files are read, and tools run, the first time. */
export class FolderReader {
  private readonly texts = new Map<string, string>();
  private readonly found = new Map<string, Sources>();
  private readonly trees = new Map<string, Roots>();

  private readonly kustomizations = new KnownKustomizations();
  private readonly folders: Folders;

  public constructor(folders: Folders) {
    this.folders = { ...folders, limits: withToolTime(folders.limits) };
  }

  /**
   * The objects of some paths as one set.
   * @param fill the values of scalars whose variables are filled in
   */
  public read(paths: readonly string[], fill?: FillScalar): Required<Manifests> {
    const all: Collected = { manifests: [], problems: [], patches: [], notes: [] };
    for (const path of paths) {
      const read = this.readSources(once(this.found, path, () => sourcesOf(path, this.folders, this.kustomizations)), fill);
      add(all, read);
      all.notes.push(...asideNote(path, read.aside));
      if (isEmpty(read)) all.problems.push(...nothingIn(path));
    }
    return all;
  }

  /** The objects of all that is applied by itself in the directory and below it, each a set. */
  public readTree(directory: string, fill?: FillScalar): Required<Manifests>[] {
    const { roots, problems } = once(this.trees, directory, () => rootsIn(directory, this.kustomizations));
    const aside: string[] = [];
    const sets = roots.map((root) => {
      const key = JSON.stringify([root.kind, root.directory]);
      const sources = once(this.found, key, () => (
        sourcesOfRoot(root, { ...this.foldersFor(root), repository: directory }, this.kustomizations)
      ));
      const { aside: own, ...read } = this.readSources(sources, fill);
      aside.push(...own);
      return read;
    });
    const nothing = sets.every(isEmpty) && problems.length === 0 ? nothingIn(directory, true) : [];
    return [...sets, { manifests: [], patches: [], problems: [...problems, ...nothing], notes: asideNote(directory, aside) }];
  }

  /** A repository may have a thousand kustomizations, and Azure objects in ten: the others are not built, which takes a process each. */
  private foldersFor(root: Root): Folders {
    return root.kind !== 'kustomization' || root.files.some((file) => this.mayHaveAzure(file)) ? this.folders : { ...this.folders, asWritten: true };
  }

  private mayHaveAzure(file: string): boolean {
    try {
      return mayHaveAzureObjects(this.textOf(file));
    } catch {
      return true; // Its problem is told where it is read.
    }
  }

  private readSources({ sources, problems, notes }: Sources, fill?: FillScalar): Read {
    const all: Read = { manifests: [], problems: [...problems], patches: [], notes: [...notes], aside: [], templates: [] };
    for (const source of sources) {
      if (source.built) add(all, placedManifests(source.file, source.built, (file) => this.textOf(file), fill, this.folders.inside));
      else this.readFile(source, all, fill);
    }
    return all;
  }

  private readFile(source: Source, all: Read, fill: FillScalar | undefined): void {
    const { file, role, isPartial, hasOpenValues } = source;
    const name = file === STANDARD_INPUT ? '<stdin>' : file;
    let text: string;
    try {
      text = this.textOf(file);
    } catch (error) {
      all.problems.push(unreadable(name, error));
      return;
    }
    if (role === 'found' && !mayHaveObjects(text)) {
      if (source.isTemplate) all.templates.push(file);
      else if (hasContent(text)) all.aside.push(file);
      return;
    }
    const content = readSourceText(text, name, fill);
    if (role === 'patch') {
      all.patches.push(...patchesIn(manifestsIn(content, this.folders.inside).manifests, source));
      all.problems.push(...content.problems);
      return;
    }
    if (role === 'found' && isLeftAside(content)) {
      all.aside.push(file);
      return;
    }
    const read = manifestsIn(content, this.folders.inside);
    for (const manifest of read.manifests) all.manifests.push(isPartial ? { ...manifest, isPartial, hasOpenValues } : manifest);
    for (const problem of read.problems) {
      if (role === 'found' && problem.cause === 'unnamed') all.aside.push(file);
      else (role === 'found' && problem.cause === 'template' ? all.notes : all.problems).push(problem);
    }
  }

  private textOf(file: string): string {
    let text = this.texts.get(file);
    if (text === undefined) this.texts.set(file, text = readLimited(file === STANDARD_INPUT ? 0 : file));
    return text;
  }
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** There may be more than a call takes arguments. */
function add(all: Collected, { manifests, problems, patches = [], notes = [] }: Manifests): void {
  for (const manifest of manifests) all.manifests.push(manifest);
  for (const problem of problems) all.problems.push(problem);
  for (const patch of patches) all.patches.push(patch);
  for (const note of notes) all.notes.push(note);
}

function isEmpty({ manifests, problems, patches, templates }: Omit<Read, 'aside'>): boolean {
  return manifests.length + problems.length + patches.length + templates.length === 0;
}

/** Patches without what directs the merge (`$patch: delete`, `key: null`), and without those that are for another kind than they say. */
function patchesIn(manifests: readonly Manifest[], { targetKind }: Source): Manifest[] {
  return manifests
    .filter(({ object }) => targetKind === undefined || object.kind === targetKind)
    .map((manifest) => ({ ...manifest, isPartial: true, object: withoutDirectives(manifest.object) }));
}

function withoutDirectives<T>(value: T): T {
  if (Array.isArray(value)) return value.filter((item) => !(isRecord(item) && '$patch' in item)).map((item: unknown) => withoutDirectives(item)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (
    key.startsWith('$') || inner === null ? [] : [[key, withoutDirectives(inner)]]
  ))) as T;
}
