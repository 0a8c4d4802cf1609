import { elementAt } from '../../util/elements';

/**
 * The longest of all paths along dependencies.
 * @param order indexes, each after its dependencies
 * @param weights the duration of each, ≥ 0
 * @returns the indexes on the path, first to last; empty if there are no nodes
 */
export function longestPath(order: readonly number[], dependencies: readonly ReadonlySet<number>[], weights: readonly number[]): number[] {
  const ends = new Map<number, { readonly length: number; readonly steps: number; readonly before: number | undefined }>();
  let last: number | undefined;
  for (const index of order) {
    let best = { length: 0, steps: 0, before: undefined as number | undefined };
    for (const before of elementAt(dependencies, index)) {
      const end = ends.get(before);
      if (end && isLonger(end, best)) best = { length: end.length, steps: end.steps, before };
    }
    const end = { length: best.length + elementAt(weights, index), steps: best.steps + 1, before: best.before };
    ends.set(index, end);
    if (last === undefined || isLonger(end, ends.get(last)!)) last = index;
  }
  const path: number[] = [];
  for (let at = last; at !== undefined; at = ends.get(at)!.before) path.push(at);
  return path.reverse();
}

/** Of two paths with equal durations, the one with more steps counts as longer. */
function isLonger(a: { length: number; steps: number }, b: { length: number; steps: number }): boolean {
  return a.length > b.length || (a.length === b.length && a.steps > b.steps);
}
