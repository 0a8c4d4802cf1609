import { claimMetadata, isMarked, uniqueNames } from './apply-set';
import type { DesiredObject } from './desired-object';
import { differs } from './differs';
import type { InventoryEntry } from './inventory';
import { nameOfKind, type CachedObject, type KubernetesObject } from '../../engine/kubernetes';
import { waitsForUsers } from '../../engine/objects/deletion-waits';
import { COMPOSED_FOR, COMPOSER_FINALIZER, GUARD_RAILS_FINALIZER } from '../../src/azure/annotations';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../../src/object-id';
import { plural } from '../../src/util/words';

/** Why a claim is not synced: reason and message of the condition. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  /** Whether only time or the platform can change it, so that it is tried again by itself. */
  readonly isTriedAgain: boolean;
}

/** The input of a decision about a claim. */
export interface Observed {
  readonly claim: KubernetesObject;
  readonly name: ObjectId;
  readonly tooling: string;
  readonly inventory: readonly InventoryEntry[];
  /** The objects of `compose`; undefined: nothing of the claim is applied or pruned now. Ignored when the claim is being deleted. */
  readonly desired: readonly DesiredObject[] | undefined;
  /** The object as far as it is known. */
  readonly find: (name: ObjectId) => CachedObject;
  /** Whether `find` answers what the API server has just said, not the cache: the cache has only objects with the label. */
  readonly isRead: (name: ObjectId) => boolean;
  /** Whether the definition names the kind in `composes`. */
  readonly isDeclared: (name: ObjectId) => boolean;
  /** Whether the kind of the claim is being deleted with its CRD, and so all claims. Then their objects stay. */
  readonly isKindLeaving: boolean;
  /** Claims of other kinds that hold up the deletion. */
  readonly holders: readonly ObjectId[];
  /** Whether the object was corrected a moment ago: somebody else and the composer write the same fields in turn. */
  readonly isContested: (name: ObjectId) => boolean;
}

/** A write of one composed object. */
export type Write =
  | { readonly write: 'create'; readonly desired: DesiredObject }
  | { readonly write: 'apply'; readonly desired: DesiredObject; readonly uid: string };

/** The next step of a claim. A step is carried out whole before the next one is decided. */
export type Step =
  /** A merge patch of the claim's metadata. */
  | { readonly step: 'metadata'; readonly patch: object }
  /** The write-ahead: the objects that the next writes may create. */
  | { readonly step: 'inventory'; readonly entries: readonly InventoryEntry[] }
  | { readonly step: 'write'; readonly writes: readonly Write[] }
  | { readonly step: 'delete'; readonly deletions: readonly { readonly entry: InventoryEntry; readonly uid: string }[] }
  /** Reads objects from the API server that seem to be gone, or somebody else's. */
  | { readonly step: 'read'; readonly names: readonly ObjectId[] }
  /** Entries whose object is gone, or is somebody else's: they leave the inventory. */
  | { readonly step: 'forget'; readonly entries: readonly InventoryEntry[] }
  /** Removes the finalizer. */
  | { readonly step: 'release'; readonly patch: object }
  | { readonly step: 'problem'; readonly problem: Problem }
  /** Objects that are being deleted are not gone yet. */
  | { readonly step: 'wait'; readonly for: readonly ObjectId[] }
  /** Claims of other kinds that need this one exist: nothing of it is deleted. */
  | { readonly step: 'held'; readonly by: readonly ObjectId[] }
  | { readonly step: 'done' };

const DONE: Step = { step: 'done' };

/** The next step of a claim. Pure. */
export function decide(observed: Observed): Step {
  const { claim, desired } = observed;
  if (claim.metadata.deletionTimestamp !== undefined) return decideDeletion(observed);
  if (!desired) return DONE;
  return unknownKinds(observed, desired)
    ?? metadataStep(observed, desired)
    ?? inventoryStep(observed, desired)
    ?? writeStep(observed, desired)
    ?? removal(observed, observed.inventory.filter(notIn(desired)))
    ?? waitForOthers(observed, desired)
    ?? DONE;
}

