import { hasTarget, parseArmPath, targetOf } from './arm-path';
import { AzureError } from './errors';
import { allows, type Permission } from '../../../src/azure/permissions/action-match';
import { builtInPermission } from '../../../src/azure/permissions/built-in-permissions';
import { actionPrefixOf } from '../../../src/azure/permissions/needed-actions';
import type { Answer } from '../model/answer';
import { identityWithClientId } from '../model/identities';
import { scaled, type Simulation } from '../model/simulation';
import type { Json } from '../model/store';

const ROLE_ASSIGNMENT = 'Microsoft.Authorization/roleAssignments';
const ROLE_DEFINITION = 'Microsoft.Authorization/roleDefinitions';
const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
  POST: 'action',
};

/**
 * Why an identity that was made here may not do something: no role assignment on the resource or above, that is known everywhere yet, has
 * a role with the action. Roles whose actions are not known here allow all. Undefined: it may, or nobody needs a role here.
 */
export function refusedForLackOfRole(simulation: Simulation, clientId: string, method: string, path: string): Answer | undefined {
  const { principalDelaySeconds } = simulation;
  const principalId = principalDelaySeconds === undefined ? undefined : simulation.clients.get(clientId.toLowerCase());
  if (principalId === undefined) return undefined;
  // With a token from before; what roles are left of a deleted identity is worth nothing.
  const isDeleted = identityWithClientId(simulation, clientId) === undefined;
  const knownUntil = simulation.clock.now() - scaled(simulation, principalDelaySeconds!);
  const wanted = path.toLowerCase();
  const action = actionOf(method, path);
  const isGranted = !isDeleted && simulation.store.ofType(ROLE_ASSIGNMENT).some(({ id, body, createdAt }) => {
    const { principalId: principal, roleDefinitionId } = body.properties as Json;
    if (String(principal).toLowerCase() !== principalId || createdAt > knownUntil) return false;
    const scope = id.slice(0, id.toLowerCase().lastIndexOf('/providers/')).toLowerCase();
    if (wanted !== scope && !wanted.startsWith(`${scope}/`)) return false;
    const permissions = permissionsOf(simulation, String(roleDefinitionId));
    return action === undefined || permissions === undefined || allows(permissions, action);
  });
  if (isGranted) return undefined;
  const { status, body } = new AzureError(403, 'AuthorizationFailed',
    `The client '${clientId}' with object id '${principalId}' does not have authorization to perform action '${action ?? VERBS[method] ?? method}' over scope '${path}' `
    + 'or the scope is invalid. If access was recently granted, please refresh your credentials.');
  return { status, body };
}

/** The action of a request on a resource; undefined for a list, or where the path does not say which type it is about. */
function actionOf(method: string, path: string): string | undefined {
  const { nodes, tail } = parseArmPath(path);
  const verb = VERBS[method];
  if (!hasTarget(nodes) || verb === undefined) return undefined;
  const prefix = actionPrefixOf(targetOf(nodes).type);
  if (verb === 'action') return tail.length === 1 ? `${prefix}/${tail[0]}/action` : undefined;
  return tail.length === 0 ? `${prefix}/${verb}` : undefined;
}

/** The permissions of a role of Azure, or of one that was made here; undefined where they are not known. */
function permissionsOf(simulation: Simulation, roleDefinitionId: string): readonly Permission[] | undefined {
  const id = roleDefinitionId.slice(roleDefinitionId.lastIndexOf('/') + 1).toLowerCase();
  const known = builtInPermission(id);
  if (known) return [known];
  const made = simulation.store.ofType(ROLE_DEFINITION).find(({ name }) => name.toLowerCase() === id);
  const { permissions } = (made?.body.properties ?? {}) as { readonly permissions?: readonly Partial<Permission>[] };
  return permissions?.map(({ actions = [], notActions = [] }) => ({ actions, notActions }));
}
