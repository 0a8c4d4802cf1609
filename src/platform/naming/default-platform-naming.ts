import { FederationPurpose } from './platform-naming';
import type { IPlatformNaming } from './platform-naming';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Team } from '../model/team';
import type { TeamInEnvironment } from '../model/team-in-environment';

const SUFFIX: Record<FederationPurpose, string> = {
  [FederationPurpose.OPERATOR]: 'operator',
  [FederationPurpose.WORKLOAD]: 'workload',
  [FederationPurpose.TEAM]: 'team',
  [FederationPurpose.DATABASE_ADMINISTRATOR]: 'database-administrator',
};

/** Names that say what a thing is, whose it is and where, with the abbreviations of the Cloud Adoption Framework. */
export class DefaultPlatformNaming implements IPlatformNaming {
  /** The team's namespace: the team's name. */
  public namespace(_environment: Environment, team: Team): string {
    return team.name;
  }

  /** The team's resource group: `rg-<team>-<environment>`. */
  public resourceGroup(environment: Environment, team: Team): string {
    return `rg-${team.name}-${place(environment)}`;
  }

  /** The team's identity: `id-<team>-<environment>`. */
  public teamIdentity(team: TeamInEnvironment): string {
    return `id-${team.team.name}-${place(team.environment)}`;
  }

  /** The ConfigMap to which the identity exports its ids: `<identity>-ids`. */
  public teamIdentityExports(team: TeamInEnvironment): string {
    return `${this.teamIdentity(team)}-ids`;
  }

  /** A federated credential: `<identity>-<cluster>-<purpose>`. */
  public teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string {
    return `${this.teamIdentity(team)}-${cluster.toLowerCase()}-${SUFFIX[purpose]}`;
  }

  /** The role on the group: `<identity>-group`. */
  public groupRole(team: TeamInEnvironment): string {
    return `${team.environment.subscriptionName}-${this.teamIdentity(team)}-group`;
  }

  /** Another role: `<subscription>-<identity>-<grant>`. */
  public grantRole(team: TeamInEnvironment, grant: Grant): string {
    return grant.name ?? `${team.environment.subscriptionName}-${this.teamIdentity(team)}-${grant.id}`;
  }

  /** The quota and the limits of the namespace: `team`. */
  public quotas(_team: TeamInEnvironment): string {
    return 'team';
  }

  /** The network policy of the namespace: `allow-own-namespace`. */
  public networkPolicy(_team: TeamInEnvironment): string {
    return 'allow-own-namespace';
  }

  /** The mirror of trusted certificates: `trusted-certificates`. */
  public trustedCertificates(_team: TeamInEnvironment): string {
    return 'trusted-certificates';
  }

  /** The team's service account: the team's name. */
  public teamServiceAccount(team: TeamInEnvironment): string {
    return team.team.name;
  }
}

function place(environment: Environment): string {
  return `${environment.name}${environment.instance}`;
}
