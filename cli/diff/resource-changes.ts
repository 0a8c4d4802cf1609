import { isDeepStrictEqual } from 'node:util';
import { advice } from './advice';
import { type Advice, type Fate, type PropertyChange, type ResourceChange } from './changes';
import { describe, meaningsOf, ownerIdentity, writtenOwner } from './meanings';
import type { Move, Pairing } from './pairing';
import { sameRegion, specChanges, valueChanges } from './property-changes';
import { sameRequest } from './same-request';
import { looksSecret } from './secret-looking';
import { annotationOf, asPolicy, foldedId, nameOf, ownPolicy, type AzureItem, type Policy, type Synth } from './synth';
import { ADOPT, REMOVAL_POLICY } from '../../src/azure/annotations';
import { CONTAINER_KINDS, DATA_BEARING_KINDS } from '../../src/azure/data-bearing-kinds';
import { isUuidNamed } from '../../src/azure/uuid-names';
import { immutableChanges, type ImmutableChange } from '../../src/catalog';
import { objectTitleOf, type WrittenObjectId } from '../../src/object-id';
import { member, text, type Struct } from '../../src/util/records';


/** Longer values are left out of a message. */
const MOST_SHOWN = 60;

/** Two synths and their pairing. */
export interface Comparison {
  readonly old: Synth;
  readonly next: Synth;
  readonly pairing: Pairing;
}

/**
 * The change of an object that is in both synths.
 * @param reported changes that another section reports and that are left out here
 */
export function changeOfBoth(
  before: AzureItem, after: AzureItem, comparison: Comparison, reported: { readonly settings?: boolean; readonly refusals?: boolean } = {},
): ResourceChange | undefined {
  const { old, next } = comparison;
  const refused = reported.refusals ? [] : refusals(before, after, comparison);
  const limits = reported.refusals ? [] : immutablesOf(before, after, comparison);
  const settings = reported.settings ? [] : settingsOf(before, after, comparison).map((setting) => withRefusal(setting, limits));
  const policy = both<Policy>(old.policyOf(before), next.policyOf(after));
  const apiVersion = both(before.object.apiVersion, after.object.apiVersion);
  const exports = valueChanges(member(before.spec, 'operatorSpec'), member(after.spec, 'operatorSpec'), 'operatorSpec');
  const fate = fateOf(refused, settings, policy !== undefined, apiVersion !== undefined, exports);
  if (fate === undefined) return undefined;
  const doubtful = limits.filter(({ when }) => when !== undefined);
  const notes = [...refused, ...doubtful.map((limit) => advice.immutableWhen(changeText(limit), limit))];
  if (settings.length > 0 && next.policyOf(after) === 'skip') notes.push(advice.notSent());
  if (policy?.old === 'skip') notes.push(advice.managedFromNow());
  // A refused change concerns the existing resource.
  const item = fate === 'refused' ? { ...after, armId: before.armId } : after;
  return change(item, fate, { properties: [...settings, ...exports], policy, apiVersion, advice: notes });
}

/** The settings that differ; none when another API version expresses the same request. */
export function settingsOf(before: AzureItem, after: AzureItem, { old, next, pairing }: Comparison): PropertyChange[] {
  const sameVersion = before.object.apiVersion === after.object.apiVersion;
  if (sameVersion && before.inNamespace === after.inNamespace && isDeepStrictEqual(before.spec, after.spec)) return [];
  const [was, is] = [meaningsOf(before, old, pairing), meaningsOf(after, next, pairing)];
  const changes = specChanges({ ...before, meanings: was }, { ...after, meanings: is });
  return changes.length > 0 && !sameVersion && sameRequest(before, was, after, is) ? [] : changes;
}

function fateOf(
  refused: readonly Advice[], settings: readonly PropertyChange[], policy: boolean, apiVersion: boolean, exports: readonly PropertyChange[],
): Fate | undefined {
  if (refused.length > 0) return 'refused';
  if (settings.length > 0) return 'changed';
  if (policy) return 'policy';
  if (apiVersion) return 'apiVersion';
  return exports.length > 0 ? 'exports' : undefined;
}

/** Changes that the webhooks or Azure reject. */
export function refusals(before: AzureItem, after: AzureItem, comparison: Comparison): Advice[] {
  const losesData = DATA_BEARING_KINDS.has(`${after.group}/${after.kind}`);
  const limits = immutablesOf(before, after, comparison).flatMap((limit) => (
    // The location is among the identifying members.
    limit.path === 'location' || limit.when !== undefined ? [] : [advice.immutable(changeText(limit), limit, losesData)]
  ));
  return [...identityRefusals(before, after, comparison), ...limits];
}

