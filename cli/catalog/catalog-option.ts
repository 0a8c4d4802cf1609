import { Option } from 'commander';

/**
 * The `--catalog` option of all commands that look up kinds. It takes one file, and may be given several times: an option that takes all
 * that follows would take the manifests too.
 */
export function catalogOption(): Option {
  return new Option('--catalog <file>', 'catalog.json of import-crds: kinds that the library does not come with; may be repeated')
    .argParser((file: string, before: readonly string[] | undefined) => [...(before ?? []), file]);
}

export interface AddedCatalogs {
  readonly catalog?: readonly string[];
}
