import { GrantedScope, KindUse } from './catalogue-entry';
import type { CatalogueEntry } from './catalogue-entry';
import { lowerAscii } from './condition';
import type { Deputy } from './deputies/deputy';
import { deputiesOf } from './deputies/known-deputies';
import type { LimitOrigin } from './limit';
import { propertyProblem } from './limited-property';
import { patternProblem, reservedNames, type ReservedNames } from './reserved-names';
import type { SelfServicePolicyProps } from './self-service-options';
import { armTypeOf } from '../../azure/arm-id';
import { allows } from '../../azure/permissions/action-match';
import { builtInPermission } from '../../azure/permissions/built-in-permissions';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { Catalog } from '../../catalog/catalog';
import type { Kind } from '../../catalog/kind';
import { AzureReference, BuiltInRole, ReconcilePolicy } from '../../core';
import { profileIdOf } from '../model/arm-id-parts';
import { ClusterMode } from '../model/cluster';
import { PlatformProblems } from '../model/problems';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';
import { armTypeOfKind, armTypeOfService, pathBelow } from '../model/shared-kind-facts';
import { SharedService } from '../model/shared-service';
import { DNS_ZONE, FRONT_DOOR_ENDPOINT } from '../model/shared-service-types';
import { TeamIdentity } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { grantedIdentity } from '../naming/concerned-identity';
import { sharedPrefix } from '../naming/shared-prefix';

/** An entry of the catalogue with the facts of its kind. */
export interface KnownEntry {
  readonly entry: CatalogueEntry;
  readonly kind: Kind;
  /** Group and kind, e.g. `storage.azure.com/StorageAccount`. */
  readonly type: string;
  readonly creates: boolean;
  /** The owner's kind, if there is only one. */
  readonly ownerType?: string;
  /** Whether the kind has no owner. */
  readonly ownerless: boolean;
}

/** A scope outside of the team's group in which the team may own resources. Ids in lower case. */
export interface KnownScope {
  readonly id: string;
  /** The id with its original spelling. */
  readonly displayId: string;
  /** The kinds that the scope may own directly; undefined for all kinds, at any depth. */
  readonly entries?: readonly KnownEntry[];
  readonly namePrefix: string;
  /** Prefixes of other teams that begin with `namePrefix`. */
  readonly otherPrefixes: readonly string[];
  /** Whether host names separate the teams there, not prefixes. */
  readonly byHostName?: boolean;
}

/** The policy for a team in an environment. */
export interface TeamPolicy {
  readonly team: TeamInEnvironment;
  readonly options: SelfServicePolicyProps;
  readonly entries: readonly KnownEntry[];
  readonly scopes: readonly KnownScope[];
  /** ARM ids of the team's resource groups in lower case. */
  readonly groupIds: readonly string[];
  readonly locations: readonly string[];
  /** Secrets with the operator's credentials. */
  readonly credentials: readonly string[];
  /** Service accounts of the namespace as which the operator and the platform act. */
  readonly operatorAccounts: readonly string[];
  /** Kinds whose controllers act for the team with rights of their own. */
  readonly deputies: readonly Deputy[];
  /** ARM ids, in lower case, of identities under which the operator or the platform acts. */
  readonly protectedIdentities: readonly string[];
  /** Names in Azure of what the platform makes in the team's groups. */
  readonly reservedNames: ReservedNames;
  /** Names of the platform's objects in the namespace: `group/resource/name`. */
  readonly protectedObjects: readonly string[];
  /** Kinds of claims, as `group/resource`, whose status only the platform may write: the composer deletes by it. */
  readonly claimKinds: readonly string[];
  /** Whether the team may assign roles itself. */
  readonly grantsRoles: boolean;
  /** Whether Azure lets the operator assign roles for the team; true also where its roles are not known here. */
  readonly mayAssignRoles: boolean;
  readonly origin: LimitOrigin;
}

const ASSIGN_ROLES = 'Microsoft.Authorization/roleAssignments/write';
/** Properties below the object, of elements of lists after `[]`. */
const DEPUTY_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*(\[\])*)*$/;

