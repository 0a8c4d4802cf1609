import { grantLabel } from './grant-name';
import type { IPrincipal } from './principal';
import { RoleGrant } from './role-grant';
import { omitUndefined } from '../../util/records';
import type { ResourceInternals } from '../resource-internals';
import type { IAzureResourceRef } from '../resource-reference';

/** The grant of a role on a resource; the same one for the same role and principal. */
export function grantOn(resource: ResourceInternals & IAzureResourceRef, role: IAzureResourceRef, to: IPrincipal): RoleGrant {
  const where = `[${resource.node.path}] grant`;
  const principal = to?.principal;
  if (!principal) {
    throw new Error(`${where} to: is no principal. Give an identity (UserAssignedIdentity), the output with an object id, or Principal.fromObjectId(id).`);
  }
  const wanted = principal.objectIdFromConfig ?? principal.objectId!;
  const scope = resource.node.scope!;
  const { namespace } = resource._given.metadata ?? {};
  const id = `${resource.node.id}-${grantLabel(role.azureResourceRef, wanted)}`;
  return (scope.node.tryFindChild(id) as RoleGrant | undefined) ?? new RoleGrant(scope, id, omitUndefined({
    on: resource,
    role,
    to: principal.objectIdFromConfig,
    principalId: principal.objectId,
    principalType: principal.type,
    metadata: namespace === undefined ? undefined : { namespace },
  }));
}
