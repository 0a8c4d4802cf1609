import { isProven, type Relation } from './access-relation';
import type { AccessUser } from './access-user';
import { isReady } from './conditions';
import { roleAllows } from './role-allows';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { DELETE_IN_USE, RESOURCE_ID } from '../../../src/azure/annotations';
import { sameArmId } from '../../../src/azure/arm-id';
import type { PropagationSource } from '../../../src/azure/credential-propagation';
import { withoutTrailingSlashes } from '../../../src/azure/trailing-slashes';
import { groupOf, objectKeyOf } from '../../../src/object-id';
import { asText } from '../../../src/util/words';

/** The tokens with which this controller signs in for namespaces. */
export interface OperatorTokens {
  readonly namespace: string;
  /** Undefined: not known. */
  readonly issuer?: string | undefined;
  /** Strict: tokens of the service account `aso-workload` of each namespace; else the controller's own. */
  readonly isStrict: boolean;
}

/** The cluster's identities, with their permissions and the objects that act as them. */
export interface AccessView {
  readonly identities: readonly KubernetesObject[];
  readonly federations: readonly KubernetesObject[];
  readonly roleAssignments: readonly KubernetesObject[];
  readonly tokens: OperatorTokens;
  /**
   * The identities that a namespace accepts, by the annotation of its Namespace, which only the platform may edit. Undefined: the
   * Namespace is not known.
   */
  sourcesOf(namespace: string): readonly PropagationSource[] | undefined;
  /** Objects whose credential Secret has this client ID. */
  usersOf(clientId: string): readonly AccessUser[];
  /** Objects with any credential Secret and a resource below this one. */
  usersBelow(armId: string): readonly AccessUser[];
}

/** The kinds that give access, in the order of deletion: each may wait for those before it, and for none after it. */
const ORDER = [
  'RoleAssignment.authorization',
  'FederatedIdentityCredential.managedidentity',
  'UserAssignedIdentity.managedidentity',
  'ResourceGroup.resources',
];

/** Whether other objects may get their access from objects of the kind. */
export function mayGiveAccess(group: string, kind: string): boolean {
  return rankOf(group, kind) >= 0;
}

/**
 * The objects that still need this object in Azure, so that its deletion has to wait for them: it may be the identity that they act as,
 * the trust by which this controller acts as that identity, the role that lets them be deleted, or the resource group with the identity,
 * the roles or their resources. Pure.
 */
export function neededBy(object: KubernetesObject, view: AccessView): readonly AccessUser[] {
  if (annotation(object, DELETE_IN_USE) === 'true') return [];
  const rank = rankOf(groupOf(object), object.kind);
  switch (object.kind) {
    case 'UserAssignedIdentity': return usersOf(object, object, rank, view);
    case 'FederatedIdentityCredential': return usersByTrust(object, rank, view);
    case 'RoleAssignment': return usersByRole(object, rank, view);
    case 'ResourceGroup': return usersByGroup(object, rank, view);
    default: return [];
  }
}

/** An object that gives the identity its access does not count as its user: they would wait for each other. */
function usersOf(identity: KubernetesObject, deleted: KubernetesObject, rank: number, view: AccessView): readonly AccessUser[] {
  const clientId = statusText(identity, 'clientId');
  if (clientId === undefined) return [];
  const relation = relationOf(identity, deleted, view);
  return view.usersOf(clientId).filter((user) => {
    const own = rankOf(groupOf(user.object), user.object.kind);
    return (own < 0 || own < rank || !gives(user.object, identity)) && isProven(user, relation);
  });
}

function relationOf(identity: KubernetesObject, deleted: KubernetesObject, view: AccessView): Relation {
  const isOfOwner = (one: KubernetesObject) => one.metadata.namespace === identity.metadata.namespace;
  const trusted = view.federations.filter((one) => isOfOwner(one) && trusts(one, identity)).map((one) => asText(specOf(one).subject ?? ''));
  return { identity, deleted, trusted, sourcesOf: view.sourcesOf };
}

/** Whether the object is the identity, or gives access to it. */
function gives(object: KubernetesObject, identity: KubernetesObject): boolean {
  switch (object.kind) {
    case 'UserAssignedIdentity': return object.metadata.uid === identity.metadata.uid;
    case 'FederatedIdentityCredential': return trusts(object, identity);
    case 'RoleAssignment': return isPrincipal(object, identity);
    default: return isBelow(armIdOf(identity), armIdOf(object));
  }
}

function usersByTrust(federation: KubernetesObject, rank: number, view: AccessView): readonly AccessUser[] {
  const identity = nearest(federation, view.identities.filter((one) => trusts(federation, one)));
  if (!identity) return [];
  const { tokens } = view;
  const { issuer, subject } = specOf(federation);
  const isOurs = (one: KubernetesObject) => specOf(one).issuer === tokens.issuer;
  const siblings = ofTheSame(federation, identity, view.federations).filter(
    (one) => trusts(one, identity) && specOf(one).subject === subject,
  );
  // No controller of this cluster uses tokens of other clusters' issuers. If no federation has our issuer, the controller's may be known
  // by another URL.
  if (tokens.issuer !== undefined && issuer !== tokens.issuer && siblings.some(isOurs)) return [];
  const [, , namespace, account] = asText(subject ?? '').split(':');
  const users = usersOf(identity, federation, rank, view);
  if (!tokens.isStrict) return namespace === tokens.namespace ? users : [];
  return account === 'aso-workload' ? users.filter(({ key }) => key.namespace === namespace) : [];
}

