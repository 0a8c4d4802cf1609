import type { Role, TypeExpression } from '../../src/catalog';
import { isArray, isCommon, isMap } from '../../src/catalog';

const ROOT_ROLES: Readonly<Record<string, Role>> = { Owner: 'owner', AzureName: 'azureName', OperatorSpec: 'operatorSpec' };

const ROLES_OF_TYPES: Readonly<Record<string, Role>> = {
  ResourceReference: 'armReference',
  WellKnownResourceReference: 'wellKnownReference',
  SecretReference: 'secret',
  SecretMapReference: 'secretMap',
  ConfigMapReference: 'configMap',
};

/** The role of a Go field on the root type of a spec, or in a status. */
export function rootRole(field: string): Role | undefined {
  return ROOT_ROLES[field];
}

/** The role of values of a type; for arrays and maps, that of the elements. */
export function roleOfType(type: TypeExpression): Role | undefined {
  if (isArray(type)) return roleOfType(type.array);
  if (isMap(type)) return roleOfType(type.map);
  return isCommon(type) ? ROLES_OF_TYPES[type.common] : undefined;
}
