/** The `--catalog` option of all commands that look up kinds. */
export const CATALOG_OPTION = ['--catalog <file...>', 'catalog.json of import-crds: kinds that the library does not come with'] as const;

export interface AddedCatalogs {
  readonly catalog?: readonly string[];
}
