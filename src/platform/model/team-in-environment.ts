import type { Environment } from './environment';
import type { Grant } from './grant';
import { checkHostNames } from './host-names';
import { Offboarding } from './offboarding';
import { PlatformProblems } from './problems';
import { checkQuotas } from './quantities';
import type { Quotas } from './quotas';
import { reservedIn } from './reserved-namespaces';
import { sharedGrants, usedServices } from './shared-grants';
import { armTypeOfKind, armTypeOfService } from './shared-kind-facts';
import type { SharedService } from './shared-service';
import { FRONT_DOOR_ENDPOINT } from './shared-service-types';
import type { PrivateAccess } from './shared-services';
import type { Team, TeamOverrides } from './team';
import { assertIdentities, groupsOf } from './team-groups';
import type { ExistingTeamIdentities, TeamResourceGroup } from './team-resource-group';
import { armTypeOf, parseArmId } from '../../azure/arm-id';
import { DNS_LABEL } from '../../azure/dns-name';
import { UUID } from '../../azure/uuid';

const SUBNET = 'Microsoft.Network/virtualNetworks/subnets';
const GRANT_ID = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** A team in an environment: the input of `TeamOnboarding` and `Service`. */
export class TeamInEnvironment {
  /** The team. */
  public readonly team: Team;
  /** The environment. */
  public readonly environment: Environment;
  /** The team's namespace. */
  public readonly namespace: string;
  /** Name of the team's resource group: the first of `resourceGroups`. */
  public readonly resourceGroup: string;
  /** All resource groups of the team, with that of `resourceGroup` first. */
  public readonly resourceGroups: TeamResourceGroup[];
  /** The subscription of the team's resource groups and identities. */
  public readonly subscriptionId: string;
  /** Region of the team's resource group and identities. */
  public readonly location: string;
  /** Identities of the team that exist already. */
  public readonly identities: ExistingTeamIdentities;
  /** Settings of the private endpoints of the team's resources: its own, else those of the environment. */
  public readonly privateAccess: PrivateAccess | undefined;
  /** The team's resource quotas, with those of the environment. */
  public readonly quotas: Quotas;
  /** The shared services that the team uses. */
  public readonly uses: SharedService[];
  /** The host names that the team's domains and DNS records may have. */
  public readonly hostNames: string[];
  /** The roles of the team's identity besides that on its own group: first those on shared services, with their names as ids. */
  public readonly grants: Grant[];
  /** The fate of the team's resources when its objects are deleted; set if the team is about to leave. */
  public readonly offboarding: Offboarding | undefined;

  /**
   * Use `team.in(environment)`.
   * @param team the team
   * @param overrides settings of the team that differ in the environment
   * @param overrides what differs there
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public constructor(team: Team, environment: Environment, overrides: TeamOverrides) {
    const { props } = team;
    const problems = new PlatformProblems(`Team '${team.name}' in '${environment.name}'`);
    this.team = team;
    this.environment = environment;
    this.namespace = overrides.namespace ?? props.namespace ?? environment.naming.namespace(environment, team);
    this.resourceGroup = overrides.resourceGroup ?? props.resourceGroup ?? environment.naming.resourceGroup(environment, team);
    this.subscriptionId = overrides.subscriptionId ?? props.subscriptionId ?? environment.subscriptionId;
    this.resourceGroups = groupsOf(environment, this.resourceGroup, props, overrides, problems);
    this.location = this.resourceGroups[0]!.location!;
    this.identities = { ...props.identities, ...overrides.identities };
    this.privateAccess = overrides.privateAccess ?? props.privateAccess ?? environment.shared.privateAccess;
    assertSubnet(overrides.privateAccess ?? props.privateAccess, problems);
    this.quotas = { ...environment.quotas, ...props.quotas, ...overrides.quotas };
    this.uses = usedServices(environment, [...(props.uses ?? []), ...(overrides.uses ?? [])], problems);
    this.hostNames = [...new Set([...(props.hostNames ?? []), ...(overrides.hostNames ?? [])])];
    checkHostNames(this.hostNames, problems);
    this.grants = [
      ...sharedGrants(environment, this.uses),
      ...(props.grants ?? []),
      ...(overrides.grants ?? []),
    ];
    this.offboarding = overrides.offboarding ?? props.offboarding;
    if (this.offboarding !== undefined && !Object.values(Offboarding).includes(this.offboarding)) {
      problems.add('offboarding', `'${this.offboarding}' is none of ${Object.values(Offboarding).join(', ')}.`);
    }
    if (!DNS_LABEL.test(this.namespace)) {
      problems.add('namespace', `'${this.namespace}' is no DNS label. Write lower-case letters, digits and '-', 63 characters at most.`);
    }
    if (this.namespace === environment.platformNamespace) {
      problems.add('namespace', `'${this.namespace}' is the platform's own namespace. Give the team one of its own.`);
    }
    const reserved = reservedIn(environment, this.namespace);
    if (reserved !== undefined) {
      problems.add('namespace', `'${this.namespace}' is reserved: ${reserved}. Give the team a namespace of its own.`);
    }
    assertIdentities(this.identities, environment, this.subscriptionId, problems);
    assertSubscription(this, problems);
    checkQuotas(this.quotas, problems);
    checkGrants(this.grants, problems);
    problems.throwIfAny();
  }

  /** ARM id of the team's resource group. */
  public get resourceGroupId(): string {
    return this._groupId(this.resourceGroup);
  }

