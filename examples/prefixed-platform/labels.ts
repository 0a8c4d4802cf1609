import type { Environment, ITeamLabels, TeamInEnvironment } from 'cdk8s-aso/platform';

const TENANT = 'toolkit.fluxcd.io/tenant';

/** The labels for Flux's multi-tenancy and for Backstage. */
export class DeveloperPortalLabels implements ITeamLabels {
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
