import { readFileSync } from 'node:fs';
import { Catalog, FragmentError, parseFragment } from '../../src/catalog';
import { UsageError } from '../output/usage-error';

/**
 * Adds the catalogs that `import-crds` wrote to the catalog of this process.
 * @throws UsageError when a file cannot be read or is no catalog
 */
export function addCatalogs(files: readonly string[] = [], catalog: Catalog = Catalog.default()): void {
  for (const file of files) {
    try {
      catalog.add(parseFragment(readFileSync(file, 'utf8')));
    } catch (error) {
      const why = error instanceof FragmentError ? error.message : `cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}); give the catalog.json that import-crds wrote`;
      throw new UsageError(`--catalog ${file}: ${why}`);
    }
  }
}
