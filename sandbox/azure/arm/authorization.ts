import { AzureError } from './errors';
import type { Answer } from '../model/answer';
import { identityWithClientId } from '../model/identities';
import { scaled, type Simulation } from '../model/simulation';
import type { Json } from '../model/store';

const ROLE_ASSIGNMENT = 'Microsoft.Authorization/roleAssignments';
const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
  POST: 'action',
};

/**
 * Why an identity that was made here may not do something: it has no role assignment on the resource or above that is known everywhere yet.
 * Which actions a role allows is not looked at. Undefined: it may, or nobody needs a role here.
 */
export function refusedForLackOfRole(simulation: Simulation, clientId: string, method: string, path: string): Answer | undefined {
  const { principalDelaySeconds } = simulation;
  const principalId = principalDelaySeconds === undefined ? undefined : simulation.clients.get(clientId.toLowerCase());
  if (principalId === undefined) return undefined;
  // With a token from before; what roles are left of a deleted identity is worth nothing.
  const isDeleted = identityWithClientId(simulation, clientId) === undefined;
  const knownUntil = simulation.clock.now() - scaled(simulation, principalDelaySeconds!);
  const scopes = isDeleted ? [] : simulation.store.ofType(ROLE_ASSIGNMENT)
    .filter(({ body, createdAt }) => String((body.properties as Json).principalId).toLowerCase() === principalId && createdAt <= knownUntil)
    .map(({ id }) => id.slice(0, id.toLowerCase().lastIndexOf('/providers/')).toLowerCase());
  const wanted = path.toLowerCase();
  if (scopes.some((scope) => wanted === scope || wanted.startsWith(`${scope}/`))) return undefined;
  const { status, body } = new AzureError(403, 'AuthorizationFailed',
    `The client '${clientId}' with object id '${principalId}' does not have authorization to perform action '${VERBS[method] ?? method}' over scope '${path}' `
    + 'or the scope is invalid. If access was recently granted, please refresh your credentials.');
  return { status, body };
}
