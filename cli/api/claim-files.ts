import { resolve } from 'node:path';
import { manifestFiles, nothingIn, readManifests, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';

/** A file with claims, and perhaps with objects that they read. */
export interface ClaimFile {
  readonly file: string;
  /** The file with the objects that are expected: `team.expected.yaml` of `team.yaml`. */
  readonly expectedFile: string;
  readonly objects: readonly Manifest[];
}

const EXPECTED = /\.expected\.ya?ml$/;

/**
 * Reads claims from files and directories, without the expected files beside them.
 * @param without files that have no claims
 */
export function readClaimFiles(
  paths: readonly string[], without: readonly string[],
): { readonly files: readonly ClaimFile[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const files: ClaimFile[] = [];
  const others = new Set(without.map((file) => resolve(file)));
  for (const path of paths) {
    const sources = manifestFiles(path).filter((source) => 'message' in source || (!EXPECTED.test(source.file) && !others.has(resolve(source.file))));
    if (sources.length === 0) problems.push(...nothingIn(path));
    for (const source of sources) {
      if ('message' in source) {
        problems.push(source);
        continue;
      }
      const { file } = source;
      const read = readManifests([file]);
      problems.push(...read.problems);
      files.push({ file, expectedFile: `${file.replace(/\.(ya?ml|json)$/, '')}.expected.yaml`, objects: read.manifests });
    }
  }
  return { files, problems };
}
