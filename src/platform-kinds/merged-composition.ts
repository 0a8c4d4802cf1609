import type { Composition } from '../platform-api';

/** The answers of two functions as one; the second one wins. */
export function mergedComposition(first: Composition, second: Composition | void): Composition {
  if (!second) return first;
  return {
    outputs: { ...first.outputs, ...second.outputs },
    links: { ...first.links, ...second.links },
    readiness: [...(first.readiness ?? []), ...(second.readiness ?? [])],
  };
}
