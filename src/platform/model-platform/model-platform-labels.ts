import type { ITeamLabels } from '../model/conventions';
import type { Environment } from '../model/environment';
import type { TeamInEnvironment } from '../model/team-in-environment';

const TENANT = 'toolkit.fluxcd.io/tenant';

/** The labels for Flux's multi-tenancy and for Backstage. */
export class ModelPlatformLabels implements ITeamLabels {
  /** The tenant, and the type of a team's namespace. */
  public namespace(team: TeamInEnvironment): { [key: string]: string } {
    return { [TENANT]: team.team.displayName, name: team.namespace, type: 'team-namespace' };
  }

  /** The team's name in Backstage. */
  public quotas(team: TeamInEnvironment): { [key: string]: string } {
    return { 'backstage.io/kubernetes-team': team.team.displayName };
  }

  /** The tenant. */
  public serviceAccount(team: TeamInEnvironment): { [key: string]: string } {
    return { [TENANT]: team.team.displayName };
  }

  /** The platform as a tenant of its own. */
  public platformServiceAccount(environment: Environment): { [key: string]: string } {
    return { [TENANT]: environment.platformNamespace };
  }
}