/** @throws when a value is unknown or malformed: one error that lists all problems */
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
  if ((props.catalogue ?? []).length === 0) problems.require('catalogue', undefined, 'Give at least one kind that the team may use.');
  entries.forEach(({ type }, index) => {
    if (entries.findIndex((other) => other.type === type) !== index) {
      problems.add(`catalogue[${index}].kind`, `'${type}' is there twice. Keep one of the two.`);
    }
  });
  for (const known of entries) assertValues(known, `catalogue[${props.catalogue.indexOf(known.entry)}]`, props, problems);
  (props.sharedReferences ?? []).forEach((id, index) => {
    if (armTypeOf(id) === undefined) problems.add(`sharedReferences[${index}]`, `'${id}' is no ARM id. Give the id that Azure shows as "Resource ID".`);
  });
  (props.platformIdentities ?? []).forEach((pattern, index) => {
    const problem = patternProblem(pattern);
    if (problem !== undefined) problems.add(`platformIdentities[${index}]`, problem);
  });
  (props.deputies ?? []).forEach((deputy, index) => assertDeputy(deputy, `deputies[${index}]`, problems));
  (props.grantedScopes ?? []).forEach((scope, index) => assertScope(scope, `grantedScopes[${index}]`, entries, problems));
  for (const kind of Object.keys(props.skus ?? {})) {
    if (!entries.some((known) => isNamed(known, kind))) {
      problems.add(`skus.${kind}`, 'is no kind of the catalogue. Write a kind that is, or leave the SKUs out.');
    }
  }
  (props.roles ?? []).forEach((role, index) => {
    if (roleIdOf(role.azureResourceRef.armId) === undefined) {
      problems.add(`roles[${index}]`, 'is no role that is known by its id. Give a BuiltInRole or BuiltInRole.custom(id).');
    }
  });
  problems.throwIfAny();
  return entries;
}

/** Rejects limits on properties that the kind does not have: they would have no effect. */
function assertValues(
  { entry, kind, type }: KnownEntry,
  field: string,
  { skus = {} }: SelfServicePolicyProps,
  problems: PlatformProblems,
): void {
  const check = (at: string, property: string, allowed: readonly string[]) => {
    const problem = propertyProblem(kind, property, allowed);
    if (problem !== undefined) problems.add(at, problem);
  };
  const allowedSkus = entry.skus ?? skus[type] ?? skus[entry.kind];
  if (entry.skuProperty !== undefined) {
    check(`${field}.skuProperty`, entry.skuProperty, entry.skus ?? []);
  } else if (allowedSkus) {
    check(`${entry.skus ? `${field}.skus` : `skus.${entry.kind}`}: skuProperty of the catalogue's entry`, 'sku.name', allowedSkus);
  }
  (entry.properties ?? []).forEach(({ property, allowed }, index) => check(`${field}.properties[${index}].property`, property, allowed));
}

/** Rejects paths that name nothing: they would protect nothing. */
function assertDeputy(deputy: Deputy, field: string, problems: PlatformProblems): void {
  problems.require(`${field}.group`, deputy.group, 'Give the API group, e.g. external-secrets.io.');
  problems.require(`${field}.kind`, deputy.kind, 'Give the kind, e.g. ExternalSecret.');
  for (const property of ['secrets', 'configMaps', 'searched', 'refused'] as const) {
    (deputy[property] ?? []).forEach((path, index) => assertPath(path, `${field}.${property}[${index}]`, problems));
  }
  if (deputy.serviceAccount !== undefined) assertPath(deputy.serviceAccount, `${field}.serviceAccount`, problems);
}

function assertPath(path: string, field: string, problems: PlatformProblems): void {
  if (DEPUTY_PATH.test(path)) return;
  problems.add(field, `'${path}' is no path of an object. Write one like spec.target.name or spec.secretObjects[].secretName.`);
}

function assertScope(scope: GrantedScope, field: string, entries: readonly KnownEntry[], problems: PlatformProblems): void {
  const type = armTypeOf(scope.armId ?? '');
  if (type === undefined) problems.add(`${field}.armId`, `'${scope.armId}' is no ARM id. Give the id that Azure shows as "Resource ID".`);
  if (type === 'Microsoft.Resources/subscriptions' && scope.kinds === undefined) {
    problems.add(`${field}.armId`, 'is a whole subscription, and with it every other team. Give a resource group or a resource.');
  }
  for (const kind of scope.kinds ?? []) {
    if (!entries.some((known) => isNamed(known, kind))) {
      problems.add(`${field}.kinds`, `'${kind}' is no kind of the catalogue. Write a kind that is.`);
    }
  }
}