/** Rejected changes of the name, the owner and the location. */
export function identityRefusals(before: AzureItem, after: AzureItem, { old, next, pairing }: Comparison): Advice[] {
  const found: Advice[] = [];
  const [oldName, newName] = [before.facts.azureName, after.facts.azureName];
  if (writtenOwner(before) !== writtenOwner(after)) {
    const same = ownerIdentity(before, old, pairing) === ownerIdentity(after, next, pairing);
    found.push(
      same ? advice.sameOwner() : advice.otherOwner(describe(before.facts.owner, before, old), describe(after.facts.owner, after, next)),
    );
  } else if (oldName !== newName && oldName !== undefined && !isWorkedOut(before, after)) {
    found.push(advice.renamed(oldName, newName));
  }
  const [oldPlace, newPlace] = [member(before.spec, 'location'), member(after.spec, 'location')];
  if (typeof oldPlace === 'string' && typeof newPlace === 'string' && !sameRegion(oldPlace, newPlace)) {
    found.push(advice.relocated(oldPlace, newPlace));
  }
  return found;
}

/** The changes that Azure refuses by the facts of the catalog. Versions may name a property differently, so they have to be one. */
function immutablesOf(before: AzureItem, after: AzureItem, { old, next, pairing }: Comparison): ImmutableChange[] {
  if (!before.version || before.version !== after.version) return [];
  const [was, is] = [meaningsOf(before, old, pairing), meaningsOf(after, next, pairing)];
  const sameReference = (one: Struct, other: Struct) => (
    was.identity(one) === is.identity(other) || (typeof one.armId === typeof other.armId ? false : undefined)
  );
  return immutableChanges(before.version, before.spec, after.spec, 'spec', { sameReference });
}

function withRefusal(setting: PropertyChange, limits: readonly ImmutableChange[]): PropertyChange {
  const found = limits.find(({ path }) => isWithin(setting.path, path) || isWithin(path, setting.path));
  if (!found) return setting;
  const { code, when } = found;
  return { ...setting, refusal: { code, ...(when === undefined ? {} : { when }) } };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** `kind: StorageV2 → Storage`; only the path where a value may be a secret or is long. */
function changeText({ path, before, after }: ImmutableChange): string {
  const values = [before, after].map((value) => (Array.isArray(value) ? `[${value.map(String).join(', ')}]` : String(value)));
  const isPlain = [before, after].flat().every((value) => typeof value !== 'object') && values.every((value) => value.length <= MOST_SHOWN);
  return isPlain && !looksSecret(path, before, after) ? `${path}: ${values.join(' → ')}` : path;
}

/** Whether the name is computed: a computed name is written into the object at creation and never changes. */
function isWorkedOut(before: AzureItem, after: AzureItem): boolean {
  return isUuidNamed(after.group, after.kind) && [before, after].every(({ spec }) => text(spec, 'azureName') === undefined);
}

/** The change of a resource that another object manages now. */
export function changeOfMove(move: Move, comparison: Comparison): ResourceChange {
  const { from, to, fromStays } = move;
  const { old, next } = comparison;
  const [oldPolicy, newPolicy] = [policyAtRemoval(from, comparison), next.policyOf(to)];
  const notes: Advice[] = [];
  if (fromStays) {
    notes.push(
      next.policyOf(next.azureAt(from.key) ?? from) !== 'skip' && newPolicy !== 'skip'
        ? advice.twoManage(from, to)
        : advice.beside(to, from),
    );
  } else {notes.push(oldPolicy === 'manage' ? advice.moveDeletes(from, to) : advice.moveIsSafe(from, oldPolicy));}
  if (from.inNamespace !== to.inNamespace && !(from.subscriptionKnown && to.subscriptionKnown)) notes.push(advice.sameSubscription());
  return change(to, 'moved', {
    properties: move.toWasThere || fromStays ? [] : settingsOf(from, to, comparison),
    policy: both<Policy>(old.policyOf(from), newPolicy),
    apiVersion: both(from.object.apiVersion, to.object.apiVersion),
    from: nameOf(from),
    dataLost: !fromStays && oldPolicy === 'manage' ? dataLostOf(from) : undefined,
    advice: notes,
  });
}

/** The change of a resource that no object manages any more. */
export function changeOfRemoved(item: AzureItem, comparison: Comparison, owner: AzureItem | undefined): ResourceChange {
  const policy = policyAtRemoval(item, comparison);
  const isProtected = annotationOf(item.object, REMOVAL_POLICY) === 'protect' && !owner;
  const fate = removalOf(item, comparison) === 'deleted' || owner ? 'deleted' : 'kept';
  const notes: Advice[] = [];
  if (owner) notes.push(advice.deletedWithOwner(owner));
  else if (isProtected) notes.push(advice.protectedObject());
  else if (fate === 'deleted') notes.push(advice.keepDeleted());
  else notes.push(policy === 'manage' ? advice.notDeletable() : advice.left(policy));
  return change(item, fate, { dataLost: fate === 'deleted' ? dataLostOf(item) : undefined, advice: notes });
}

/** Whether the operator deletes the resource of a removed object. The deletion of an owner is handled elsewhere. */
export function removalOf(item: AzureItem, comparison: Comparison): 'deleted' | 'kept' {
  if (policyAtRemoval(item, comparison) !== 'manage' || annotationOf(item.object, REMOVAL_POLICY) === 'protect') return 'kept';
  return item.version?.facts.operations !== undefined && !item.version.supports('DELETE') ? 'kept' : 'deleted';
}

/**
 * Whether the resource of a removed object stays in Azure: neither it nor its owner is deleted.
 * @param deleted resources that the operator deletes, by key and by ARM id
 */
export function stays(item: AzureItem, comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): boolean {
  return removalOf(item, comparison) === 'kept' && !ownerAmong(item, comparison.old, deleted);
}

/**
 * The policy at deletion: the object's own, or of its Namespace's old and new policies the one that keeps less, as either may be in force.
 */
export function policyAtRemoval(item: AzureItem, { old, next }: Comparison): Policy {
  const own = ownPolicy(item.object);
  if (own !== undefined) return asPolicy(own);
  const before = old.policyOf(item);
  return next.namespaceObject(item.inNamespace) && asPolicy(next.namespacePolicy(item.inNamespace)) === 'manage' ? 'manage' : before;
}

/** The change of a resource that no object managed before. */
export function changeOfAdded(item: AzureItem, { next }: Comparison): ResourceChange {
  if (next.policyOf(item) === 'skip') return change(item, 'watched', { advice: [advice.onlyRead()] });
  if (annotationOf(item.object, ADOPT) === 'IfPresent') return change(item, 'adopted', { advice: [advice.takenOver()] });
  return change(item, 'created', {});
}

type Detail = Exclude<keyof ResourceChange, keyof WrittenObjectId | 'fate' | 'armId' | 'addressRanges'>;
type Details = { readonly [name in Detail]?: ResourceChange[name] | undefined };

function change(item: AzureItem, fate: Fate, { properties = [], advice: notes = [], ...details }: Details): ResourceChange {
  const given = Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== undefined),
  ) as Partial<Pick<ResourceChange, Detail>>;
  const armId = item.armId === undefined ? {} : { armId: item.armId };
  const { addressRanges } = item.facts;
  return { fate, ...nameOf(item), ...armId, ...addressRanges && { addressRanges }, ...given, properties, advice: notes };
}

