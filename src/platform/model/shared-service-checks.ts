import { isHostName } from './host-names';
import type { PlatformProblems } from './problems';
import { armTypeOfKind, armTypeOfService, catalogKindOf, pathBelow } from './shared-kind-facts';
import type { SharedResourceKind } from './shared-resource-kind';
import type { SharedRole } from './shared-role';
import type { SharedService } from './shared-service';
import { TeamIdentity } from './team-identities';
import { suggestion } from '../../util/nearest';

const NAME = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Adds the problems of an environment's shared services. */
export function assertSharedServices(services: readonly SharedService[], problems: PlatformProblems): void {
  const names = new Set<string>();
  services.forEach((service, index) => {
    const field = `shared.services[${index}]`;
    const { name } = service;
    if (!NAME.test(name ?? '')) {
      problems.add(`${field}.name`, `'${name ?? ''}' is no word. Write lower-case letters, digits and '-', 40 characters at most.`);
    } else if (name === 'group') {
      problems.add(`${field}.name`, "'group' is the id of the role on a team's own group. Give another name.");
    } else if (names.has(name)) {
      problems.add(`${field}.name`, `'${name}' is another shared service's name too. Give each its own: teams use it by its name.`);
    }
    names.add(name);
    if (!Object.values(TeamIdentity).includes(service.roleTo)) {
      problems.add(`${field}.roleTo`, `'${service.roleTo}' is none of ${Object.values(TeamIdentity).join(', ')}.`);
    }
    if (service.hostName !== undefined && !isHostName(service.hostName)) {
      problems.add(`${field}.hostName`, `'${service.hostName}' is no host name. Write the endpoint's, e.g. edge-a1b2c3d4e5f6g7h8.z01.azurefd.net, in lower case.`);
    }
    assertResource(service, field, problems);
  });
}

function assertResource(service: SharedService, field: string, problems: PlatformProblems): void {
  problems.require(`${field}.resource`, service.resource, 'Give the resource: what fromArmId gives, or a construct.');
  if (!service.resource) return;
  const type = armTypeOfService(service);
  const wanted = service._armType;
  if (wanted !== undefined && type?.toLowerCase() !== wanted.toLowerCase()) {
    problems.add(`${field}.resource`, `is ${type === undefined ? 'no resource with an ARM type' : `a ${type}`}, and '${service.name}' has to be a ${service._what} (${wanted}). Give its ARM id.`);
    return;
  }
  if (type === undefined) {
    problems.add(`${field}.resource`, 'is no resource with an ARM type. Give the result of fromArmId, or a construct.');
    return;
  }
  for (const [property, kind] of service._unknownKinds) {
    const known = service.resources.map((each) => each.kind);
    problems.add(`${field}.${property}.${kind}`, `is no kind of resource in a ${service._what}.${suggestion(kind, known)} There are: ${known.join(', ') || 'none'}.`);
  }
  assertRoles(service.roles, `${field}.roles`, [type], problems);
  service.resources.forEach((kind, index) => assertKind(kind, `${field}.resources[${index}]`, [type], problems));
}

/** @param types the ARM types of the service, and of the resources above */
function assertKind(kind: SharedResourceKind, field: string, types: readonly string[], problems: PlatformProblems): void {
  const parent = types[types.length - 1]!;
  if (kind.group !== undefined && !catalogKindOf(kind)) {
    problems.add(`${field}.kind`, `'${kind.group}/${kind.kind}' is no kind of Azure Service Operator. Write group and kind as in its CRD.`);
    return;
  }
  if (kind.group === undefined && !kind.path) {
    problems.add(`${field}.path`, `required for '${kind.kind}', which has no group. Give the path below the service, e.g. 'secrets'.`);
    return;
  }
  if (pathBelow(parent, kind) === undefined) {
    problems.add(`${field}.kind`, `'${kind.kind}' is not directly below ${parent} in Azure. Give a kind that is.`);
    return;
  }
  const type = kind.group === undefined ? `${parent}/${kind.path!}` : armTypeOfKind(kind.group, kind.kind)!;
  assertRoles(kind.roles ?? [], `${field}.roles`, [...types, type], problems);
  (kind.children ?? []).forEach((child, index) => assertKind(child, `${field}.children[${index}]`, [...types, type], problems));
}

function assertRoles(roles: readonly SharedRole[], field: string, types: readonly string[], problems: PlatformProblems): void {
  const lower = types.map((type) => type.toLowerCase());
  roles.forEach(({ name, definition, objects }, index) => {
    const where = `${field}[${index}]`;
    problems.require(`${where}.name`, name, 'Give the name by which services ask for the role.');
    if (roles.findIndex((other) => other.name === name) < index) {
      problems.add(`${where}.name`, `'${name}' is another role's name too. Give each its own.`);
    }
    if (!definition && objects.length === 0) problems.add(where, `'${name}' grants nothing. Give a role definition, or objects.`);
    objects.forEach((object, at) => {
      const owner = ownerTypeOf(object.group, object.kind);
      if (!takesAnyOwner(object.group, object.kind) && (owner === undefined || !lower.includes(owner.toLowerCase()))) {
        problems.add(`${where}.objects[${at}].kind`, `'${object.group}/${object.kind}' is no kind that belongs to ${types.join(' or ')}. Give a kind whose owner is the service, or the resource that the role is for.`);
      }
    });
  });
}

/** Whether objects of a kind name the kind of their owner themselves. */
function takesAnyOwner(group: string, kind: string): boolean {
  return catalogKindOf({ group, kind })?.latest.facts.owner === 'any';
}

/** ARM type of the owner of a kind. */
export function ownerTypeOf(group: string, kind: string): string | undefined {
  const owner = catalogKindOf({ group, kind })?.latest.facts.owner;
  return typeof owner === 'object' && owner !== null ? armTypeOfKind(owner.group, owner.kind) : undefined;
}