/** Whether an object may be changed or deleted for the claim: it has the known uid, or none is known yet and it has the claim's marks. */
export function isOwn(object: KubernetesObject, entry: InventoryEntry | undefined, claim: ObjectId): boolean {
  if (!entry) return false;
  const { uid } = object.metadata;
  return entry.uid === undefined ? isMarked(object, claim) : entry.uid === uid;
}

function decideDeletion(observed: Observed): Step {
  const { claim, inventory, isKindLeaving, holders } = observed;
  const { finalizers = [], resourceVersion } = claim.metadata;
  if (!finalizers.includes(COMPOSER_FINALIZER)) return DONE;
  if (holders.length > 0 && !isKindLeaving) return { step: 'held', by: holders };
  // A CRD takes all claims with it, perhaps by mistake. Applied again, the claims know their objects by the label.
  if (inventory.length > 0 && !isKindLeaving) return unknownKinds(observed, []) ?? removal(observed, inventory) ?? DONE;
  const left = finalizers.filter((finalizer) => finalizer !== COMPOSER_FINALIZER);
  return { step: 'release', patch: { metadata: { resourceVersion, finalizers: left } } };
}

/** Nothing of a claim is written while an object of it cannot be seen: an unknown object is not an absent one. */
function unknownKinds({ inventory, find, isDeclared }: Observed, desired: readonly DesiredObject[]): Step | undefined {
  const left = inventory.filter((entry) => !isDeclared(entry));
  if (left.length > 0) {
    const [first] = left;
    return problemStep(
      'KindNotDeclared',
      `${objectTitleOf(first!)}${left.length > 1 ? ` and ${left.length - 1} more` : ''} `
      + `${plural(left.length, 'was', 'were')} composed by an earlier `
      + `revision of the definition, which no longer names ${nameOfKind(first!)} in composes: `
      + 'the composer may not remove it. Name the kind in '
      + 'composes until no claim has such objects',
    );
  }
  for (const name of uniqueNames([...desired, ...inventory])) {
    const found = find(name);
    if (found.state === 'unknown') {
      return problemStep(
        found.reason === 'KindNotWatched' ? 'KindNotServed' : 'CacheNotSynced', `nothing of this claim is written: ${found.why}`,
      );
    }
  }
  return undefined;
}

function metadataStep({ claim, inventory, tooling }: Observed, desired: readonly DesiredObject[]): Step | undefined {
  const patch = claimMetadata(claim, [...desired, ...inventory], tooling);
  return patch && { step: 'metadata', patch };
}

/** An object is listed before it is created, and an object that is created again has no uid yet. */
function inventoryStep({ inventory, find, isRead }: Observed, desired: readonly DesiredObject[]): Step | undefined {
  const known = new Map(inventory.map((entry) => [objectKeyOf(entry), entry]));
  const lost = desired.filter((one) => known.get(objectKeyOf(one))?.uid !== undefined && find(one).state === 'absent' && !isRead(one));
  if (lost.length > 0) return { step: 'read', names: lost };
  const entries = desired.map((one): InventoryEntry => {
    const { group, kind, namespace, name, wave } = one;
    const entry = known.get(objectKeyOf(one));
    if (!entry || (entry.uid !== undefined && find(one).state === 'absent')) return { group, kind, namespace, name, wave };
    return entry.wave === wave ? entry : { ...entry, wave };
  });
  const isChanged = entries.some((entry) => known.get(objectKeyOf(entry)) !== entry);
  return isChanged ? { step: 'inventory', entries: [...entries, ...inventory.filter(notIn(desired))] } : undefined;
}

function writeStep(observed: Observed, desired: readonly DesiredObject[]): Step | undefined {
  const { inventory, find, name, isContested } = observed;
  const known = new Map(inventory.map((entry) => [objectKeyOf(entry), entry]));
  const writes: Write[] = [];
  for (const one of desired) {
    const found = find(one);
    if (found.state !== 'present') {
      writes.push({ write: 'create', desired: one });
      continue;
    }
    const { object } = found;
    const entry = known.get(objectKeyOf(one));
    if (!entry || !isOwn(object, entry, name)) return existsStep(one, object);
    if (object.metadata.deletionTimestamp !== undefined) continue;
    if (!differs(one, object, entry)) continue;
    if (entry.applied === one.hash && isContested(one)) continue;
    writes.push({ write: 'apply', desired: one, uid: object.metadata.uid! });
  }
  return writes.length > 0 ? { step: 'write', writes } : undefined;
}

