import type { GraphObject } from './graph-object';
import { parseArmId } from '../../azure/arm-id';

/** What no ARM name contains. */
// eslint-disable-next-line no-control-regex
const UNSAFE_NAME = /[/?#\\\u0000-\u001f\u007f]|^\.{1,2}$/;

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

function idOf({ version, azureName }: GraphObject, owner: string | undefined, subscription: string | undefined): string | undefined {
  const arm = version?.facts.arm;
  if (!arm || azureName === undefined || UNSAFE_NAME.test(azureName)) return undefined;
  const [provider, ...types] = arm.type.split('/');
  switch (version.facts.scope) {
    case 'location':
      return subscription && `/subscriptions/${subscription}/resourceGroups/${azureName}`;
    case 'tenant':
      return `/providers/${provider}/${types[0]}/${azureName}`;
    case 'extension':
      return owner && parseArmId(owner.replace(/\/+$/, '')) && `${owner.replace(/\/+$/, '')}/providers/${provider}/${types[0]}/${azureName}`;
    default:
      return owner && inside(owner.replace(/\/+$/, ''), provider, types, azureName);
  }
}

/** The id of a resource that lies in a resource group or in a resource of its own provider. */
function inside(owner: string, provider: string, types: readonly string[], name: string): string | undefined {
  const parts = parseArmId(owner);
  if (!parts) return undefined;
  const covered = parts.provider?.toLowerCase() === provider.toLowerCase() ? parts.types.length : 0;
  if (types.length !== covered + 1) return undefined;
  return covered > 0 ? `${owner}/${types[covered]}/${name}` : `${owner}/providers/${provider}/${types[0]}/${name}`;
}
