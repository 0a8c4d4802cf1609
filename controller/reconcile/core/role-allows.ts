import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { armTypeOf } from '../../../src/azure/arm-id';
import { builtInRoleId } from '../../../src/azure/built-in-roles';
import { allows } from '../../../src/azure/permissions/action-match';
import { builtInPermission } from '../../../src/azure/permissions/built-in-permissions';
import { resourceActions } from '../../../src/azure/permissions/needed-actions';

/** Whether a role suffices to manage and to delete a resource; `unknown` for custom roles. */
export function roleAllows(assignment: KubernetesObject, armId: string): 'yes' | 'no' | 'unknown' {
  const permission = permissionOf(assignment);
  const type = armTypeOf(armId);
  if (!permission || type === undefined) return 'unknown';
  const given = resourceActions(type, { writes: true, deletes: true }).map((action) => allows([permission], action));
  // The condition of a role assignment is not evaluated.
  if (given.every(Boolean)) return assignment.spec?.condition ? 'unknown' : 'yes';
  // The last one is the permission to delete.
  return given.at(-1) ? 'unknown' : 'no';
}

function permissionOf({ spec, status }: KubernetesObject) {
  const { armId, wellKnownName } = (spec?.roleDefinitionReference ?? {}) as { readonly armId?: unknown; readonly wellKnownName?: unknown };
  const named = typeof wellKnownName === 'string' ? builtInRoleId(wellKnownName) : undefined;
  const id = [status?.roleDefinitionId, armId, named].find((one): one is string => typeof one === 'string');
  return id === undefined ? undefined : builtInPermission(id.slice(id.lastIndexOf('/') + 1));
}
