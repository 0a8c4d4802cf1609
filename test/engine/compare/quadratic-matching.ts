// As quadratic-compare.ts.
/**
 * Pairs the items of one list with those of another: as many equal ones as can be, each at most once. Taking the first that fits would not do:
 * an item may be equal to several others (it asks for less than they have), one of which is the only one for some other item.
 *
 * What is equal in its own place stays there, so that a difference is told where it is.
 *
 * @returns for each of the `count` items the place of its partner, if it has one
 */
export function matching(count: number, others: number, equal: (item: number, other: number) => boolean): (number | undefined)[] {
  const partners = new Array<number | undefined>(count).fill(undefined);
  const holders = new Array<number | undefined>(others).fill(undefined);
  const known = new Map<number, boolean>();
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
  // An augmenting path: somebody who holds a partner may have another one.
  const find = (item: number, seen: Set<number>): boolean => {
    for (let other = 0; other < others; other += 1) {
      if (holders[other] === undefined && isEqual(item, other)) return pair(item, other);
    }
    for (let other = 0; other < others; other += 1) {
      const holder = holders[other];
      if (holder === undefined || seen.has(other) || !isEqual(item, other)) continue;
      seen.add(other);
      if (find(holder, seen)) return pair(item, other);
    }
    return false;
  };
  for (let place = 0; place < Math.min(count, others); place += 1) if (isEqual(place, place)) pair(place, place);
  for (let item = 0; item < count; item += 1) if (partners[item] === undefined) find(item, new Set());
  return partners;
}
