import type { Construct } from 'constructs';
import type { Offer } from './offer';
import { givenRoles, type GivenRole } from './role-definitions';
import type { QueueRole, SecretRole, StorageRole, TopicRole } from './roles';
import type { ServiceIdentity } from './service-identity';
import type { Kind, ServiceObjects } from './service-objects';
import { ConfigMapValue, PrincipalType, RoleGrant } from '../../core';
import type { IAzureResourceRef } from '../../core';
import type { TeamInEnvironment } from '../model/team-in-environment';

const ASSIGNMENT: Kind = ['authorization.azure.com', 'RoleAssignment'];

/** The scope of a role assignment. */
export interface GrantTarget {
  readonly armId: string;
  /** Part of the role assignment's name. */
  readonly name: string;
}

/** The roles of a service's identity: role assignments in the platform's namespace. */
export class ServiceGrants {
  private readonly counts = new Map<string, number>();

  public constructor(
    private readonly scope: Construct,
    private readonly objects: ServiceObjects,
    private readonly identity: ServiceIdentity,
  ) {}

  /** Assigns roles of the catalogue. */
  public give(target: GrantTarget, roles: readonly (QueueRole | TopicRole | StorageRole | SecretRole)[]): RoleGrant[] {
    return roles.flatMap((role) => givenRoles(role, this.objects.id.team.environment).map((given) => this.assign(target, given)));
  }

  /** Accepts an offer of another team. */
  public accept(offer: Offer): RoleGrant[] {
    const { team } = this.objects.id;
    const armId = offer.on.azureResourceRef.armId!;
    if (!sameTeam(offer.to, team)) {
      throw new Error(`[${this.scope.node.path}] ${offer.resourceName} is offered to ${formatTeam(offer.to)}, not to ${formatTeam(team)}. Ask ${formatTeam(offer.by)} for an offer of its own: offerTo(team, role).`);
    }
    return this.give({ armId, name: offer.resourceName }, offer._roles);
  }

  /** Assigns one role. */
  public assign(target: GrantTarget, { label, definition }: GivenRole): RoleGrant {
    const { id } = this.objects;
    const { environment } = id.team;
    const constructId = `role-${target.name}-${label}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
    if (this.scope.node.tryFindChild(constructId)) {
      throw new Error(`[${this.scope.node.path}] has the role ${label} on ${target.name} already, and Azure takes a role on a resource once. Leave one of the two out, or give it an id of its own.`);
    }
    const index = this.counts.get(target.armId.toLowerCase()) ?? 0;
    this.counts.set(target.armId.toLowerCase(), index + 1);
    return new RoleGrant(this.scope, constructId, {
      ...this.objects.inPlatform(ASSIGNMENT, environment.naming.serviceRole(id, target.name, label, index)),
      on: this.objects.reference(target.armId),
      role: definition,
      ...this.principal(),
    });
  }

  private principal(): { readonly to: ConfigMapValue; readonly principalType?: PrincipalType } {
    const { principalTypes = true } = this.objects.id.team.environment.conventions;
    const { principalId } = this.identity;
    if (principalTypes) return { to: principalId, principalType: PrincipalType.SERVICE_PRINCIPAL };
    return { to: ConfigMapValue.fromConfigMap(principalId.configMapName, principalId.key) };
  }
}

/**
 * Asserts that a service may get a role without an offer.
 * @throws when the service belongs to another team or environment
 */
export function assertOwnTeam(owner: TeamInEnvironment, to: TeamInEnvironment, what: string, resource: IAzureResourceRef): void {
  if (sameTeam(owner, to)) return;
  const { armId } = resource.azureResourceRef;
  throw new Error(
    `${what} (${armId}) belongs to ${formatTeam(owner)}, the service to ${formatTeam(to)}. Across teams both have to agree: ${formatTeam(owner)} writes `
    + `offerTo(team, role), and ${formatTeam(to)} accepts it with service.use(offer).`,
  );
}

/** @throws when the two are not in one environment */
export function assertSameEnvironment(owner: TeamInEnvironment, to: TeamInEnvironment, what: string): void {
  if (sameEnvironment(owner, to)) return;
  throw new Error(`${what} is in environment '${owner.environment.name}' and cannot be offered to ${formatTeam(to)}. Offer it to the team in the same environment.`);
}

function sameTeam(one: TeamInEnvironment, other: TeamInEnvironment): boolean {
  return one.team.name === other.team.name && sameEnvironment(one, other);
}

function sameEnvironment({ environment: one }: TeamInEnvironment, { environment: other }: TeamInEnvironment): boolean {
  return (
    one.name === other.name && one.instance === other.instance && one.subscriptionId.toLowerCase() === other.subscriptionId.toLowerCase()
  );
}

function formatTeam(team: TeamInEnvironment): string {
  return `team '${team.team.name}' in '${team.environment.name}'`;
}
