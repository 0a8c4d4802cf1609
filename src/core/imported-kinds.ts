import { Catalog } from '../catalog/catalog';
import { parseFragment } from '../catalog/fragment';

const registered = new Set<string>();

/**
 * Kinds that are not part of this library: `cdk8s-aso import-crds` reads them from newer or private CRDs. The code that it generates
 * registers them.
 */
export class ImportedKinds {
  /**
   * Registers kinds, so that their resources are checked, linked and drawn like all others. Registering the same text again does nothing.
   * @param json content of the `catalog.json` that `cdk8s-aso import-crds` wrote
   * @throws when the text is no such content, or contradicts an earlier registration
   */
  public static register(json: string): void {
    if (registered.has(json)) return;
    Catalog.default().add(parseFragment(json));
    registered.add(json);
  }

  private constructor() {}
}
