import { Construct } from 'constructs';
import type { GrantTarget } from './grant-target';
import { Offer } from './offer';
import { noteProblems } from './request-problems';
import { checkRoles, rolesNamed } from './role-definitions';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkNames, checkReference } from './settings';
import { SharedObject } from './shared-object';
import { checkFixed, childPlaceOf, named, propertiesOf, roleName, type SharedPlace } from './shared-place';
import type { SharedChildRequest, SharedResourceRequest } from './shared-resource-request';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { AzureReference } from '../../core';
import type { AzureResource, AzureResourceReference, IAzureResourceRef } from '../../core';
import { suggestion } from '../../util/nearest';
import { resourceNameOf } from '../model/arm-id-parts';
import { PlatformProblems } from '../model/problems';
import { catalogKindOf } from '../model/shared-kind-facts';
import type { SharedResourceKind } from '../model/shared-resource-kind';
import type { SharedRole } from '../model/shared-role';
import type { SharedService } from '../model/shared-service';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Properties of every kind that a request has other fields for. */
const NOT_SETTINGS = ['azureName', 'owner', 'operatorSpec', 'tags'];

/** A resource in a shared service, or the service itself, on which a service has roles. */
export class SharedResource extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(
    service: Service, request: SharedResourceRequest, field: string, problems: PlatformProblems,
  ): SharedResource | undefined {
    const { team } = service;
    problems.require(`${field}.on`, request.on, 'Give the name of a shared service that the team uses.');
    if (!request.on) return undefined;
    const on = named(team, team.environment.shared.services ?? [], request.on, field, problems);
    if (!on) return undefined;
    const kind = request.name === undefined ? undefined : kindFor(on.resources, request.kind, `in '${on.name}'`, field, problems);
    if (request.name === undefined) checkWhole(on, request, field, problems);
    else problems.requireName(`${field}.name`, request.name, 'Give the resource a name, or leave the field out for roles on the whole service.');
    const offering = request.name === undefined ? on : kind;
    if (offering) {
      checkRoles(request.roles, (offering.roles ?? []).map(({ name }) => name), field, problems);
      checkExclusive(rolesNamed(offering, request.roles ?? []), field, problems);
    }
    if (kind) checkSettingsOf(kind, request, field, problems);
    return problems.none ? new SharedResource(service, on, kind, request, field, problems) : undefined;
  }

  /** The shared service. */
  public readonly on: SharedService;
  /** The team's name for the resource; undefined for the whole service. */
  public readonly resourceName: string | undefined;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The resource's object, if the service owns the resource. */
  public readonly resource?: AzureResource;
  /** The objects of the resources within the resource. */
  public readonly children: AzureResource[] = [];
  /** Reference to the resource. */
  public readonly azureResourceRef: AzureResourceReference;
  private readonly service: Service;
  private readonly offered: SharedRole[];
  private readonly target: GrantTarget;

  private constructor(
    service: Service, on: SharedService, kind: SharedResourceKind | undefined, request: SharedResourceRequest,
    field: string, problems: PlatformProblems,
  ) {
    super(service, constructIdOf(on.name, kind?.kind, request.name));
    const { team } = service;
    this.on = on;
    this.service = service;
    this.resourceName = request.name;
    this.offered = kind?.roles ?? (kind ? [] : on.roles);
    const serviceId = withoutTrailingSlashes(team.environment.armIdOf(on.resource));
    const place = kind && service._placeOf(on, kind, request.name!);
    this.armId = place?.armId ?? serviceId;
    this.azureName = place?.names.azureName ?? resourceNameOf(serviceId);
    this.azureResourceRef = { armId: this.armId };
    this.target = place?.target ?? { armId: serviceId, name: roleName(on, this.azureName), service: on, azureName: this.azureName };
    if (place) {
      if (kind.group !== undefined && request.owned !== false) this.resource = this.make('resource', place, request, field, problems);
      const contents = (kind.children ?? []).map((child): Kind => [child.group!, child.kind]);
      if (this.resource && contents.length > 0) service._objects.endContents(this, contents, service._objects.annotatedLifecycle(request));
      (request.children ?? []).forEach((child, index) => this.child(place, child, `${field}.children[${index}]`, problems));
    }
    if (problems.none) service._grants.give(this.target, rolesNamed({ roles: this.offered }, request.roles ?? []));
  }

  /**
   * Grants a service of the same team a role on the resource.
   * @param service the service
   * @param role name of the role in the table of the shared service
   * @throws when there is no such role, or the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: string): AzureResource[] {
    this.check([role]);
    assertOwnTeam(this.service.team, service.team, this.description, this);
    return service._grants.give(this.target, rolesNamed({ roles: this.offered }, [role]));
  }

  /**
   * Offers roles on the resource to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles names of roles in the table of the shared service
   * @throws when there is no such role, or the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: string[]): Offer {
    this.check(roles);
    assertSameEnvironment(this.service.team, team, this.description);
    const given = rolesNamed({ roles: this.offered }, roles);
    return Offer._of({ by: this.service.team, to: team, on: this, target: this.target, roleNames: roles, roles: given });
  }

  private get description(): string {
    return this.resourceName === undefined ? `Shared service '${this.on.name}'` : `'${this.resourceName}' in '${this.on.name}'`;
  }

  private check(roles: readonly string[]): void {
    const problems = new PlatformProblems(`[${this.node.path}] ${this.description}`);
    checkRoles(roles, this.offered.map(({ name }) => name), 'grant', problems);
    problems.throwIfAny();
  }

  private make(
    id: string, place: SharedPlace, request: SharedResourceRequest | SharedChildRequest, field: string, problems: PlatformProblems,
  ): AzureResource {
    const { service: { _objects: objects }, on } = this;
    const { kind, names, ownerId } = place;
    const { props } = catalogKindOf(kind)!.latest.specType;
    const properties = propertiesOf(place, request.settings);
    const resource = new SharedObject(this, id, kind.group!, kind.kind, {
      ...objects.inTeam([kind.group!, kind.kind], names.objectName, request),
      ...(props.location?.required ? { location: objects.id.team.environment.location } : {}),
      ...(props.tags ? { tags: objects.tags() } : {}),
      ...properties,
      azureName: names.azureName,
      owner: id === 'resource' || !this.resource ? AzureReference.fromArmId(ownerId) : this.ownerOf(ownerId),
    } as object);
    objects.keep(resource, on);
    const places = { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` };
    noteProblems(resource, places, problems);
    return resource;
  }

  /** A resource within this one has it as owner by name, if Azure keeps it directly in it. */
  private ownerOf(ownerId: string): IAzureResourceRef {
    const { resource, service: { _objects: objects } } = this;
    const direct = ownerId === this.armId ? resource : undefined;
    return objects.owner<IAzureResourceRef>(direct, (id) => AzureReference.fromArmId(id), ownerId);
  }

  private child(parent: SharedPlace, request: SharedChildRequest, field: string, problems: PlatformProblems): void {
    problems.requireName(`${field}.name`, request.name, 'Give it a name.');
    const kind = kindFor(parent.kind.children ?? [], request.kind, `in a ${parent.kind.kind}`, field, problems);
    if (!kind || !request.name) return;
    checkSettingsOf(kind, request, field, problems);
    const id = `${kind.kind}-${request.name}`.toLowerCase();
    if (this.node.tryFindChild(id)) {
      problems.add(`${field}.name`, `'${request.name}' is given twice. Leave one out, or give it another name.`);
      return;
    }
    this.children.push(this.make(id, childPlaceOf(parent, kind, request.name), request, field, problems));
  }
}

