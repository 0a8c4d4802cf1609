import { builtInRoleId, builtInRoleNames } from '../../src/azure/built-in-roles';
import { isRecord } from '../../src/util/records';
import { memberIgnoringCase, type JsonObject } from '../convert/json';

let names: ReadonlyMap<string, string> | undefined;

/** The name of the built-in role that an assignment gives; undefined for custom roles and everything that is no assignment. */
export function builtInRoleName(answer: JsonObject): string | undefined {
  const properties = memberIgnoringCase(answer, 'properties');
  const role = isRecord(properties) ? memberIgnoringCase(properties, 'roleDefinitionId') : undefined;
  return typeof role === 'string' ? roleNameOf(role) : undefined;
}

/** The name of a built-in role by the id of its definition. */
export function roleNameOf(definitionId: string): string | undefined {
  names ??= new Map(builtInRoleNames().map((name) => [builtInRoleId(name)!.toLowerCase(), name]));
  const id = definitionId.toLowerCase();
  return id.includes('/roledefinitions/') ? names.get(id.slice(id.lastIndexOf('/') + 1)) : undefined;
}