function usersByRole(assignment: KubernetesObject, rank: number, view: AccessView): readonly AccessUser[] {
  const identity = nearest(assignment, view.identities.filter((one) => isPrincipal(assignment, one)));
  if (!identity) return [];
  const others = ofTheSame(assignment, identity, view.roleAssignments).filter((other) => other.metadata.uid !== assignment.metadata.uid
    && other.metadata.deletionTimestamp === undefined && isReady(other) && isPrincipal(other, identity));
  return usersOf(identity, assignment, rank, view).filter(({ armId }) => armId !== undefined
    && isBelow(armId, scopeOf(assignment))
    && roleAllows(assignment, armId) !== 'no'
    // In doubt another role is not sufficient.
    && !others.some((other) => isBelow(armId, scopeOf(other)) && roleAllows(other, armId) === 'yes'));
}

/**
 * Users in the group's own namespace do not block it: their resources in the group are deleted after it. Users in other namespaces do if
 * their deletion needs a role that would go with the group, or if they act as an identity in the group.
 */
function usersByGroup(group: KubernetesObject, rank: number, view: AccessView): readonly AccessUser[] {
  const armId = armIdOf(group);
  if (armId === undefined) return [];
  const acting = view.identities.flatMap((identity) => {
    const isInside = isBelow(armIdOf(identity), armId);
    return usersOf(identity, group, rank, view).filter((user) => isInside || isBelow(user.armId, armId));
  });
  const relation: Relation = { deleted: group, trusted: [], sourcesOf: view.sourcesOf };
  const ending = view.usersBelow(armId).filter((user) => user.isDeleting && isProven(user, relation));
  const users = new Map(
    [...acting, ...ending].map((user) => [objectKeyOf(user.key), user]),
  );
  return [...users.values()].filter(({ key }) => key.namespace !== group.metadata.namespace);
}

/** Several objects may represent one identity of Azure; the one in the object's own namespace is preferred. */
function nearest(object: KubernetesObject, identities: readonly KubernetesObject[]): KubernetesObject | undefined {
  return identities.find(({ metadata }) => metadata.namespace === object.metadata.namespace) ?? identities[0];
}

/** The objects in the namespaces of the object and of the identity: objects of other teams cannot replace them. */
function ofTheSame(object: KubernetesObject, identity: KubernetesObject, all: readonly KubernetesObject[]): KubernetesObject[] {
  const own = [object.metadata.namespace, identity.metadata.namespace];
  return all.filter(({ metadata }) => own.includes(metadata.namespace));
}

function trusts(federation: KubernetesObject, identity: KubernetesObject): boolean {
  const owner = (specOf(federation).owner ?? {}) as { readonly name?: string; readonly armId?: string };
  if (owner.armId) return sameArmId(owner.armId, armIdOf(identity) ?? '');
  return owner.name === identity.metadata.name && federation.metadata.namespace === identity.metadata.namespace;
}

/** Compares by the ID that Azure has returned, or by the ConfigMap from which the ID is read. */
function isPrincipal(assignment: KubernetesObject, identity: KubernetesObject): boolean {
  const spec = specOf(assignment);
  const given = statusText(assignment, 'principalId') ?? spec.principalId;
  if (typeof given === 'string') return given.toLowerCase() === statusText(identity, 'principalId')?.toLowerCase();
  const from = (spec.principalIdFromConfig ?? {}) as { readonly name?: string; readonly key?: string };
  const { configMaps } = (specOf(identity).operatorSpec ?? {}) as { readonly configMaps?: { readonly principalId?: typeof from } };
  const exported = configMaps?.principalId;
  return exported?.name !== undefined && exported.name === from.name && exported.key === from.key
    && assignment.metadata.namespace === identity.metadata.namespace;
}

/** The scope of the role assignment. */
function scopeOf(assignment: KubernetesObject): string | undefined {
  const armId = armIdOf(assignment);
  const end = armId?.toLowerCase().lastIndexOf('/providers/microsoft.authorization/roleassignments/') ?? -1;
  return end < 0 ? undefined : armId!.slice(0, end);
}

/** Whether the resource is the other one, or is inside it. */
function isBelow(armId: string | undefined, above: string | undefined): boolean {
  if (armId === undefined || above === undefined) return false;
  return `${armId}/`.toLowerCase().startsWith(`${withoutTrailingSlashes(above)}/`.toLowerCase());
}

function armIdOf(object: KubernetesObject): string | undefined {
  return annotation(object, RESOURCE_ID);
}

function statusText(object: KubernetesObject, name: string): string | undefined {
  const value = object.status?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function specOf(object: KubernetesObject): Readonly<Record<string, unknown>> {
  return object.spec ?? {};
}

function rankOf(group: string, kind: string): number {
  return ORDER.indexOf(`${kind}.${group.replace(/\.azure\.com$/, '')}`);
}
