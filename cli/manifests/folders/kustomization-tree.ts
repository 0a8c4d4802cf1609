import { dirname } from 'node:path';
import { filesOfDirectory } from './files';
import { isProblem, KnownKustomizations, type PatchFile } from './known-kustomizations';
import { kustomizationFileOf, type Kustomization, type Reference } from './kustomization';
import { isBelow, realPathOf } from './paths';
import type { Problem } from '../../output/problem';
import { readLimited } from '../read-limited';

/** More than any repository has. */
const MAX_REFERENCES = 50_000;
/** Kustomizations, each of them a base of the one before. */
const MAX_DEPTH = 500;
const MAX_SETTING_BYTES = 4 * 1024 * 1024;

/** A kustomization with all that it refers to. */
export interface KustomizationTree {
  readonly root: Kustomization;
  /** Directories of kustomizations, that of the root first. */
  readonly directories: readonly string[];
  /** Files of objects, each once, in the order in which they are named. */
  readonly objectFiles: readonly string[];
  /** Files beside kustomizations that cannot be read: those may name them, and change them. */
  readonly besideUnreadable: readonly string[];
  /** Files of patches, with the kinds that they are for where the kustomization says so. */
  readonly patchFiles: readonly PatchFile[];
  /** All files that a kustomization of the tree refers to. */
  readonly files: ReadonlySet<string>;
  /** Mistakes that keep it from being built. */
  readonly problems: readonly Problem[];
  /** Reasons not to build it that are no mistakes: charts, paths with variables. */
  readonly hindrances: readonly Problem[];
  /** References to what is remote. */
  readonly remote: readonly Problem[];
  /** Files that a kustomization names outside of its directory, and where. */
  readonly outside: readonly { readonly path: string; readonly problem: Problem }[];
  /** Whether a build does nothing but put the files together. */
  readonly isPlain: boolean;
  /** Whether a build may give objects other values than their files have. */
  readonly changesValues: boolean;
  /** Whether these are all files that a build reads. */
  readonly isTransparent: boolean;
}

/** Reads a kustomization and, as far as they are local, those that it refers to; a problem where it cannot be read. */
export function readKustomizationTree(file: string, known = new KnownKustomizations()): KustomizationTree | Problem {
  const root = known.of(file);
  if (isProblem(root)) return root;
  return new TreeReader(root, known).read();
}

/** The manifests beside a kustomization file. */
export function filesBeside(kustomization: string): string[] {
  return filesOfDirectory(dirname(kustomization)).flatMap((one) => (isProblem(one) || one.file === kustomization ? [] : [one.file]));
}

class TreeReader {
  private readonly directories = new Set<string>();
  private readonly objectFiles = new Set<string>();
  private readonly besideUnreadable = new Set<string>();
  private readonly patchFiles = new Map<string, PatchFile>();
  private readonly files = new Set<string>();
  private readonly problems: Problem[] = [];
  private readonly hindrances: Problem[] = [];
  private readonly open = new Set<string>();
  private readonly remote: Problem[] = [];
  private readonly outside: { path: string; problem: Problem }[] = [];
  private isPlain = true;
  private changesValues = false;
  private isTransparent = true;
  private count = 0;

  public constructor(private readonly root: Kustomization, private readonly known: KnownKustomizations) {}

  public read(): KustomizationTree {
    this.enter(this.root, 'object');
    return {
      root: this.root,
      directories: [...this.directories],
      objectFiles: [...this.objectFiles],
      besideUnreadable: [...this.besideUnreadable],
      patchFiles: [...this.patchFiles.values()],
      files: this.files,
      problems: this.problems,
      hindrances: this.hindrances,
      remote: this.remote,
      outside: this.outside,
      isPlain: this.isPlain,
      changesValues: this.changesValues,
      isTransparent: this.isTransparent,
    };
  }

  private enter(kustomization: Kustomization, use: 'object' | 'setting'): void {
    const { directory, file, references, programs } = kustomization;
    this.directories.add(directory);
    this.files.add(file);
    this.isPlain &&= kustomization.isPlain;
    this.changesValues ||= kustomization.changesValues;
    this.isTransparent &&= kustomization.isTransparent;
    const place = realPathOf(directory);
    this.open.add(place);
    for (const { field, line } of programs) {
      this.hindrances.push({ file, line, field, message: 'needs helm, which is not run here', fix: 'give what it builds: kustomize build --enable-helm DIRECTORY' });
    }
    for (const reference of references) this.follow(reference, kustomization, use === 'setting' && reference.use === 'object' ? 'setting' : reference.use);
    this.open.delete(place);
  }