function existsStep(desired: DesiredObject, live: KubernetesObject): Step {
  return { step: 'problem', problem: existsProblem(desired, live) };
}

/** An object of the name exists that was not made for the claim. */
export function existsProblem(desired: DesiredObject, { metadata }: KubernetesObject): Problem {
  const owner = metadata.annotations?.[COMPOSED_FOR];
  return triedAgain(
    'ObjectExists',
    `${objectTitleOf(desired)} (${desired.path}) exists already${owner === undefined ? '' : `, composed for ${owner}`}: `
    + 'the composer takes over nothing that '
    + 'it has not made for this claim. Delete that object, or have compose give another name',
  );
}

/**
 * Removes entries: the highest wave first, the next when it is gone. What goes only after something of a lower wave holds up none: what
 * Azure deletes with its owner alone, such as the blob service of a storage account; a role that objects of the namespace need, perhaps
 * some that others have made there; the guard rails of a namespace.
 */
function removal({ find, isRead, name }: Observed, entries: readonly InventoryEntry[]): Step | undefined {
  if (entries.length === 0) return undefined;
  const own = (entry: InventoryEntry) => {
    const found = find(entry);
    return found.state === 'present' && isOwn(found.object, entry, name) ? found.object : undefined;
  };
  const gone = entries.filter((entry) => !own(entry));
  const unread = gone.filter((entry) => !isRead(entry));
  if (unread.length > 0) return { step: 'read', names: unread };
  if (gone.length > 0) return { step: 'forget', entries: gone };
  const others = entries.filter((entry) => !goesAfterOthers(own(entry)!));
  if (others.length === 0) return { step: 'wait', for: entries };
  const wave = Math.max(...others.map((entry) => entry.wave));
  const next = others.filter((entry) => entry.wave === wave);
  const deletions = next.flatMap((entry) => {
    const object = own(entry)!;
    return object.metadata.deletionTimestamp === undefined ? [{ entry, uid: object.metadata.uid! }] : [];
  });
  return deletions.length > 0 ? { step: 'delete', deletions } : { step: 'wait', for: next };
}

/** Whether an object is being deleted, and goes when others are gone. */
function goesAfterOthers(object: KubernetesObject): boolean {
  const { metadata: { deletionTimestamp, finalizers = [] }, status } = object;
  if (deletionTimestamp === undefined) return false;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.reason === 'DeletionNotSupportedInAzure' || waitsForUsers(object) || finalizers.includes(GUARD_RAILS_FINALIZER);
}

/** Objects that somebody else deletes, which are created again when they are gone, or changes again and again. */
function waitForOthers({ inventory, find, isContested }: Observed, desired: readonly DesiredObject[]): Step | undefined {
  const known = new Map(inventory.map((entry) => [objectKeyOf(entry), entry]));
  const waiting = desired.filter((one) => {
    const found = find(one);
    const entry = known.get(objectKeyOf(one));
    if (found.state !== 'present' || !entry) return false;
    return found.object.metadata.deletionTimestamp !== undefined || (isContested(one) && differs(one, found.object, entry));
  });
  return waiting.length > 0 ? { step: 'wait', for: waiting } : undefined;
}

function notIn(desired: readonly DesiredObject[]): (entry: InventoryEntry) => boolean {
  const keys = new Set(desired.map(objectKeyOf));
  return (entry) => !keys.has(objectKeyOf(entry));
}

function problemStep(reason: string, message: string): Step {
  return { step: 'problem', problem: triedAgain(reason, message) };
}

function triedAgain(reason: string, message: string): Problem {
  return { reason, message, isTriedAgain: true };
}
