import type { Catalog } from '../../../src/catalog';
import { isObject, splitApiVersion } from '../objects';
import type { Mutation } from './writer';

/** Their names are UUIDs that depend on owner and namespace: the controller or the client makes them. */
const UUID_NAMED = new Set(['authorization.azure.com/RoleAssignment', 'authorization.azure.com/RoleDefinition', 'documentdb.azure.com/SqlRoleAssignment']);

/** What the defaulting webhook of most kinds does: an empty `spec.azureName` becomes `metadata.name`. */
export function azureNameDefaulting(catalog: Catalog): Mutation {
  return (object) => {
    const { group, version } = splitApiVersion(object.apiVersion);
    const facts = catalog.kind(group, object.kind)?.version(version)?.facts;
    if (facts?.name !== 'azureName' || UUID_NAMED.has(`${group}/${object.kind}`)) return object;
    const spec = isObject(object.spec) ? object.spec : {};
    return spec.azureName || spec.azureNameFromConfig ? object : { ...object, spec: { ...spec, azureName: object.metadata.name } };
  };
}
