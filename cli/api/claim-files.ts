import { manifestFiles, nothingIn, readManifests, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';

/** The claims of a file. */
export interface ClaimFile {
  readonly file: string;
  /** The file with the objects that are expected: `team.expected.yaml` of `team.yaml`. */
  readonly expectedFile: string;
  readonly claims: readonly Manifest[];
}

const EXPECTED = /\.expected\.ya?ml$/;

/** Reads claims from files and directories, without the expected files beside them. */
export function readClaimFiles(paths: readonly string[]): { readonly files: readonly ClaimFile[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const files: ClaimFile[] = [];
  for (const path of paths) {
    const sources = manifestFiles(path).filter((source) => 'message' in source || !EXPECTED.test(source.file));
    if (sources.length === 0) problems.push(...nothingIn(path));
    for (const source of sources) {
      if ('message' in source) {
        problems.push(source);
        continue;
      }
      const { file } = source;
      const read = readManifests([file]);
      problems.push(...read.problems);
      files.push({ file, expectedFile: `${file.replace(/\.(ya?ml|json)$/, '')}.expected.yaml`, claims: read.manifests });
    }
  }
  return { files, problems };
}
