import type { Mutation } from './writer';
import { isUuidNamed } from '../../../src/azure/uuid-names';
import type { Catalog } from '../../../src/catalog';
import { parseApiVersion } from '../../../src/object-id';
import { isRecord } from '../../../src/util/records';

/** The behaviour of the defaulting webhook of most kinds: an empty `spec.azureName` becomes `metadata.name`. */
export function azureNameDefaulting(catalog: Catalog): Mutation {
  return (object) => {
    const { group, version } = parseApiVersion(object.apiVersion);
    const facts = catalog.kind(group, object.kind)?.version(version)?.facts;
    if (facts?.name !== 'azureName' || isUuidNamed(group, object.kind)) return object;
    const spec = isRecord(object.spec) ? object.spec : {};
    return spec.azureName || spec.azureNameFromConfig ? object : { ...object, spec: { ...spec, azureName: object.metadata.name } };
  };
}
