import type { Construct } from 'constructs';
import type { GrantTarget } from './grant-target';
import type { Offer } from './offer';
import type { ServiceIdentity } from './service-identity';
import type { Kind, ServiceObjects } from './service-objects';
import { makeAccess } from './shared-access';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { ConfigMapValue, PrincipalType, RoleGrant } from '../../core';
import type { AzureResource, IAzureResourceRef } from '../../core';
import type { SharedRole } from '../model/shared-role';
import type { TeamInEnvironment } from '../model/team-in-environment';

const ASSIGNMENT: Kind = ['authorization.azure.com', 'RoleAssignment'];

/** The roles of a service's identity: role assignments, and what grants access elsewhere, in the platform's namespace. */
export class ServiceGrants {
  private readonly counts = new Map<string, number>();
  /** The roles of which an identity has only one on a resource, by kind and resource. */
  private readonly only = new Map<string, string>();

  public constructor(
    private readonly scope: Construct,
    private readonly objects: ServiceObjects,
    private readonly identity: ServiceIdentity,
  ) {}

  /** Grants roles of the catalogue. */
  public give(target: GrantTarget, roles: readonly SharedRole[]): AzureResource[] {
    return roles.flatMap((role) => (role.definition ? [this.assign(target, role.name, role.definition)] : this.access(target, role)));
  }

  /** Accepts an offer of another team. */
  public accept(offer: Offer): AzureResource[] {
    const { team } = this.objects.id;
    if (!sameTeam(offer.to, team)) {
      throw new Error(`[${this.scope.node.path}] ${offer.resourceName} is offered to ${formatTeam(offer.to)}, not to ${formatTeam(team)}. Ask ${formatTeam(offer.by)} for an offer of its own: offerTo(team, role).`);
    }
    return this.give(offer._target, offer._roles);
  }

  /** Assigns one role of Azure. `label` is a part of the role assignment's name. */
  public assign(target: GrantTarget, label: string, definition: IAzureResourceRef): RoleGrant {
    const { id, name } = this.names(target, label);
    return new RoleGrant(this.scope, id, {
      ...this.objects.inPlatform(ASSIGNMENT, name, target.armId),
      on: this.objects.reference(target.armId),
      role: definition,
      ...this.principal(),
    });
  }

  /** Creates the objects of a role for which Azure has no role assignments. */
  private access(target: GrantTarget, role: SharedRole): AzureResource[] {
    const { team } = this.objects.id;
    const service = target.service!;
    this.checkExclusive(target, role);
    const { id, name } = this.names(target, role.name);
    const serviceId = withoutTrailingSlashes(team.environment.armIdOf(service.resource));
    const facts = { service, serviceId, target };
    return makeAccess(this.scope, id, this.objects, role, facts, name, this.identity);
  }

  private checkExclusive(target: GrantTarget, role: SharedRole): void {
    for (const { kind } of role.objects.filter(({ exclusive }) => exclusive)) {
      const key = `${kind} ${target.armId.toLowerCase()}`;
      const other = this.only.get(key);
      if (other !== undefined && other !== role.name) {
        throw new Error(`[${this.scope.node.path}] has the role ${other} on ${target.name} already, and Azure takes one ${kind} for an identity there. Give the service the wider of ${other} and ${role.name}.`);
      }
      this.only.set(key, role.name);
    }
  }

  /** Names of the construct and of the object of a role. */
  private names(target: GrantTarget, label: string): { readonly id: string; readonly name: string } {
    const service = this.objects.id;
    const id = `role-${target.name}-${label}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
    if (this.scope.node.tryFindChild(id)) {
      throw new Error(`[${this.scope.node.path}] has the role ${label} on ${target.name} already, and Azure takes a role on a resource once. Leave one of the two out, or give it an id of its own.`);
    }
    const index = this.counts.get(target.armId.toLowerCase()) ?? 0;
    this.counts.set(target.armId.toLowerCase(), index + 1);
    return { id, name: service.team.environment.naming.serviceRole(service, target.name, label, index) };
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
