import type { GraphObject } from './graph-object';
import { armIdIn } from '../../azure/arm-id-in';
import { elementAt } from '../../util/elements';

/**
 * The ARM ids that objects will have, from their Azure names and those of their owners; undefined if a part is not known.
 * @param ownerOf index of an object's owner; undefined if the owner is not among the objects
 * @param subscriptionOf the subscription of an object's credential
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
    // Owners first, and without recursion: a chain in a file may be of any length.
    for (let at: number | undefined = index; at !== undefined && met[at] === 0; at = ownerOf(at)) {
      met[at] = 1; // an object that is visited again is on a cycle of owners and has no id
      chain.push(at);
    }
    for (let at = chain.pop(); at !== undefined; at = chain.pop()) {
      const owner = ownerOf(at);
      const object = elementAt(objects, at);
      ids[at] = idOf(object, object.owner?.armId ?? (owner === undefined ? undefined : ids[owner]), () => subscriptionOf(at));
    }
  }
  return ids;
}

function idOf(
  { version, azureName }: GraphObject,
  owner: string | undefined,
  subscriptionOf: () => string | undefined,
): string | undefined {
  const arm = version?.facts.arm;
  if (!arm || azureName === undefined) return undefined;
  const { scope } = version.facts;
  // Computed only for the few types in a subscription's location, because the look-up is slow.
  return armIdIn({ type: arm.type, scope, name: azureName, owner, subscriptionId: scope === 'location' ? subscriptionOf() : undefined });
}
