import type { SharedService } from '../model/shared-service';
import type { TeamInEnvironment } from '../model/team-in-environment';

const SAMPLE = 'x';

/** The beginning of a team's names in a shared service, as the environment's naming strategy writes them. */
export function sharedPrefix(team: TeamInEnvironment, service: SharedService, kind: string): string {
  const { azureName } = team.environment.naming.sharedResource({ team, service, kind, name: SAMPLE });
  // A strategy with the team's name as suffix has no prefix: the policy has to set one.
  return azureName.length > 1 && azureName.endsWith(SAMPLE) ? azureName.slice(0, -1) : `${team.namespace}-`;
}
