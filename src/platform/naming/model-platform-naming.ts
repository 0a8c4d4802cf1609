import { isOfWorkload } from './concerned-identity';
import { FederationPurpose } from './federation-purpose';
import { ModelServiceNaming } from './model-service-naming';
import type { IPlatformNaming } from './platform-naming';
import { resourceGroupOf, resourceNameOf } from '../model/arm-id-parts';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import { PlatformProblems } from '../model/problems';
import { SharedService } from '../model/shared-service';
import type { Team } from '../model/team';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** The prefixes that a platform of this kind chooses for each environment. */
export interface ModelPlatformNamingProps {
  /** Before the names of identities, e.g. `devpltinfmid1401`. */
  readonly identityPrefix: string;
  /**
   * Before the names of teams' resource groups: the group of the shared services, e.g. `devpltinfrg1401`.
   * @default - none: each team says how its group is called
   */
  readonly sharedResourceGroup?: string;
  /**
   * Before the names of storage accounts, e.g. `devpltinfst1401`, 15 characters at most.
   * @default - none: services cannot have storage accounts
   */
  readonly storageAccountPrefix?: string;
  /**
   * Before the names of private endpoints, e.g. `devpltinfpe1401`.
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

const WORD: Readonly<Record<string, string>> = { [SharedService.SERVICE_BUS]: 'sb', [SharedService.DATABASE]: 'pgdb', [SharedService.APP_CONFIGURATION]: 'ac' };

/**
 * Names with prefixes that say environment, project and type, and the team or service behind: those of the platform after which this
 * model was made. For platforms whose objects exist under such names already; `DefaultPlatformNaming` is for all others.
 */
export class ModelPlatformNaming extends ModelServiceNaming implements IPlatformNaming {
  /** The prefixes. */
  public readonly prefixes: ModelPlatformNamingProps;

  /**
   * @param props the prefixes
   * @throws when one is empty
   */
  public constructor(props: ModelPlatformNamingProps) {
    super(props);
    const problems = new PlatformProblems('ModelPlatformNaming');
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

  /** The team's resource group: `<sharedResourceGroup>-<team>`; empty without that prefix. */
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

  /** The identity of the team's pods, where it is another one: `<identityPrefix>-<team>-workload`. */
  public teamWorkloadIdentity(team: TeamInEnvironment): string {
    return `${this.teamIdentity(team)}-workload`;
  }

  /** The ConfigMap to which that identity exports its ids: `<team>-workload-mi-credential`. */
  public teamWorkloadIdentityExports(team: TeamInEnvironment): string {
    return `${team.namespace}-workload-mi-credential`;
  }

  /** A federated credential: `<identity>-aso`, `-team` …; for every cluster but the environment's first one with its name before the purpose. */
  public teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string {
    const identity = isOfWorkload(team.environment.teamIdentities, purpose) ? this.teamWorkloadIdentity(team) : this.teamIdentity(team);
    return `${identity}${clusterPart(team.environment, cluster)}-${FEDERATION[purpose]}`;
  }

  /** The role on the group: `<subscription>-<group>-aso-rg-rbac`. */
  public groupRole(team: TeamInEnvironment): string {
    return `${team.environment.subscriptionName}-${team.resourceGroup}-aso-rg-rbac`.toLowerCase();
  }

  /** Another role: `<subscription>-<group>-<resource>-<team>-aso-<what for>-rbac`; that on the Service Bus has no resource in it. */
  public grantRole(team: TeamInEnvironment, grant: Grant): string {
    if (grant.name !== undefined) return grant.name;
    const { environment } = team;
    const id = environment.armIdOf(grant.on);
    const resource = grant.id === SharedService.SERVICE_BUS ? [] : [resourceNameOf(id)];
    const parts = [environment.subscriptionName, resourceGroupOf(id), ...resource, team.namespace, 'aso', WORD[grant.id] ?? grant.id, 'rbac'];
    return parts.filter(Boolean).join('-').toLowerCase();
  }

  /** The quota and the limits of the namespace: `<display name>-quotas`. */
  public quotas(team: TeamInEnvironment): string {
    return `${team.team.displayName}-quotas`;
  }

  /** The network policy of the namespace: `allow-<team>-internal`. */
  public networkPolicy(team: TeamInEnvironment): string {
    return `allow-${team.namespace}-internal`;
  }

  /** The mirror of trusted certificates: `<team>-custom-ca`. */
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

/** The first cluster keeps its names when others come, whichever of them is active. */
function clusterPart({ clusters }: Environment, cluster: string): string {
  return clusters[0].name === cluster ? '' : `-${cluster.toLowerCase()}`;
}
