import { GrantedScope, KindUse } from './catalogue-entry';
import type { CatalogueEntry } from './catalogue-entry';
import { lowerAscii } from './condition';
import type { LimitOrigin } from './limit';
import type { SelfServicePolicyProps } from './self-service-options';
import { armTypeOf } from '../../azure/arm-id';
import { Catalog } from '../../catalog/catalog';
import type { Kind } from '../../catalog/kind';
import { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** An entry of the catalogue with what is known of its kind. */
export interface KnownEntry {
  readonly entry: CatalogueEntry;
  readonly kind: Kind;
  /** `storage.azure.com/StorageAccount` */
  readonly type: string;
  readonly creates: boolean;
  /** The kind that owns it, where it is always the same. */
  readonly ownerType?: string;
  /** Whether it has no owner at all. */
  readonly ownerless: boolean;
}

/** Where the team may own outside of its group. Ids in lower case. */
export interface KnownScope {
  readonly id: string;
  /** What it may own directly; undefined for everything, and everything below it. */
  readonly entries?: readonly KnownEntry[];
  readonly namePrefix: string;
}

/** A policy as it is for a team in an environment. */
export interface TeamPolicy {
  readonly team: TeamInEnvironment;
  readonly options: SelfServicePolicyProps;
  readonly entries: readonly KnownEntry[];
  readonly scopes: readonly KnownScope[];
  /** In lower case. */
  readonly groupId: string;
  readonly locations: readonly string[];
  /** Secrets with which the operator signs in. */
  readonly credentials: readonly string[];
  /** Whether the team grants roles itself. */
  readonly grantsRoles: boolean;
  readonly origin: LimitOrigin;
}

/** @throws when something is not known or malformed, all of it in one error */
export function knownEntries(props: SelfServicePolicyProps): KnownEntry[] {
  const problems = new PlatformProblems('SelfServicePolicy');
  const entries = (props.catalogue ?? []).flatMap((entry, index): KnownEntry[] => {
    const field = `catalogue[${index}]`;
    const kind = Catalog.default().kind(entry.group, entry.kind);
    if (!kind) {
      problems.add(`${field}.kind`, `'${entry.group}/${entry.kind}' is no kind of Azure Service Operator. Write group and kind as in its CRD: storage.azure.com, StorageAccount.`);
      return [];
    }
    const { owner } = kind.latest.facts;
    return [{
      entry,
      kind,
      type: `${entry.group}/${entry.kind}`,
      creates: (entry.use ?? KindUse.CREATE) === KindUse.CREATE,
      ownerless: owner === null,
      ...(typeof owner === 'object' && owner !== null && { ownerType: `${owner.group}/${owner.kind}` }),
    }];
  });
  if (entries.length === 0) problems.require('catalogue', undefined, 'Give at least one kind that the team may use.');
  entries.forEach(({ type }, index) => {
    if (entries.findIndex((other) => other.type === type) !== index) problems.add(`catalogue[${index}].kind`, `'${type}' is there twice. Keep one of the two.`);
  });
  (props.grantedScopes ?? []).forEach((scope, index) => assertScope(scope, `grantedScopes[${index}]`, entries, problems));
  for (const kind of Object.keys(props.skus ?? {})) {
    if (!entries.some((known) => isNamed(known, kind))) problems.add(`skus.${kind}`, 'is no kind of the catalogue. Write a kind that is, or leave the SKUs out.');
  }
  (props.roles ?? []).forEach((role, index) => {
    if (roleIdOf(role.azureResourceRef.armId) === undefined) problems.add(`roles[${index}]`, 'is no role that is known by its id. Give a BuiltInRole or BuiltInRole.custom(id).');
  });
  problems.throwIfAny();
  return entries;
}

function assertScope(scope: GrantedScope, field: string, entries: readonly KnownEntry[], problems: PlatformProblems): void {
  const type = armTypeOf(scope.armId ?? '');
  if (type === undefined) problems.add(`${field}.armId`, `'${scope.armId}' is no ARM id. Give the id that Azure shows as "Resource ID".`);
  if (type === 'Microsoft.Resources/subscriptions' && scope.kinds === undefined) problems.add(`${field}.armId`, 'is a whole subscription, and with it every other team. Give a resource group or a resource.');
  for (const kind of scope.kinds ?? []) {
    if (!entries.some((known) => isNamed(known, kind))) problems.add(`${field}.kinds`, `'${kind}' is no kind of the catalogue. Write a kind that is.`);
  }
}

/** What the policy is for a team. */
export function teamPolicy(props: SelfServicePolicyProps, entries: readonly KnownEntry[], team: TeamInEnvironment): TeamPolicy {
  const namePrefix = props.sharedNamePrefix ?? `${team.namespace}-`;
  return {
    team,
    options: props,
    entries,
    scopes: [...sharedScopes(team, entries, namePrefix), ...(props.grantedScopes ?? []).map((scope) => granted(scope, entries, namePrefix))],
    groupId: lowerAscii(team.resourceGroupId),
    locations: props.locations ?? [team.environment.location],
    credentials: [...new Set(['aso-credential', ...(props.credentials ?? [])])],
    grantsRoles: entries.some(({ type, creates }) => creates && type === 'authorization.azure.com/RoleAssignment'),
    origin: { changedBy: props.changedBy ?? 'the platform team', of: `team '${team.team.name}' in '${team.environment.name}${team.environment.instance}'` },
  };
}

/** Of the kinds of the catalogue, those that Azure keeps directly in a shared service may be owned by it. */
function sharedScopes({ environment }: TeamInEnvironment, entries: readonly KnownEntry[], namePrefix: string): KnownScope[] {
  const { serviceBus, postgresServer, appConfiguration, keyVault, containerRegistry, frontDoorEndpoint } = environment.shared;
  const services = [serviceBus, postgresServer, appConfiguration, keyVault, containerRegistry, frontDoorEndpoint];
  const ids = services.flatMap((shared) => (shared ? [environment.armIdOf(shared)] : []));
  // Custom domains of Front Door belong to the profile that the endpoint is in.
  const profiles = frontDoorEndpoint ? [environment.armIdOf(frontDoorEndpoint).split('/').slice(0, -2).join('/')] : [];
  return [...ids, ...profiles].flatMap((id) => {
    const type = armTypeOf(id);
    const owned = entries.filter(({ ownerType, creates }) => creates && ownerType !== undefined && armTypeOfKind(ownerType) === type?.toLowerCase());
    return owned.length === 0 ? [] : [{ id: lowerAscii(id), entries: owned, namePrefix: lowerAscii(namePrefix) }];
  });
}

function granted({ armId, kinds, namePrefix }: GrantedScope, entries: readonly KnownEntry[], shared: string): KnownScope {
  const id = lowerAscii(armId.replace(/\/+$/, ''));
  if (kinds === undefined) return { id, namePrefix: lowerAscii(namePrefix ?? '') };
  return { id, entries: entries.filter((known) => kinds.some((kind) => isNamed(known, kind))), namePrefix: lowerAscii(namePrefix ?? shared) };
}

function armTypeOfKind(type: string): string | undefined {
  const [group, kind] = type.split('/');
  return Catalog.default().kind(group, kind)?.latest.facts.arm?.type.toLowerCase();
}

/** Whether a kind is meant by `StorageAccount` or `storage.azure.com/StorageAccount`. */
export function isNamed({ type, entry }: KnownEntry, name: string): boolean {
  return name === type || name === entry.kind;
}

/** The UUID of a role definition, in lower case. */
export function roleIdOf(armId: string | undefined): string | undefined {
  return /\/providers\/microsoft\.authorization\/roledefinitions\/([^/]+)$/.exec(lowerAscii(armId ?? ''))?.[1];
}

