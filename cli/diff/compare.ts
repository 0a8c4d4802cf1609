import { advice } from './advice';
import { type Advice, type Changes, type Fate, type ResourceChange, type RoleChange, type Summary } from './changes';
import { credentialChanges } from './credential-changes';
import { federationChanges, isFederation } from './federation-changes';
import { objectChanges } from './object-changes';
import { Pairing } from './pairing';
import {
  changeOfAdded,
  changeOfBoth,
  changeOfMove,
  changeOfRemoved,
  managedTwice,
  ownerAmong,
  removalOf,
  stays,
  type Comparison,
} from './resource-changes';
import { isRoleAssignment, roleChanges } from './role-changes';
import { asPolicy, foldedId, Synth, type AzureItem, type SynthOptions } from './synth';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ACCESS_WITHOUT_DATA, givesAccess } from '../../src/azure/access-control-kinds';
import { Catalog } from '../../src/catalog';
import { objectTitleOf, type WrittenObjectId } from '../../src/object-id';

/** Resource names of the kinds that hold no data and give access, as kubectl takes them. */
const ACCESS_RESOURCES = ACCESS_WITHOUT_DATA.map((kind) => {
  const [group, name] = kind.split('/') as [string, string];
  return `${Catalog.default().kind(group, name)!.facts.plural}.${group}`;
});

/** Irreversible changes come first. */
const ORDER: readonly Fate[] = [
  'deleted',
  'refused',
  'moved',
  'created',
  'adopted',
  'watched',
  'changed',
  'policy',
  'apiVersion',
  'exports',
  'kept',
];
const ROLE_ORDER: readonly RoleChange['change'][] = ['kept', 'revoked', 'granted', 'renamed', 'moved', 'changed'];

/**
 * The changes in Azure, in access rights and in the cluster when the new set of objects replaces the old one. Pure; time and memory grow
 * with the number of objects. Objects of equal kind, namespace and name are the same object; objects of equal ARM id manage the same
 * resource.
 */
export function compare(
  oldObjects: readonly KubernetesObject[],
  newObjects: readonly KubernetesObject[],
  options: SynthOptions = {},
): Changes {
  const [old, next] = [new Synth(oldObjects, options), new Synth(newObjects, options)];
  const pairing = new Pairing(old, next);
  const comparison = { old, next, pairing };
  const deleted = deletedOf(comparison);
  const resources = resourceChanges(comparison, deleted).sort(byGravity);
  const roles = roleChanges(comparison, deleted).sort(byRoleOrder);
  const credentials = [...credentialChanges(comparison), ...federationChanges(comparison, deleted)]
    .sort((a, b) => compareTexts(a.of, b.of) || compareTexts(a.subject, b.subject) || compareTexts(a.change, b.change));
  const { guardRails, others } = objectChanges(comparison);
  const remaining = remainingAccess(comparison, deleted);
  const changes = {
    warnings: [...warningsOf(comparison, deleted), ...accessWarnings(comparison, remaining)],
    resources,
    roles,
    credentials,
    guardRails: [...guardRails].sort(byName),
    otherObjects: [...others].sort(byName),
  };
  return { ...changes, summary: summaryOf(changes, remaining.length) };
}

/** Resources that the operator deletes, by key and by ARM id. */
function deletedOf(comparison: Comparison): Map<string, AzureItem> {
  const deleted = new Map<string, AzureItem>();
  for (const item of comparison.pairing.removed) {
    if (removalOf(item, comparison) !== 'deleted') continue;
    deleted.set(item.key, item);
    const id = foldedId(item.armId);
    if (id !== undefined) deleted.set(id, item);
  }
  return deleted;
}

function resourceChanges(comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): ResourceChange[] {
  const { old, pairing } = comparison;
  return [
    ...pairing.both.flatMap(([before, after]) => {
      // The settings of role assignments and federations are reported as roles and credentials.
      const reportedElsewhere = { settings: !isResource(after), refusals: isRoleAssignment(after) };
      return changeOfBoth(before, after, comparison, reportedElsewhere) ?? [];
    }),
    ...pairing.moves.filter(({ to }) => isResource(to)).map((move) => changeOfMove(move, comparison)),
    ...pairing.removed.filter(isResource).map((item) => {
      const own = removalOf(item, comparison) === 'deleted';
      return changeOfRemoved(item, comparison, own ? undefined : ownerAmong(item, old, deleted));
    }),
    ...pairing.added.filter(isResource).map((item) => changeOfAdded(item, comparison)),
  ];
}

