import type { CachedObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf } from '../../src/object-id';
import { isOwn } from '../apply/decide';
import type { InventoryEntry } from '../apply/inventory';

/** An object as far as it is known; `foreign`: there is one of this name that was not made for the claim. */
export type OwnObject = CachedObject | { readonly state: 'foreign' };

/** Finds the objects of a claim: values and state of an object of somebody else are not for the claim's users. */
export function ownObjects(
  claim: ObjectId, inventory: readonly InventoryEntry[], find: (name: ObjectId) => CachedObject,
): (name: ObjectId) => OwnObject {
  const entries = new Map(inventory.map((entry) => [objectKeyOf(entry), entry]));
  return (name) => {
    const found = find(name);
    return found.state !== 'present' || isOwn(found.object, entries.get(objectKeyOf(name)), claim) ? found : { state: 'foreign' };
  };
}
