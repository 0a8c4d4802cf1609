import { basename, join, resolve } from 'node:path';
import { manifestFiles, nothingIn } from '../manifests/folders/files';
import type { Manifest, Manifests } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import type { Problem } from '../output/problem';

/** A file with claims, and perhaps with objects that they read. */
export interface ClaimFile {
  readonly file: string;
  /** The file with the objects that are expected: `team.expected.yaml` of `team.yaml`. */
  readonly expectedFile: string;
  readonly objects: readonly Manifest[];
  /** Whether a part of the file is no object. */
  readonly isMalformed: boolean;
}

const EXPECTED = /\.expected\.ya?ml$/;

/**
 * Reads claims from files and directories, without the expected files beside them.
 * @param without files that have no claims where they are found in a directory. One that is given by its own path has claims all the same.
 * @param expected directory of the expected files; by default each is beside its claims
 */
export function readClaimFiles(
  paths: readonly string[], without: readonly string[], expected?: string,
): { readonly files: readonly ClaimFile[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const files: ClaimFile[] = [];
  const others = new Set(without.map((file) => resolve(file)));
  for (const path of paths) {
    const isClaimFile = (file: string) => file === path || (!EXPECTED.test(file) && !others.has(resolve(file)));
    const sources = manifestFiles(path).filter((source) => 'message' in source || isClaimFile(source.file));
    if (sources.length === 0) problems.push(...nothingIn(path));
    for (const source of sources) {
      if ('message' in source) {
        problems.push(source);
        continue;
      }
      const { file } = source;
      const read = readManifests([file]);
      problems.push(...read.problems);
      const expectedName = `${file.replace(/\.(ya?ml|json)$/, '')}.expected.yaml`;
      const expectedFile = expected === undefined ? expectedName : join(expected, basename(expectedName));
      const other = files.find((one) => one.expectedFile === expectedFile);
      if (other) problems.push({ file, message: `its expected file is that of ${other.file} too: ${expectedFile}`, fix: 'give the two files different names, or test them one at a time with different directories' });
      else files.push({ file, expectedFile, objects: read.manifests, isMalformed: read.problems.length > 0 });
    }
  }
  return { files, problems };
}

/** Reads objects from files and directories, without the expected files in directories. */
export function readObjectFiles(paths: readonly string[]): Manifests {
  const sources = paths.flatMap((path) => manifestFiles(path).filter(({ file }) => file === path || !EXPECTED.test(file)));
  const read = readManifests(sources.flatMap((source) => ('message' in source ? [] : [source.file])));
  return { ...read, problems: [...sources.filter((source) => 'message' in source), ...read.problems] };
}
