import type { ITeamLabels } from '../model/conventions';
import type { Environment } from '../model/environment';
import type { TeamInEnvironment } from '../model/team-in-environment';

const TENANT = 'toolkit.fluxcd.io/tenant';

/**
 * The label with which Flux marks what belongs to a tenant: on the team's namespace, quotas and service accounts, and on the platform's
 * service accounts.
 * @see https://fluxcd.io/flux/cmd/flux_create_tenant/
 */
export class FluxTenantLabels implements ITeamLabels {
  /** The team as the tenant. */
  public namespace(team: TeamInEnvironment): { [key: string]: string } {
    return { [TENANT]: team.team.displayName };
  }

  /** The team as the tenant. */
  public quotas(team: TeamInEnvironment): { [key: string]: string } {
    return { [TENANT]: team.team.displayName };
  }

  /** The team as the tenant. */
  public serviceAccount(team: TeamInEnvironment): { [key: string]: string } {
    return { [TENANT]: team.team.displayName };
  }

  /** The platform as a tenant of its own. */
  public platformServiceAccount(environment: Environment): { [key: string]: string } {
    return { [TENANT]: environment.platformNamespace };
  }
}