/** Whether the item is reported as a resource: role assignments and federations have sections of their own. */
function isResource(item: AzureItem): boolean {
  return !isRoleAssignment(item) && !isFederation(item);
}

function warningsOf(comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): Advice[] {
  const { old, next, pairing } = comparison;
  // The entry of a move to an object beside the old one already reports the conflict.
  const moved = new Set(pairing.moves.filter(({ to, fromStays }) => fromStays && isResource(to)).map(({ to }) => foldedId(to.armId)));
  const shared = next.azure.filter(({ armId }) => next.holdersOf(armId).length > 1 && !moved.has(foldedId(armId)));
  const remaining = deleted.size === 0 ? [] : pairing.both.flatMap(([before, after]) => {
    const owner = ownerAmong(before, old, deleted);
    return owner ? [advice.remainsInDeleted(after, owner)] : [];
  });
  return [...remaining, ...managedTwice(comparison, shared)].sort((a, b) => compareTexts(a.message, b.message));
}

/** Resources that give access and stay in Azure although their objects, which have managed them, are removed. */
function remainingAccess(comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): AzureItem[] {
  const { pairing, old } = comparison;
  return pairing.removed
    .filter((item) => givesAccess(item.group, item.kind) && old.policyOf(item) !== 'skip' && stays(item, comparison, deleted))
    .sort(byName);
}

/** The access that stays, and the namespaces in which there may be more of it than the files show. */
function accessWarnings({ old, next }: Comparison, remaining: readonly AzureItem[]): Advice[] {
  const detaching = old.others
    .filter(({ group, kind, key, name }) => group === '' && kind === 'Namespace' && !next.others.some((object) => object.key === key)
      && asPolicy(old.namespacePolicy(name)) === 'detach-on-delete')
    .map(({ name }) => name);
  return [
    ...(remaining.length > 0 ? [advice.accessStays(remaining)] : []),
    ...detaching.sort().map((name) => advice.namespaceDetaches(name, ACCESS_RESOURCES)),
  ];
}

function summaryOf({ resources, roles, credentials, guardRails, otherObjects }: Omit<Changes, 'summary'>, accessKept: number): Summary {
  const of = (...fates: Fate[]) => resources.filter(({ fate }) => fates.includes(fate)).length;
  const role = (change: RoleChange['change']) => roles.filter((found) => found.change === change).length;
  return {
    created: of('created'),
    adopted: of('adopted'),
    watched: of('watched'),
    changed: of('changed'),
    refused: of('refused'),
    deleted: of('deleted'),
    dataLost: resources.filter(({ fate, dataLost }) => fate === 'deleted' && dataLost !== undefined).length,
    kept: of('kept'),
    moved: of('moved'),
    rolesGranted: role('granted'),
    rolesRevoked: role('revoked'),
    accessKept,
    credentials: credentials.length,
    guardRails: guardRails.length,
    otherObjects: otherObjects.length,
  };
}

function byGravity(a: ResourceChange, b: ResourceChange): number {
  const gravity = ({ dataLost }: ResourceChange) => (dataLost === undefined ? 1 : 0);
  return ORDER.indexOf(a.fate) - ORDER.indexOf(b.fate) || gravity(a) - gravity(b) || byName(a, b);
}

function byRoleOrder(a: RoleChange, b: RoleChange): number {
  return ROLE_ORDER.indexOf(a.change) - ROLE_ORDER.indexOf(b.change)
    || compareTexts(a.principal, b.principal) || compareTexts(a.scope, b.scope)
    || compareTexts(a.role, b.role) || compareTexts(objectTitleOf(a.object), objectTitleOf(b.object));
}

function byName(a: WrittenObjectId, b: WrittenObjectId): number {
  return (
    compareTexts(a.namespace ?? '', b.namespace ?? '')
    || compareTexts(a.kind, b.kind)
    || compareTexts(a.name, b.name)
    || compareTexts(a.group, b.group)
  );
}

/** Compares by code unit: the same order in every locale. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
