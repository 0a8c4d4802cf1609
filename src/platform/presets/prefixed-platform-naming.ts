import { PrefixedServiceNaming } from './prefixed-service-naming';
import { resourceGroupOf, resourceNameOf } from '../model/arm-id-parts';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import { PlatformProblems } from '../model/problems';
import { SHARED_SERVICE_TYPES } from '../model/shared-service-types';
import type { Team } from '../model/team';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { isOfWorkload } from '../naming/concerned-identity';
import { FederationPurpose } from '../naming/federation-purpose';
import type { IPlatformNaming } from '../naming/platform-naming';

/** Prefixes of the names of an environment's resources. */
export interface PrefixedPlatformNamingProps {
  /** Prefix of identity names, e.g. `devpltinfmid1401`. */
  readonly identityPrefix: string;
  /**
   * Prefix of the teams' resource groups: the group of the shared services, e.g. `devpltinfrg1401`.
   * @default - none: each team specifies the name of its group
   */
  readonly sharedResourceGroup?: string;
  /**
   * Prefix of storage account names, e.g. `devpltinfst1401`, at most 15 characters.
   * @default - none: services cannot have storage accounts
   */
  readonly storageAccountPrefix?: string;
  /**
   * Prefix of private endpoint names, e.g. `devpltinfpe1401`.
   * @default - none: services cannot have private endpoints
   */
  readonly privateEndpointPrefix?: string;
}

const FEDERATION: Record<FederationPurpose, string> = {
  [FederationPurpose.OPERATOR]: 'aso',
  [FederationPurpose.WORKLOAD]: 'aso-workload',
  [FederationPurpose.TEAM]: 'team',
  [FederationPurpose.DATABASE_ADMINISTRATOR]: 'team-pgdb-admin',
};
/** Words for shared services with the default names of their types. */
const WORD: Readonly<Record<string, string>> = {
  [SHARED_SERVICE_TYPES.serviceBus.name]: 'sb',
  [SHARED_SERVICE_TYPES.postgresServer.name]: 'pgdb',
  [SHARED_SERVICE_TYPES.appConfiguration.name]: 'ac',
};

/**
 * Names with a prefix for environment, project and type, followed by the team or service. For platforms whose resources
 * already have such names; use `DefaultPlatformNaming` for all others.
 */
export class PrefixedPlatformNaming extends PrefixedServiceNaming implements IPlatformNaming {
  /** The prefixes. */
  public readonly prefixes: PrefixedPlatformNamingProps;

  /**
   * @param props the prefixes
   * @throws when a prefix is empty
   */
  public constructor(props: PrefixedPlatformNamingProps) {
    super(props);
    const problems = new PlatformProblems('PrefixedPlatformNaming');
    problems.require('identityPrefix', props.identityPrefix, 'Give what stands before the names of identities, e.g. devpltinfmid1401.');
    for (const field of ['sharedResourceGroup', 'storageAccountPrefix', 'privateEndpointPrefix'] as const) {
      if (props[field] !== undefined) problems.require(field, props[field], 'Give the prefix, or leave it out.');
    }
    problems.throwIfAny();
    this.prefixes = { ...props };
  }

  /** The team's namespace: the team's name. */
  public namespace(_environment: Environment, team: Team): string {
    return team.name;
  }

  /** The team's resource group: `<sharedResourceGroup>-<team>`; empty without this prefix. */
  public resourceGroup(_environment: Environment, team: Team): string {
    const { sharedResourceGroup } = this.prefixes;
    return sharedResourceGroup === undefined ? '' : `${sharedResourceGroup}-${team.name}`;
  }

  /** The team's identity: `<identityPrefix>-<team>`. */
  public teamIdentity(team: TeamInEnvironment): string {
    return `${this.prefixes.identityPrefix}-${team.namespace}`;
  }

  /** The ConfigMap to which the identity exports its ids: `<team>-mi-credential`. */
  public teamIdentityExports(team: TeamInEnvironment): string {
    return `${team.namespace}-mi-credential`;
  }

  /** The identity of the team's pods, if the team has two: `<identityPrefix>-<team>-workload`. */
  public teamWorkloadIdentity(team: TeamInEnvironment): string {
    return `${this.teamIdentity(team)}-workload`;
  }

  /** The ConfigMap to which the identity of the team's pods exports its ids: `<team>-workload-mi-credential`. */
  public teamWorkloadIdentityExports(team: TeamInEnvironment): string {
    return `${team.namespace}-workload-mi-credential`;
  }

  /**
   * A federated credential: `<identity>-aso`, `-team` …; for every cluster but the environment's first, the cluster's name precedes the
   * purpose.
   */
  public teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string {
    const identity = isOfWorkload(team.environment.teamIdentities, purpose) ? this.teamWorkloadIdentity(team) : this.teamIdentity(team);
    return `${identity}${clusterPart(team.environment, cluster)}-${FEDERATION[purpose]}`;
  }

  /** The role on the group: `<subscription>-<group>-aso-rg-rbac`. */
  public groupRole(team: TeamInEnvironment, resourceGroup: string): string {
    return `${team.environment.subscriptionName}-${resourceGroup}-aso-rg-rbac`.toLowerCase();
  }

  /**
   * A further role: `<subscription>-<group>-<resource>-<team>-aso-<purpose>-rbac`; the role on the Service Bus has no resource in its name.
   */
  public grantRole(team: TeamInEnvironment, grant: Grant): string {
    if (grant.name !== undefined) return grant.name;
    const { environment } = team;
    const id = environment.armIdOf(grant.on);
    const resource = grant.id === SHARED_SERVICE_TYPES.serviceBus.name ? [] : [resourceNameOf(id)];
    const parts = [
      environment.subscriptionName,
      resourceGroupOf(id),
      ...resource,
      team.namespace,
      'aso',
      WORD[grant.id] ?? grant.id,
      'rbac',
    ];
    return parts.filter(Boolean).join('-').toLowerCase();
  }

  /** The namespace's ResourceQuota and LimitRange: `<display name>-quotas`. */
  public quotas(team: TeamInEnvironment): string {
    return `${team.team.displayName}-quotas`;
  }

  /** The network policy of the namespace: `allow-<team>-internal`. */
  public networkPolicy(team: TeamInEnvironment): string {
    return `allow-${team.namespace}-internal`;
  }

  /** The AzureAppConfigurationProvider for trusted certificates: `<team>-custom-ca`. */
  public trustedCertificates(team: TeamInEnvironment): string {
    return `${team.namespace}-custom-ca`;
  }

  /** The team's service account: the name of the namespace. */
  public teamServiceAccount(team: TeamInEnvironment): string {
    return team.namespace;
  }

  /** The federated credential of the database administrator: `<identityPrefix>-<service account>`. */
  public databaseAdministratorFederation(environment: Environment, cluster: string): string {
    return `${this.prefixes.identityPrefix}-${environment.platform.databaseAdministrator ?? ''}${clusterPart(environment, cluster)}`;
  }
}

/** The names of the first cluster stay the same when clusters are added, regardless of which one is active. */
function clusterPart({ clusters }: Environment, cluster: string): string {
  return clusters[0]?.name === cluster ? '' : `-${cluster.toLowerCase()}`;
}