/** The policy for a team. */
export function teamPolicy(props: SelfServicePolicyProps, entries: readonly KnownEntry[], team: TeamInEnvironment): TeamPolicy {
  const options = withPassive(props, team);
  const credentials = [...new Set(['aso-credential', ...(props.credentials ?? [])])];
  return {
    team,
    options,
    entries,
    scopes: [
      ...sharedScopes(team, entries, props),
      ...(props.grantedScopes ?? []).flatMap((scope) => granted(scope, entries, props, team)),
    ],
    groupIds: team.resourceGroups.map(({ name }) => lowerAscii(team._groupId(name))),
    locations: props.locations ?? [...new Set([team.environment.location, ...team.resourceGroups.map(({ location }) => location!)])],
    credentials,
    operatorAccounts: [WORKLOAD_SERVICE_ACCOUNT, credentialReader(team)],
    deputies: deputiesOf(props.deputies ?? []),
    protectedIdentities: [operatorIdentityId(team), ...(props.protectedIdentities ?? [])].map((id) =>
      withoutTrailingSlashes(lowerAscii(id)),
    ),
    reservedNames: reservedNames(team, props.platformIdentities),
    protectedObjects: protectedObjects(team, credentials, props.platformObjects ?? []),
    claimKinds: [],
    grantsRoles: entries.some(({ type, creates }) => creates && type === 'authorization.azure.com/RoleAssignment'),
    mayAssignRoles: mayAssignRoles(team),
    origin: {
      changedBy: props.changedBy ?? 'the platform team',
      of: `team '${team.team.name}' in '${team.environment.name}${team.environment.instance}'`,
    },
  };
}

/** ARM id of the identity under which the operator acts for the team, with the onboarding's name. */
function operatorIdentityId(team: TeamInEnvironment): string {
  const { operator } = team.identities;
  if (operator) return team.environment.armIdOf(operator);
  return `${team.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${team.environment.naming.teamIdentity(team)}`;
}

/** Whether one of the roles of the operator's identity writes role assignments, or is not known here. */
function mayAssignRoles({ environment, grants, identities }: TeamInEnvironment): boolean {
  // An identity that was made elsewhere has what it was given there.
  if (identities.operator) return true;
  const ofOperator = grants.filter((grant) => grantedIdentity(grant, environment.teamIdentities) === TeamIdentity.OPERATOR);
  const roles = [environment.roles.resourceGroup ?? BuiltInRole.CONTRIBUTOR, ...ofOperator.map(({ role }) => role)];
  return roles.some(({ azureResourceRef }) => {
    const permission = builtInPermission(roleIdOf(azureResourceRef.armId) ?? '');
    return permission === undefined || allows([permission], ASSIGN_ROLES);
  });
}

/** The service account with which External Secrets Operator reads the team's credential, with the onboarding's name. */
function credentialReader(team: TeamInEnvironment): string {
  return `${team.environment.naming.teamIdentity(team)}-credential-reader`;
}

/** The platform's objects, with the onboarding's names. */
function protectedObjects(team: TeamInEnvironment, credentials: readonly string[], platformObjects: readonly string[]): string[] {
  const { naming } = team.environment;
  const reader = credentialReader(team);
  return [
    ...[...credentials, ...platformObjects].map((name) => `/secrets/${name}`),
    ...platformObjects.map((name) => `/configmaps/${name}`),
    ...[WORKLOAD_SERVICE_ACCOUNT, naming.teamServiceAccount(team), reader].map((name) => `/serviceaccounts/${name}`),
    ...credentials.map((name) => `external-secrets.io/externalsecrets/${name}`),
    `external-secrets.io/secretstores/${reader}`,
    `azconfig.io/azureappconfigurationproviders/${naming.trustedCertificates(team)}`,
    ...['networking.k8s.io', 'projectcalico.org', 'crd.projectcalico.org'].map(
      (group) => `${group}/networkpolicies/${naming.networkPolicy(team)}`,
    ),
  ];
}

/** Adds the policy `skip` if the environment has passive clusters: their objects only watch, and change nothing. */
function withPassive(props: SelfServicePolicyProps, { environment }: TeamInEnvironment): SelfServicePolicyProps {
  const { reconcilePolicies } = props;
  const passive = environment.clusters.some(({ mode }) => mode === ClusterMode.PASSIVE);
  return passive && reconcilePolicies ? { ...props, reconcilePolicies: [...new Set([...reconcilePolicies, ReconcilePolicy.SKIP])] } : props;
}

