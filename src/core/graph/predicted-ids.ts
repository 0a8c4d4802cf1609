import type { GraphObject } from './graph-object';
import { armIdIn } from '../../azure/arm-id-in';

/**
 * The ARM ids that objects will have, by their Azure names and those of their owners; undefined where something on the way is not known.
 * @param ownerOf index of the object that owns another one, where it is one of these
 * @param subscriptionOf the subscription for which an object's credential is
 */
export function predictedIds(
  objects: readonly GraphObject[],
  ownerOf: (index: number) => number | undefined,
  subscriptionOf: (index: number) => string | undefined,
): (string | undefined)[] {
  const ids = new Map<number, string | undefined>();
  return objects.map((_, index) => {
    // Owners first, and without recursion: a chain in a file may be as long as its author likes.
    const chain: number[] = [];
    for (let at: number | undefined = index; at !== undefined && !ids.has(at); at = ownerOf(at)) {
      ids.set(at, undefined); // what is met again is on a circle of owners and has no id
      chain.push(at);
    }
    for (const at of chain.reverse()) {
      const owner = ownerOf(at);
      ids.set(at, idOf(objects[at], objects[at].owner?.armId ?? (owner === undefined ? undefined : ids.get(owner)), subscriptionOf(at)));
    }
    return ids.get(index);
  });
}

function idOf({ version, azureName }: GraphObject, owner: string | undefined, subscriptionId: string | undefined): string | undefined {
  const arm = version?.facts.arm;
  if (!arm || azureName === undefined) return undefined;
  return armIdIn({ type: arm.type, scope: version.facts.scope, name: azureName, owner, subscriptionId });
}
