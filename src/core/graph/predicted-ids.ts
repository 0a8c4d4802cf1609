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
  const ids = objects.map((): string | undefined => undefined);
  const met = new Uint8Array(objects.length);
  const chain: number[] = [];
  for (let index = 0; index < objects.length; index += 1) {
    // Owners first, and without recursion: a chain in a file may be as long as its author likes.
    for (let at: number | undefined = index; at !== undefined && met[at] === 0; at = ownerOf(at)) {
      met[at] = 1; // what is met again is on a cycle of owners and has no id
      chain.push(at);
    }
    for (let at = chain.pop(); at !== undefined; at = chain.pop()) {
      const owner = ownerOf(at);
      ids[at] = idOf(objects[at], objects[at].owner?.armId ?? (owner === undefined ? undefined : ids[owner]), () => subscriptionOf(at));
    }
  }
  return ids;
}

function idOf({ version, azureName }: GraphObject, owner: string | undefined, subscriptionOf: () => string | undefined): string | undefined {
  const arm = version?.facts.arm;
  if (!arm || azureName === undefined) return undefined;
  const { scope } = version.facts;
  // Few lie in a subscription itself, and finding it out takes longer than all else here.
  return armIdIn({ type: arm.type, scope, name: azureName, owner, subscriptionId: scope === 'location' ? subscriptionOf() : undefined });
}
