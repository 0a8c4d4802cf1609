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
import { asText } from '../../../src/util/words';

/** With whose tokens this controller signs in for namespaces. */
export interface OperatorTokens {
  readonly namespace: string;
  /** Undefined: not known. */
  readonly issuer?: string;
  /** Strict: tokens of the service account `aso-workload` of each namespace; else the controller's own. */
  readonly isStrict: boolean;
}

/** What there is in the cluster of identities, of what they may do and of who acts as them. */
export interface AccessView {
  readonly identities: readonly KubernetesObject[];
  readonly federations: readonly KubernetesObject[];
  readonly roleAssignments: readonly KubernetesObject[];
  readonly tokens: OperatorTokens;
  /** Whose identities a namespace takes, by the word of who may annotate Namespaces. Undefined: the Namespace is not known, so nobody can tell. */
  sourcesOf(namespace: string): readonly PropagationSource[] | undefined;
  /** Who has a credential Secret with this client id. */
  usersOf(clientId: string): readonly AccessUser[];
  /** Who has a credential Secret, whatever it holds, and a resource below this one. */
  usersBelow(armId: string): readonly AccessUser[];
}

/** What gives access, in the order in which it may go: each may wait for those before it, and none for one after it. */
const ORDER = ['RoleAssignment.authorization', 'FederatedIdentityCredential.managedidentity', 'UserAssignedIdentity.managedidentity', 'ResourceGroup.resources'];

/** Whether access of others may depend on objects of the kind. */
export function mayGiveAccess(group: string, kind: string): boolean {
  return rankOf(group, kind) >= 0;
}

/**
 * Who still needs what this object gives in Azure, so that it has to be there until they are done: the identity that they act as, the trust by
 * which this controller acts as it, the role that lets them be deleted, the resource group with identity, roles or themselves in it. Pure.
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

/** What gives an identity its access is no user of it: they would wait for each other. */
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

/** Whether the object is the identity, or gives it something. */
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
  const siblings = ofTheSame(federation, identity, view.federations).filter((one) => trusts(one, identity) && specOf(one).subject === subject);
  // Of other clusters' tokens nobody here makes use. Where none is of ours, somebody else's issuer may stand for it.
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
    // In doubt another role is not as good.
    && !others.some((other) => isBelow(armId, scopeOf(other)) && roleAllows(other, armId) === 'yes'));
}

/**
 * Of its own namespace nobody is waited for: what it owns there goes after it. Of others, whoever has to be deleted with a role that would go
 * with the group, and whoever acts as an identity in it.
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
  const users = new Map([...acting, ...ending].map((user) => [`${user.key.group}/${user.key.kind}/${user.key.namespace}/${user.key.name}`, user]));
  return [...users.values()].filter(({ key }) => key.namespace !== group.metadata.namespace);
}

/** Several objects may tell of one identity of Azure; that of its own namespace is not somebody else's. */
function nearest(object: KubernetesObject, identities: readonly KubernetesObject[]): KubernetesObject | undefined {
  return identities.find(({ metadata }) => metadata.namespace === object.metadata.namespace) ?? identities[0];
}

/** Those that belong to whose the object or the identity is: what others write does not make theirs superfluous. */
function ofTheSame(object: KubernetesObject, identity: KubernetesObject, all: readonly KubernetesObject[]): KubernetesObject[] {
  const own = [object.metadata.namespace, identity.metadata.namespace];
  return all.filter(({ metadata }) => own.includes(metadata.namespace));
}

function trusts(federation: KubernetesObject, identity: KubernetesObject): boolean {
  const owner = (specOf(federation).owner ?? {}) as { readonly name?: string; readonly armId?: string };
  if (owner.armId) return sameArmId(owner.armId, armIdOf(identity) ?? '');
  return owner.name === identity.metadata.name && federation.metadata.namespace === identity.metadata.namespace;
}

/** By the id that Azure has shown, or the ConfigMap from which it is read. */
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

/** What the role is on. */
function scopeOf(assignment: KubernetesObject): string | undefined {
  const armId = armIdOf(assignment);
  const end = armId?.toLowerCase().lastIndexOf('/providers/microsoft.authorization/roleassignments/') ?? -1;
  return end < 0 ? undefined : armId!.slice(0, end);
}

/** Whether a resource is the other one, or lies in it. */
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

function groupOf({ apiVersion }: KubernetesObject): string {
  return apiVersion.split('/')[0];
}

function rankOf(group: string, kind: string): number {
  return ORDER.indexOf(`${kind}.${group.replace(/\.azure\.com$/, '')}`);
}