/** The shared services that the team uses, as scopes: each may own the kinds of the catalogue that belong directly below it. */
function sharedScopes(team: TeamInEnvironment, entries: readonly KnownEntry[], props: SelfServicePolicyProps): KnownScope[] {
  const owners = team.uses.flatMap((service) => ownersIn(team, service).map((id) => ({ service, id })));
  // Several endpoints may be in one profile.
  const distinct = owners.filter(({ id }, index) => owners.findIndex((other) => other.id.toLowerCase() === id.toLowerCase()) === index);
  return distinct.flatMap(({ service, id }) => {
    const type = armTypeOf(id)?.toLowerCase();
    const owned = entries.filter(({ ownerType, creates, kind }) => (
      creates && ownerType !== undefined && armTypeOfOwner(ownerType) === type && hasOwnName(kind)));
    // Names of records are host names, which are the team's or not.
    if (type === DNS_ZONE.toLowerCase()) return [{ ...scopeOf(id, '', props, owned), byHostName: true }];
    return byPrefix(id, owned, props, ({ entry }) => sharedPrefix(team, service, entry.kind));
  });
}

/** A resource with a fixed name, e.g. the blob service `default` of an account, exists once for all teams. */
function hasOwnName(kind: Kind): boolean {
  return kind.latest.facts.name === 'azureName';
}

/** ARM ids of what may own resources in a shared service. */
export function ownersIn({ environment }: TeamInEnvironment, service: SharedService): string[] {
  const id = withoutTrailingSlashes(environment.armIdOf(service.resource));
  const type = armTypeOfService(service)!;
  // Custom domains of Front Door belong to the endpoint's profile.
  if (type.toLowerCase() === FRONT_DOOR_ENDPOINT) return [id, profileIdOf(id)];
  const paths = service.resources.map((kind) => pathBelow(type, kind)!.split('/').slice(0, -1));
  return [...new Set([id, ...paths.map((path) => [id, ...path].join('/'))])];
}

function granted(
  scope: GrantedScope,
  entries: readonly KnownEntry[],
  props: SelfServicePolicyProps,
  team: TeamInEnvironment,
): KnownScope[] {
  const { armId, kinds, namePrefix } = scope;
  const id = withoutTrailingSlashes(armId);
  if (kinds === undefined) return [scopeOf(id, namePrefix ?? '', props)];
  const owned = entries.filter((known) => kinds.some((kind) => isNamed(known, kind)));
  if (namePrefix !== undefined) return [scopeOf(id, namePrefix, props, owned)];
  const service = SharedService.custom({ name: 'granted', resource: AzureReference.fromArmId(id) });
  return byPrefix(id, owned, props, ({ entry }) => sharedPrefix(team, service, entry.kind));
}

function byPrefix(
  id: string, entries: readonly KnownEntry[], props: SelfServicePolicyProps, namePrefixOf: (entry: KnownEntry) => string,
): KnownScope[] {
  const prefixOf = (entry: KnownEntry) => props.sharedNamePrefix ?? namePrefixOf(entry);
  return [...new Set(entries.map(prefixOf))].map((prefix) =>
    scopeOf(
      id,
      prefix,
      props,
      entries.filter((known) => prefixOf(known) === prefix),
    ),
  );
}

function scopeOf(id: string, namePrefix: string, props: SelfServicePolicyProps, entries?: readonly KnownEntry[]): KnownScope {
  const prefix = lowerAscii(namePrefix);
  const others = (props.otherNamePrefixes ?? []).map(lowerAscii).filter((other) => other !== prefix && other.startsWith(prefix));
  return { id: lowerAscii(id), displayId: id, ...(entries && { entries }), namePrefix: prefix, otherPrefixes: prefix === '' ? [] : others };
}

function armTypeOfOwner(ownerType: string): string | undefined {
  const [group = '', kind = ''] = ownerType.split('/');
  return armTypeOfKind(group, kind)?.toLowerCase();
}

/** Whether `StorageAccount` or `storage.azure.com/StorageAccount` names the kind. */
export function isNamed({ type, entry }: KnownEntry, name: string): boolean {
  return name === type || name === entry.kind;
}

/** The UUID of a role definition, in lower case. */
export function roleIdOf(armId: string | undefined): string | undefined {
  return /\/providers\/microsoft\.authorization\/roledefinitions\/([^/]+)$/.exec(lowerAscii(armId ?? ''))?.[1];
}