/** Name of the construct of a request in its service. */
export function constructIdOf(on: string, kind = '', name = ''): string {
  return ['shared', on, kind, name].filter((part) => part !== '').join('-').toLowerCase();
}

/** Adds a problem if Azure takes only one of the roles for an identity. */
function checkExclusive(roles: readonly SharedRole[], field: string, problems: PlatformProblems): void {
  const exclusive = roles.filter(({ objects }) => objects.some((object) => object.exclusive));
  const names = [...new Set(exclusive.map(({ name }) => name))];
  if (names.length > 1) problems.add(`${field}.roles`, `Azure takes only one of ${names.join(' and ')} for an identity. Give the wider one.`);
}

/** Adds problems for fields that only a resource can have. */
function checkWhole(on: SharedService, request: SharedResourceRequest, field: string, problems: PlatformProblems): void {
  for (const name of ['kind', 'owned', 'settings', 'children', 'removalPolicy', 'reconcilePolicy'] as const) {
    if (request[name] !== undefined) problems.add(`${field}.${name}`, `is for a resource in '${on.name}', which needs a name.`);
  }
  if (on.roles.length === 0) {
    const kinds = on.resources.map(({ kind }) => kind).join(', ');
    problems.add(`${field}.name`, kinds === '' ? `'${on.name}' offers nothing that a service can ask for.` : `required: '${on.name}' offers no role on the whole of it, but resources: ${kinds}.`);
  } else if (!request.roles?.length) {
    problems.add(`${field}.roles`, `required. '${on.name}' offers ${on.roles.map(({ name }) => name).join(', ')}.`);
  }
}

function kindFor(
  offered: readonly SharedResourceKind[], kind: string | undefined, where: string, field: string, problems: PlatformProblems,
): SharedResourceKind | undefined {
  const names = offered.map((one) => one.kind);
  if (offered.length === 0) {
    problems.add(field, `there are no resources to ask for ${where}, only roles on the whole of it. Leave the name out.`);
    return undefined;
  }
  if (kind === undefined) {
    if (offered.length > 1) problems.add(`${field}.kind`, `required ${where}. Give one of ${names.join(', ')}.`);
    return offered.length === 1 ? offered[0] : undefined;
  }
  const found = offered.find((one) => one.kind === kind);
  if (!found) {
    problems.add(`${field}.kind`, `'${kind}' is nothing to ask for ${where}.${suggestion(kind, names)} Give one of ${names.join(', ')}.`);
  }
  return found;
}

function checkSettingsOf(
  kind: SharedResourceKind, request: SharedResourceRequest | SharedChildRequest, field: string, problems: PlatformProblems,
): void {
  const isReference = (request as SharedResourceRequest).owned === false;
  if (isReference || kind.group === undefined) {
    checkReference(request, ['settings', 'removalPolicy', 'reconcilePolicy'], 'resource', field, problems);
    return;
  }
  const properties = Object.keys(catalogKindOf(kind)!.latest.specType.props).filter((name) => !NOT_SETTINGS.includes(name));
  checkNames(request.settings, Object.fromEntries(properties.map((name) => [name, true as const])), `${field}.settings`, problems);
  checkFixed(request.settings, kind.fixed, `${field}.settings`, problems);
}
