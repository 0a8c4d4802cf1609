import { grantedIdentity, isOfWorkload } from './concerned-identity';
import { DefaultServiceNaming } from './default-service-naming';
import { FederationPurpose } from './federation-purpose';
import { limited, objectName } from './limited-name';
import type { IPlatformNaming } from './platform-naming';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Team } from '../model/team';
import { TeamIdentity } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Limit of a DNS label. */
const MAX_NAMESPACE = 63;
/** Azure's limit for resource groups. */
const MAX_RESOURCE_GROUP = 90;
/** Azure's limit for identities is 128, which leaves room for suffixes. */
const MAX_IDENTITY = 80;
/** Azure's limit for federated credentials. */
const MAX_FEDERATION = 120;
/** A readable length; Kubernetes allows longer names. */
const MAX_ROLE = 120;

const SUFFIX: Record<FederationPurpose, string> = {
  [FederationPurpose.OPERATOR]: 'operator',
  [FederationPurpose.WORKLOAD]: 'workload',
  [FederationPurpose.TEAM]: 'team',
  [FederationPurpose.DATABASE_ADMINISTRATOR]: 'database-administrator',
};

/** Options of `DefaultPlatformNaming`. */
export interface DefaultPlatformNamingOptions {
  /**
   * Whether names of namespaces contain the environment, for clusters that serve several environments.
   * @default false
   */
  readonly namespacePerEnvironment?: boolean;
}

/**
 * Names of type, owner and environment, with the abbreviations of the Cloud Adoption Framework. The strategy cuts a name that is too long
 * and appends a hash.
 */
export class DefaultPlatformNaming extends DefaultServiceNaming implements IPlatformNaming {
  /**
   * @param options deviations from the defaults
   */
  public constructor(private readonly options: DefaultPlatformNamingOptions = {}) {
    super();
  }

  /** The team's namespace: the team's name, with `namespacePerEnvironment` `<team>-<environment>`. */
  public namespace(environment: Environment, team: Team): string {
    return limited(this.options.namespacePerEnvironment ? `${team.name}-${place(environment)}` : team.name, MAX_NAMESPACE);
  }

  /** The team's resource group: `rg-<team>-<environment>`. */
  public resourceGroup(environment: Environment, team: Team): string {
    return limited(`rg-${team.name}-${place(environment)}`, MAX_RESOURCE_GROUP);
  }

  /** The team's identity: `id-<team>-<environment>`. */
  public teamIdentity(team: TeamInEnvironment): string {
    return limited(`id-${team.team.name}-${place(team.environment)}`, MAX_IDENTITY);
  }

  /** The ConfigMap to which the identity exports its ids: `<identity>-ids`. */
  public teamIdentityExports(team: TeamInEnvironment): string {
    return `${this.teamIdentity(team)}-ids`;
  }

  /** The identity of the team's pods: `id-<team>-<environment>-workload`. */
  public teamWorkloadIdentity(team: TeamInEnvironment): string {
    return limited(`id-${team.team.name}-${place(team.environment)}-workload`, MAX_IDENTITY);
  }

  /** The ConfigMap to which the identity of the team's pods exports its ids: `<identity>-ids`. */
  public teamWorkloadIdentityExports(team: TeamInEnvironment): string {
    return `${this.teamWorkloadIdentity(team)}-ids`;
  }

  /** A federated credential: `<identity>-<cluster>-<purpose>`. */
  public teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string {
    const identity = isOfWorkload(team.environment.teamIdentities, purpose) ? this.teamWorkloadIdentity(team) : this.teamIdentity(team);
    return limited(`${identity}-${word(cluster)}-${SUFFIX[purpose]}`, MAX_FEDERATION);
  }

  /** The role on the group: `<subscription>-<identity>-group`, on further ones `<subscription>-<identity>-group-<name>`. */
  public groupRole(team: TeamInEnvironment, resourceGroup: string): string {
    return role(team, this.teamIdentity(team), resourceGroup === team.resourceGroup ? 'group' : `group-${objectName(resourceGroup)}`);
  }

  /** A further role: `<subscription>-<identity>-<grant>`. */
  public grantRole(team: TeamInEnvironment, grant: Grant): string {
    const isWorkload = grantedIdentity(grant, team.environment.teamIdentities) === TeamIdentity.WORKLOAD;
    return grant.name ?? role(team, isWorkload ? this.teamWorkloadIdentity(team) : this.teamIdentity(team), grant.id);
  }

  /** The namespace's ResourceQuota and LimitRange: `team`. */
  public quotas(_team: TeamInEnvironment): string {
    return 'team';
  }

  /** The network policy of the namespace: `allow-own-namespace`. */
  public networkPolicy(_team: TeamInEnvironment): string {
    return 'allow-own-namespace';
  }

  /** The AzureAppConfigurationProvider for trusted certificates: `trusted-certificates`. */
  public trustedCertificates(_team: TeamInEnvironment): string {
    return 'trusted-certificates';
  }

  /** The team's service account: the team's name. */
  public teamServiceAccount(team: TeamInEnvironment): string {
    return team.team.name;
  }

  /** The federated credential of the database administrator: `<service account>-<environment>-<cluster>`. */
  public databaseAdministratorFederation(environment: Environment, cluster: string): string {
    return limited(`${environment.platform.databaseAdministrator ?? ''}-${place(environment)}-${word(cluster)}`, MAX_FEDERATION);
  }
}

function role(team: TeamInEnvironment, identity: string, what: string): string {
  return limited(`${word(team.environment.subscriptionName)}-${identity}-${what}`, MAX_ROLE);
}

function place(environment: Environment): string {
  return word(`${environment.name}${environment.instance}`);
}

/** The text in the characters of a Kubernetes name. */
function word(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