  private follow(reference: Reference, { file, directory }: Kustomization, use: Reference['use']): void {
    this.count += 1;
    if (this.count > MAX_REFERENCES) return;
    if (this.count === MAX_REFERENCES) this.problems.push({ file, message: `refers to more than ${MAX_REFERENCES} files`, fix: 'give its parts one at a time' });
    const { state, path, field, line, text, targetKind } = reference;
    if (state !== 'file' && state !== 'directory') {
      const { problems, hindrances, remote } = this;
      const list = { missing: problems, special: problems, absolute: problems, later: hindrances, remote }[state];
      list.push({ file, line, field, ...UNREADABLE[state](text) });
      return;
    }
    if (state === 'directory') {
      this.followDirectory(reference, file, use === 'setting' ? 'setting' : 'object');
      return;
    }
    this.files.add(path);
    if (!isBelow(path, directory)) this.outside.push({ path, problem: { file, line, field, ...UNREADABLE.outside(text) } });
    if (use === 'object') this.objectFiles.add(path);
    if (use === 'patch' && !this.patchFiles.has(path)) this.patchFiles.set(path, { file: path, targetKind });
    if (use === 'setting') this.lookIntoSetting(reference, file);
  }

  private followDirectory({ path, field, line, text }: Reference, file: string, use: 'object' | 'setting'): void {
    if (this.open.has(realPathOf(path))) {
      this.problems.push({ file, line, field, message: `${text} is a cycle: it leads back to this kustomization`, fix: 'remove it' });
      return;
    }
    if (this.directories.has(path)) return;
    if (this.open.size === MAX_DEPTH) {
      this.problems.push({ file, line, field, message: `${text} is the base of ${MAX_DEPTH} others, and is not read`, fix: 'give it by itself' });
      return;
    }
    const inside = kustomizationFileOf(path);
    if (inside === undefined) {
      if (field === 'configMapGenerator' || field === 'secretGenerator') return;
      this.problems.push({ file, line, field, message: `${text} is a directory without kustomization.yaml`, fix: 'name its files, or write a kustomization.yaml there' });
      return;
    }
    const kustomization = this.known.of(inside);
    if (!isProblem(kustomization)) {
      this.enter(kustomization, use);
      return;
    }
    this.problems.push(kustomization);
    for (const beside of filesBeside(inside)) this.besideUnreadable.add(beside);
  }

  /** Generators and transformers may be charts or programs, or read what is remote. */
  private lookIntoSetting({ path, field, line, text }: Reference, file: string): void {
    if (!['generators', 'transformers', 'validators'].includes(field)) return;
    let content: string;
    try {
      content = readLimited(path, MAX_SETTING_BYTES);
    } catch {
      return; // The build says so.
    }
    if (/\bkind["']?:\s*["']?HelmChartInflationGenerator\b|\bconfig\.kubernetes\.io\/function\b/.test(content)) {
      this.hindrances.push({ file, line, field, message: `${text} is a chart or a program, which is not run here`, fix: 'give what kustomize builds with it' });
    } else if (/^[ \t-]{0,500}["']?path["']?:[ \t]{0,99}["']?https?:\/\//m.test(content)) {
      this.remote.push({ file, line, field, ...UNREADABLE.remote(text) });
    }
  }
}

const UNREADABLE = {
  remote: (text: string) => ({ message: `${text} is remote and is not fetched`, fix: '--remote-bases lets kustomize fetch it' }),
  missing: (text: string) => ({ message: `${text} is not there`, fix: 'correct the path' }),
  special: (text: string) => ({ message: `${text} is neither a file nor a directory, and is not read`, fix: 'name a file' }),
  absolute: (text: string) => ({ message: `${text} is an absolute path, and is not read`, fix: 'write the path from the kustomization' }),
  outside: (text: string) => ({ message: `${text} is outside of its directory and of the repository, and is not read`, fix: 'have it in the repository' }),
  later: (text: string) => ({ message: `${text} is a path that comes later`, fix: 'write the path: kustomize and Flux fill in no variables there' }),
};
