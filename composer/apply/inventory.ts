import type { KubernetesObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf } from '../../src/object-id';
import { isRecord, omitUndefined, text } from '../../src/util/records';

/**
 * An object that the composer has made for a claim, or is about to: an element of `status.objects`. What stands here is what a prune or a
 * deletion may delete.
 */
export interface InventoryEntry extends ObjectId {
  /** Order of deletion: the highest first. */
  readonly wave: number;
  /** Undefined: the object may not have been created yet. */
  readonly uid?: string | undefined;
  /** Hash of the manifest that was last applied. */
  readonly applied?: string | undefined;
  /** Generation of the object after that. */
  readonly generation?: number | undefined;
}

/** The inventory of a claim is malformed: nothing may be pruned or deleted, and so nothing is written. */
export class InventoryError extends Error {
  public constructor(problem: string) {
    super(`status.objects of the claim cannot be read: ${problem}. Correct it by hand, or restore it from a copy.`);
    this.name = 'InventoryError';
  }
}

/** @throws InventoryError */
export function inventoryOf({ status }: KubernetesObject): InventoryEntry[] {
  const objects = status?.objects ?? [];
  if (!Array.isArray(objects)) throw new InventoryError('it is no list');
  const entries = objects.map(entryOf);
  const keys = new Set(entries.map(objectKeyOf));
  if (keys.size !== entries.length) throw new InventoryError('an object is in it twice');
  return entries;
}

function entryOf(value: unknown, index: number): InventoryEntry {
  const [kind, name] = [text(value, 'kind'), text(value, 'name')];
  if (!isRecord(value) || kind === undefined || name === undefined) throw new InventoryError(`element ${index} has no kind or no name`);
  const { wave, generation } = value;
  return omitUndefined({
    group: text(value, 'group') ?? '',
    kind,
    namespace: text(value, 'namespace') ?? '',
    name,
    wave: typeof wave === 'number' ? wave : 0,
    uid: text(value, 'uid'),
    applied: text(value, 'applied'),
    generation: typeof generation === 'number' ? generation : undefined,
  });
}
