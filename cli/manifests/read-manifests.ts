import { isDirectory } from './folders/files';
import type { Folders } from './folders/folder-options';
import { FolderReader } from './folders/read-folders';
import { KnownValues } from './later/known-values';
import { appliedKeyOf, describeManifest, type Manifest, type Manifests } from './manifests';
import type { FillScalar } from '../../engine/yaml/node-value';
import type { Problem } from '../output/problem';

/**
 * Reads manifests as `kubectl apply -f` does: files with YAML or JSON, one or many documents, lists (`kind: List`), and directories (their
 * own `.yaml`, `.yml` and `.json` files, by name); kustomizations and charts as their tools do. `-` is the standard input. Never throws for
 * what a file contains.
 * @param duplicates an object that stands twice in the files is a problem and left out, unless it is to be kept
 * @param values of the variables in the files; those that Flux's objects in the files substitute are known as well
 */
export function readManifests(
  paths: readonly string[], duplicates: 'refuse' | 'keep' = 'refuse', values: KnownValues = new KnownValues(new Map()), folders: Folders = {},
): Manifests {
  const reader = new FolderReader(folders);
  const read = reader.read(paths);
  const known = values.withFlux(read.manifests.map(({ object }) => object));
  const filled = known.isEmpty ? read : reader.read(paths, (...scalar) => known.fill(...scalar));
  return duplicates === 'keep' ? filled : { ...filled, ...withoutDuplicates(filled.manifests, filled.problems) };
}

/**
 * Reads directories with all that is below them, as the tools do that apply it: each kustomization, each chart and each directory of files
 * is a set by itself. Other paths are a set together.
 */
export function readRepositories(
  paths: readonly string[], values: KnownValues = new KnownValues(new Map()), folders: Folders = {},
): Required<Manifests>[] {
  const reader = new FolderReader(folders);
  const [directories, files] = [true, false].map((isOne) => paths.filter((path) => isDirectory(path) === isOne));
  const readAll = (fill?: FillScalar) => [
    ...directories!.flatMap((directory) => reader.readTree(directory, fill)),
    ...(files!.length > 0 ? [reader.read(files!, fill)] : []),
  ];
  const sets = readAll();
  const known = values.withFlux(sets.flatMap(({ manifests }) => manifests.map(({ object }) => object)));
  return known.isEmpty ? sets : readAll((...scalar) => known.fill(...scalar));
}

function withoutDuplicates(manifests: Manifest[], problems: Problem[]): Manifests {
  const first = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const key = appliedKeyOf(object);
    const other = first.get(key);
    if (other && manifest.inside?.isTemplate === true) continue;
    if (other && other.inside?.isTemplate !== true) {
      problems.push({
        file: manifest.file,
        line: manifest.line,
        object: describeManifest(manifest),
        message: `stands already in ${other.file}:${other.line}; this one is left out`,
        fix: 'remove one of the two or give it another name',
      });
    } else {
      first.set(key, manifest);
    }
  }
  return { manifests: [...first.values()], problems };
}
