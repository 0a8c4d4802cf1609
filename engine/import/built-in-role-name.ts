import { builtInRoleName } from '../../src/azure/built-in-roles';
import { isRecord, type JsonObject, memberIgnoringCase } from '../../src/util/records';

/** The name of the built-in role that an assignment gives; undefined for custom roles and everything that is no assignment. */
export function assignedRoleName(answer: JsonObject): string | undefined {
  const properties = memberIgnoringCase(answer, 'properties');
  const role = isRecord(properties) ? memberIgnoringCase(properties, 'roleDefinitionId') : undefined;
  return typeof role === 'string' ? roleNameOf(role) : undefined;
}

/** The name of a built-in role by the id of its definition. */
export function roleNameOf(definitionId: string): string | undefined {
  const id = definitionId.toLowerCase();
  return id.includes('/roledefinitions/') ? builtInRoleName(id.slice(id.lastIndexOf('/') + 1)) : undefined;
}
