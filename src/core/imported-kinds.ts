import { Catalog } from '../catalog/catalog';
import { parseFragment } from '../catalog/fragment';

const registered = new Set<string>();

/**
 * Kinds that this library does not come with: what `cdk8s-aso import-crds` reads from newer or private CRDs. The code that it
 * writes registers them by itself.
 */
export class ImportedKinds {
  /**
   * Makes kinds known, so that their resources are checked, related and drawn like all others. Registering the same text again does nothing.
   * @param json content of the `catalog.json` that `cdk8s-aso import-crds` wrote
   * @throws when the text is no such content, or contradicts what was registered before
   */
  public static register(json: string): void {
    if (registered.has(json)) return;
    Catalog.default().add(parseFragment(json));
    registered.add(json);
  }

  private constructor() {}
}