  /**
   * ARM id of a resource group of the team's subscription.
   * @internal
   */
  public _groupId(name: string): string {
    return `/subscriptions/${this.subscriptionId}/resourceGroups/${name}`;
  }
}

/** Adds a problem for an own subnet that is none: Azure would say so only when the first endpoint is created. */
function assertSubnet(access: PrivateAccess | undefined, problems: PlatformProblems): void {
  if (!access) return;
  problems.require('privateAccess.subnet', access.subnet, 'Give the subnet: what fromArmId gives, or a construct.');
  const { armId, group, kind } = access.subnet?.azureResourceRef ?? {};
  const type = armId === undefined ? armTypeOfKind(group ?? '', kind ?? '') : armTypeOf(armId);
  if (access.subnet && type?.toLowerCase() !== SUBNET.toLowerCase()) {
    problems.add('privateAccess.subnet', `is ${type === undefined ? 'no resource with an ARM type' : `a ${type}`}, and has to be a subnet (${SUBNET}). Give its ARM id: …/virtualNetworks/<network>/subnets/<subnet>.`);
  }
}

/** Adds problems for what the operator cannot do for a team in another subscription: a credential is for one. */
function assertSubscription({ environment, subscriptionId, uses }: TeamInEnvironment, problems: PlatformProblems): void {
  if (!UUID.test(subscriptionId)) {
    problems.add('subscriptionId', `'${subscriptionId}' is no UUID. Give the id of the team's subscription.`);
    return;
  }
  const isFrontDoor = (service: SharedService) => armTypeOfService(service)?.toLowerCase() === FRONT_DOOR_ENDPOINT;
  uses.filter((service) => isFrontDoor(service) || service.resources.some(({ group }) => group !== undefined)).forEach((service) => {
    const other = parseArmId(environment.armIdOf(service.resource))?.subscriptionId;
    if (other === undefined || other.toLowerCase() === subscriptionId.toLowerCase()) return;
    problems.add('uses', `'${service.name}' is in subscription ${other}, and the team in ${subscriptionId}: its namespace's credential is for that one only, so the operator could create nothing there. Share a service of the team's subscription, or leave it out.`);
  });
}

function checkGrants(grants: readonly Grant[], problems: PlatformProblems): void {
  const ids = new Set<string>();
  grants.forEach(({ id, on, role }, index) => {
    const field = `grants[${index}]`;
    if (!GRANT_ID.test(id ?? '')) {
      problems.add(
        `${field}.id`,
        `'${id ?? ''}' is no word. Write what the grant is for in lower-case letters, digits and '-', 40 characters at most.`,
      );
    } else if (ids.has(id)) {
      problems.add(`${field}.id`, `'${id}' is another grant's id too, and both would have the same name. Give each its own.`);
    }
    ids.add(id);
    problems.require(`${field}.on`, on, 'Give the resource: what fromArmId gives, or a construct.');
    problems.require(`${field}.role`, role, 'Give a BuiltInRole, BuiltInRole.custom(id) or a role definition.');
  });
}