function both<T extends string>(old: T, next: T): { readonly old: T; readonly new: T } | undefined {
  return old === next ? undefined : { old, new: next };
}

function dataLostOf({ group, kind }: WrittenObjectId): string | undefined {
  const name = `${group}/${kind}`;
  return DATA_BEARING_KINDS.get(name) ?? CONTAINER_KINDS.get(name);
}

/** The nearest ancestor of a resource, among the given ones. */
export function ownerAmong(item: AzureItem, side: Synth, resources: ReadonlyMap<string, AzureItem>): AzureItem | undefined {
  const segments = foldedId(item.armId)?.split('/') ?? [];
  for (let length = segments.length - 1; length > 2; length--) {
    const found = resources.get(segments.slice(0, length).join('/'));
    if (found) return found;
  }
  const seen = new Set([item.key]);
  for (let owner = side.ownerOf(item); owner && !seen.has(owner.key); owner = side.ownerOf(owner)) {
    seen.add(owner.key);
    const found = resources.get(owner.key);
    if (found) return found;
  }
  return undefined;
}

/** Warnings about resources that several objects start to manage at once. */
export function managedTwice({ old, next }: Comparison, items: readonly AzureItem[]): Advice[] {
  const reported = new Set<string>();
  return items.flatMap((item) => {
    const id = foldedId(item.armId);
    if (id === undefined || reported.has(id)) return [];
    const managers = (side: Synth) =>
      side
        .holdersOf(id)
        .filter((holder) => side.policyOf(holder) !== 'skip' && (holder.subscriptionKnown || holder.inNamespace === item.inNamespace));
    const [one, other] = managers(next).sort((a, b) => (objectTitleOf(a) < objectTitleOf(b) ? -1 : 1));
    if (!one || !other) return [];
    reported.add(id);
    return managers(old).length > 1 ? [] : [advice.twoManage(one, other)];
  });
}
