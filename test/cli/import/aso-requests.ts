import { ImportableKinds } from '../../../engine/import/importable-kinds';
import { armTypeOf } from '../../../src/azure/arm-id';
import { Catalog } from '../../../src/catalog';

const GROUP = 'Microsoft.Resources/resourceGroups';

/**
 * The requests of ASO's import for these resources: one `GET` each, and one list for each type that a resource may have as a child or an
 * extension; of a group, for each type that is made in groups.
 * @see https://github.com/Azure/azure-service-operator/blob/main/v2/cmd/asoctl/pkg/importresources/importable_arm_resource.go
 */
export function asoRequests(ids: readonly string[]): number {
  const catalog = Catalog.default();
  const kinds = new ImportableKinds(catalog);
  const inGroups = catalog.allKinds.filter(({ latest: { facts } }) => facts.scope === 'resourcegroup' && facts.arm!.type.split('/').length === 2).length;
  const lists = (id: string) => {
    const extensions = kinds.of(id)?.facts.scope === 'extension' ? 0 : kinds.extensions.length;
    return kinds.childrenOf(id).length + extensions + (armTypeOf(id) === GROUP ? inGroups : 0);
  };
  return ids.reduce((sum, id) => sum + 1 + lists(id), 0);
}
