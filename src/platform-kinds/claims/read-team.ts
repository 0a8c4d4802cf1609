import { readEnvironment } from './read-environment';
import { ofObject, specOf } from './read-spec';
import { teamOf } from './team-of';
import { assertOwnNames } from './team-overlap';
import type { TeamInEnvironment } from '../../platform';
import { ClaimError, type ReadObject } from '../../platform-api';
import type { KindsContext, ReadClaim } from '../platform-kinds-props';
import { withoutOwn } from '../schema/extended';
import type { TeamSpec } from '../schema/team-fields';

const PATH = 'metadata.namespace';

/** Name of the environment of teams that name none. */
export const DEFAULT_ENVIRONMENT = 'default';

/** The spec of a team for the constructs: without the platform's own fields, which it may follow from. */
export function teamSpecOf({ props: { teamSpec, teamFields } }: KindsContext, name: string, spec: TeamSpec): TeamSpec {
  return withoutOwn(teamSpec?.({ name, spec }) ?? spec, teamFields);
}

/** The team of a namespace, and its object. */
export interface TeamOfNamespace {
  readonly team: TeamInEnvironment;
  readonly object: ReadObject;
  /** Its spec, with the platform's own fields. */
  readonly spec: TeamSpec;
}

/**
 * The team of a namespace: the `Team` object of its name.
 * @throws ClaimError when there is none, or it has problems
 */
export function readTeam(context: KindsContext, read: ReadClaim, namespace: string): TeamOfNamespace {
  const { props: { group }, teamKind, fields } = context;
  const found = read({ group, kind: teamKind, name: namespace });
  if (!found) {
    throw new ClaimError([{ path: PATH, message: `'${namespace}' is the namespace of no team: there is no ${teamKind} of that name. Use your team's namespace, or ask the platform team for one.` }]);
  }
  return ofObject(`${teamKind} '${namespace}'`, PATH, () => {
    const claimed = specOf<TeamSpec>(fields.team, found.spec);
    const spec = teamSpecOf(context, namespace, claimed);
    const team = teamOf(namespace, spec, readEnvironment(context, read, spec.environment ?? DEFAULT_ENVIRONMENT, 'spec.environment'));
    assertOwnNames(context, team, new Date(found.metadata.creationTimestamp ?? 0), read);
    return { team, object: found, spec: claimed };
  });
}
