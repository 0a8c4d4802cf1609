import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { brokenBy, Limit, messageOf } from './limit';
import { isBundle, isPlatformMade } from './platform-made';
import type { TeamPolicy } from './team-policy';

/** The limit that does not concern a single object: RBAC enforces it in the cluster. */
const NAMESPACE_LIMIT = 'self-service-namespace';

/** The missing right of the operator to assign roles. */
const ROLE_RIGHT = 'self-service-role-right';

const KIND_LIMITS: readonly string[] = ['self-service-kind', 'self-service-reference-only', 'self-service-platform-object'];

/** The problems of the objects at and below a construct, except those that the platform's bundles create there. */
export function problemsIn(scope: IConstruct, policy: TeamPolicy, limits: readonly Limit[]): string[] {
  return objectsOfTeam(scope, policy.team.environment.platformNamespace).flatMap((object) => {
    const manifest = object.toJson() as unknown;
    return [...placeProblems(object, policy), ...roleRightProblems(object, policy), ...limitProblems(manifest, limits, policy)].map(
      (problem) => `${object.node.path} (${object.kind} ${object.name}) ${problem}`,
    );
  });
}

/** The limits that an object breaks, each with the API server's message and the value found. */
export function limitProblems(manifest: unknown, limits: readonly Limit[], policy: TeamPolicy): string[] {
  const broken = brokenBy(limits, manifest);
  // If the kind itself is not allowed, other limits are noise.
  const decisive = broken.filter(({ id }) => KIND_LIMITS.includes(id));
  return (decisive.length > 0 ? decisive : broken).map((limit) => {
    const found = limit.found?.read({ object: manifest }) ?? '';
    return `${messageOf(limit, policy.origin)}${found === '' ? '' : ` It is '${found}'.`}`;
  });
}

function placeProblems({ metadata: { namespace } }: ApiObject, { team, origin }: TeamPolicy): string[] {
  if (namespace === undefined || namespace === team.namespace) return [];
  const whose = namespace === team.environment.platformNamespace ? ", the platform's" : '';
  return [`[${NAMESPACE_LIMIT}] metadata.namespace: has to be ${team.namespace}: the team has no other. Only ${origin.changedBy} may make objects elsewhere. It is '${namespace}'${whose}.`];
}

/** Azure would refuse the role assignment, again and again: the API server does not know the roles of the operator's identity. */
function roleRightProblems({ apiGroup, kind }: ApiObject, { mayAssignRoles, origin }: TeamPolicy): string[] {
  if (mayAssignRoles || apiGroup !== 'authorization.azure.com' || kind !== 'RoleAssignment') return [];
  return [`[${ROLE_RIGHT}] kind: no role of the operator's identity for ${origin.of} may write role assignments, so Azure would refuse it (AuthorizationFailed). Only ${origin.changedBy} may change this: with such a role in 'roles.resourceGroup' of the environment or 'grants' of the team, e.g. 'Role Based Access Control Administrator' with a condition; or without self-service of roleAssignments.`];
}

/** @param left the namespace whose objects belong to the enclosing bundles */
function objectsOfTeam(construct: IConstruct, platformNamespace: string, left?: string): ApiObject[] {
  if (isPlatformMade(construct)) return [];
  const leftHere = isBundle(construct) ? platformNamespace : left;
  const own = ApiObject.isApiObject(construct) ? [construct as ApiObject] : [];
  return [
    ...own.filter(({ metadata }) => leftHere === undefined || metadata.namespace !== leftHere),
    ...construct.node.children.flatMap((child) => objectsOfTeam(child, platformNamespace, leftHere)),
  ];
}
