import { explicit } from './explicit';
import type { GrantTarget } from './grant-target';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { mergedDeep } from '../../util/merged-deep';
import { suggestion } from '../../util/nearest';
import { isRecord } from '../../util/records';
import type { PlatformProblems } from '../model/problems';
import { armTypeOfKind, armTypeOfService, pathBelow } from '../model/shared-kind-facts';
import type { SharedResourceKind } from '../model/shared-resource-kind';
import type { SharedService } from '../model/shared-service';
import type { TeamInEnvironment } from '../model/team-in-environment';
import type { ResourceName, SharedResourceOfTeam } from '../naming/service-naming';

/** The type of shared service that a typed request needs. */
export interface SharedTypeNeeded {
  readonly armType: string;
  /** The requested resources in messages, e.g. `queues`. */
  readonly what: string;
  /** The factory that adds such a shared service, e.g. `serviceBus`. */
  readonly factory: string;
}

/** A team's resource in a shared service. */
export interface SharedPlace {
  readonly of: SharedResourceOfTeam;
  readonly kind: SharedResourceKind;
  readonly names: ResourceName;
  /** ARM id of the resource. */
  readonly armId: string;
  /** ARM id of the resource that owns it. */
  readonly ownerId: string;
  /** The scope of roles. */
  readonly target: GrantTarget;
}

/** The shared service of a type that a request is for. Adds a problem if there is none, or none that the team uses. */
export function sharedServiceFor(
  team: TeamInEnvironment, needed: SharedTypeNeeded, on: string | undefined, field: string, problems: PlatformProblems,
): SharedService | undefined {
  const { environment, uses } = team;
  const { armType, what, factory } = needed;
  const services = environment._sharedOfType(armType);
  if (services.length === 0) {
    problems.add('shared.services', `required for ${what}: environment '${environment.name}' shares no ${armType}. Give it SharedService.${factory}({ … }), or leave ${what} out there.`);
    return undefined;
  }
  if (on !== undefined) return named(team, services, on, field, problems);
  const used = services.filter((service) => uses.includes(service));
  if (used.length === 0) {
    problems.add(`${field}.on`, notUsed(team, services));
  } else if (used.length > 1) {
    problems.add(`${field}.on`, `required: team '${team.team.name}' uses ${used.map(({ name }) => `'${name}'`).join(' and ')}. Give the one that is meant.`);
  }
  return used.length === 1 ? used[0] : undefined;
}

/** The shared service of that name. Adds a problem if it is none of these, or the team does not use it. */
export function named(
  team: TeamInEnvironment, services: readonly SharedService[], on: string, field: string, problems: PlatformProblems,
): SharedService | undefined {
  const found = services.find(({ name }) => name === on);
  const names = services.map(({ name }) => name);
  if (!found) {
    problems.add(`${field}.on`, `'${on}' is no shared service for this in environment '${team.environment.name}'.${suggestion(on, names)} It has ${names.join(', ') || 'none'}.`);
  } else if (!team.uses.includes(found)) {
    problems.add(`${field}.on`, notUsed(team, [found]));
    return undefined;
  }
  return found;
}

function notUsed({ team, environment }: TeamInEnvironment, services: readonly SharedService[]): string {
  return `team '${team.name}' does not use ${services.map(({ name }) => `'${name}'`).join(' or ')} in '${environment.name}'. Add the shared service to the team's uses.`;
}

/** Id of the construct of a typed request in its service. */
export function placeId(what: string, on: SharedService, name: string): string {
  return [what, ...(on.hasDefaultName ? [] : [on.name]), name].join('-').toLowerCase();
}

/** The kind of the table with that name; the factory's, so it is there. */
export function kindNamed(service: SharedService, kind: string): SharedResourceKind {
  return service.resources.find((one) => one.kind === kind)!;
}

/** Names and ids of a team's resource directly in a shared service. */
export function placeOf(team: TeamInEnvironment, service: SharedService, kind: SharedResourceKind, name: string): SharedPlace {
  const { naming } = team.environment;
  const of = { team, service, kind: kind.kind, name };
  const serviceId = withoutTrailingSlashes(team.environment.armIdOf(service.resource));
  return place(of, kind, naming.sharedResource(of), serviceId, armTypeOfService(service)!);
}

/** Names and ids of a resource within another one in a shared service. */
export function childPlaceOf(parent: SharedPlace, kind: SharedResourceKind, name: string): SharedPlace {
  const { of, kind: { group, kind: parentKind } } = parent;
  const names = of.team.environment.naming.sharedChild(of, kind.kind, name);
  return place(of, kind, names, parent.armId, armTypeOfKind(group!, parentKind)!);
}

function place(of: SharedResourceOfTeam, kind: SharedResourceKind, names: ResourceName, parentId: string, parentType: string): SharedPlace {
  const path = pathBelow(parentType, kind)!.split('/');
  const armId = [parentId, ...path, names.azureName].join('/');
  const { azureName } = names;
  const target = { armId, name: roleName(of.service, azureName), azureName, service: of.service };
  return { of, kind, names, armId, ownerId: [parentId, ...path.slice(0, -1)].join('/'), target };
}

/** Part of the names of role assignments: two shared services may have resources of one name. */
export function roleName(service: SharedService, azureName: string): string {
  return service.hasDefaultName ? azureName : `${service.name}-${azureName}`;
}

/** The spec's properties: the defaults, the settings of the request, and what no request can change. */
export function propertiesOf({ of: { team }, kind, names }: SharedPlace, settings: object | undefined): { [property: string]: unknown } {
  const values = { '{name}': names.azureName, '{location}': team.environment.location };
  const fill = (properties: object = {}) => filled(properties, values) as Record<string, unknown>;
  return mergedDeep(mergedDeep(fill(kind.defaults), { ...explicit(settings) }), fill(kind.fixed));
}

/** The value with the placeholders in its texts filled in. Other objects than plain ones, e.g. references, stay. */
export function filled(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return Object.entries(values).reduce((text, [name, one]) => text.replaceAll(name, one), value);
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, values)]));
}

/** Adds problems for settings that differ from what no request can change. */
export function checkFixed(
  settings: unknown, fixed: unknown, field: string, problems: PlatformProblems,
): void {
  if (settings === undefined || settings === null || fixed === undefined) return;
  if (isRecord(settings) && isRecord(fixed)) {
    for (const [name, value] of Object.entries(fixed)) checkFixed(settings[name], value, `${field}.${name}`, problems);
  } else if (settings !== fixed) {
    problems.add(field, 'is the same for all teams: the platform has fixed it. Leave it out.');
  }
}
