/** Limits on the cost of a pairing; a comparison of two elements costs more than a look at known results. */
export interface MatchingLimits {
  /** Maximum number of places visited, including those with known results. */
  readonly looks: number;
  /** Longest chain of elements that are moved to make room. */
  readonly chain: number;
}

const LIMITS: MatchingLimits = { looks: 500_000, chain: 500 };

/**
 * Pairs the items of one list with those of another: as many equal pairs as possible, each item at most once. Taking the first equal item
 * is not enough: an item may equal several others (it has fewer properties than they do), one of which is the only match of another item.
 * Beyond the limits the first equal item is taken after all.
 *
 * An item that equals the one at its own place stays there, so that a difference is reported at its place.
 *
 * @param candidates the places, in order, at which an item's partner can be; default: all
 * @returns for each of the `count` items the place of its partner, if it has one
 */
export function matching(
  count: number,
  others: number,
  equal: (item: number, other: number) => boolean,
  candidates?: (item: number) => Iterable<number>,
  limits = LIMITS,
): (number | undefined)[] {
  const partners = new Array<number | undefined>(count).fill(undefined);
  const holders = new Array<number | undefined>(others).fill(undefined);
  const known = new Map<number, boolean>();
  let looks = 0;
  const all = Array.from({ length: candidates ? 0 : others }, (_, other) => other);
  const placesOf = candidates ?? (() => all);
  const isEqual = (item: number, other: number): boolean => {
    const key = item * others + other;
    let answer = known.get(key);
    if (answer === undefined) known.set(key, (answer = equal(item, other)));
    return answer;
  };
  const pair = (item: number, other: number): true => {
    partners[item] = other;
    holders[other] = item;
    return true;
  };
  // An augmenting path: the item that holds a partner may accept another one.
  const find = (item: number, seen: Set<number>, chain: number): boolean => {
    for (const other of placesOf(item)) {
      looks += 1;
      if (looks > limits.looks) return false;
      if (holders[other] === undefined && isEqual(item, other)) return pair(item, other);
    }
    for (const other of placesOf(item)) {
      looks += 1;
      if (looks > limits.looks || chain > limits.chain) return false;
      const holder = holders[other];
      if (holder === undefined || seen.has(other) || !isEqual(item, other)) continue;
      seen.add(other);
      if (find(holder, seen, chain + 1)) return pair(item, other);
    }
    return false;
  };
  for (let place = 0; place < Math.min(count, others); place += 1) if (isEqual(place, place)) pair(place, place);
  for (let item = 0; item < count; item += 1) if (partners[item] === undefined) find(item, new Set(), 0);
  return partners;
}
