import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { brokenBy, Limit, messageOf } from './limit';
import { isBundle, isPlatformMade } from './platform-made';
import type { TeamPolicy } from './team-policy';

/** The limit that does not concern a single object: RBAC enforces it in the cluster. */
const NAMESPACE_LIMIT = 'self-service-namespace';

const KIND_LIMITS: readonly string[] = ['self-service-kind', 'self-service-reference-only', 'self-service-platform-object'];

/** The problems of the objects at and below a construct, except those that the platform's bundles create there. */
export function problemsIn(scope: IConstruct, policy: TeamPolicy, limits: readonly Limit[]): string[] {
  return objectsOfTeam(scope, policy.team.environment.platformNamespace).flatMap((object) => {
    const manifest = object.toJson() as unknown;
    return [...placeProblems(object, policy), ...limitProblems(manifest, limits, policy)].map(
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
