import { readdirSync, type Dirent } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isKustomizationFile, isKustomizationName, kustomizationFileOf, readKustomization, type Kustomization } from './kustomization';
import { realPathOf } from './paths';
import { repositoryOf } from './repository';
import type { Problem } from '../../output/problem';
import { readLimited } from '../read-limited';

/** Directories of a repository in which its kustomizations are looked for: far more than most have, and read in a second. */
const MAX_DIRECTORIES = 20_000;
const MAX_KUSTOMIZATIONS = 5000;
const MAX_LOOKED_THROUGH_BYTES = 1024 * 1024;
/** Directories that are not of the repository itself. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'vendor']);

export interface PatchFile {
  readonly file: string;
  /** The kind of the patch's target, where it has one. */
  readonly targetKind?: string | undefined;
}

/** A file as a patch of a kustomization. */
export interface PatchOf {
  readonly by: Kustomization;
  readonly patch: PatchFile;
}

interface KustomizationText {
  readonly file: string;
  readonly text: string;
}

/** Kustomizations, each read once: many overlays have the same bases. */
export class KnownKustomizations {
  private readonly read = new Map<string, Kustomization | Problem>();
  private readonly repositories = new Map<string, readonly KustomizationText[]>();
  private readonly repositoryAt = new Map<string, string | undefined>();

  public of(file: string): Kustomization | Problem {
    return once(this.read, file, () => readKustomization(file));
  }

  /** The kustomization that has a file as a patch: of its directory, of the one above, or elsewhere in the repository. */
  public patchOf(file: string): PatchOf | undefined {
    const own = dirname(file);
    const near = [own, join(own, '..')].flatMap((directory) => kustomizationFileOf(directory) ?? []);
    return this.patchBy(file, near) ?? this.patchBy(file, this.naming(file));
  }

  private patchBy(file: string, kustomizations: readonly string[]): PatchOf | undefined {
    const path = realPathOf(resolve(file));
    for (const one of kustomizations) {
      const by = this.of(one);
      if (isProblem(by)) continue;
      const found = by.references.find((reference) => reference.use === 'patch' && realPathOf(resolve(reference.path)) === path);
      if (found) return { by, patch: { file, targetKind: found.targetKind } };
    }
    return undefined;
  }

  /** The kustomizations of a file's repository that may name it as a patch: reading them all would take long. */
  private naming(file: string): string[] {
    const directory = dirname(file);
    const repository = once(this.repositoryAt, directory, () => repositoryOf(directory));
    if (repository === undefined) return [];
    const texts = once(this.repositories, repository, () => kustomizationsIn(repository));
    const found = texts.filter(({ text }) => text.includes(basename(file)));
    // Paths are named as they are given.
    return found.map((one) => (isAbsolute(file) ? one.file : relative('.', one.file)));
  }
}

export function isProblem(value: object): value is Problem {
  return 'message' in value;
}

/** The kustomizations of a repository that have patches; breadth first. */
function kustomizationsIn(repository: string): KustomizationText[] {
  const found: KustomizationText[] = [];
  const open = [repository];
  for (let read = 0; read < open.length && found.length < MAX_KUSTOMIZATIONS; read += 1) {
    const directory = open[read]!;
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !LEFT_OUT.has(entry.name) && open.length < MAX_DIRECTORIES) open.push(path);
      } else if (isKustomizationName(entry.name)) {
        const text = textOf(path);
        if (text.includes('patch') && isKustomizationFile(path)) found.push({ file: path, text });
      }
    }
  }
  return found;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // Not readable: another directory may be.
  }
}

function textOf(file: string): string {
  try {
    return readLimited(file, MAX_LOOKED_THROUGH_BYTES);
  } catch {
    return ''; // Its problem is told where it is given.
  }
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  if (known.has(key)) return known.get(key)!;
  const made = make();
  known.set(key, made);
  return made;
}
