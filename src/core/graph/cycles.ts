import { elementAt } from '../../util/elements';

/** One step of a cycle: its start node and edge. */
export interface Step<Edge> {
  readonly at: number;
  readonly edge: Edge;
}

/** Limits the output: there may be as many cycles as edges, each as long as there are nodes. */
const MOST_CYCLES = 100;

/**
 * Finds cycles in a graph whose nodes are 0 … size-1: each cycle that a depth-first search closes, once, as the steps around it (the last
 * one leads back to the first). Finds at least one if and only if there is any; at most 100. Not recursive, because chains may be long.
 */
export function cyclesOf<Edge>(size: number, edgesOf: (node: number) => readonly Edge[], targetOf: (edge: Edge) => number): Step<Edge>[][] {
  const cycles: Step<Edge>[][] = [];
  const done = new Uint8Array(size);
  /** Node → its position on the current path, counted from 1; 0 if it is not on the path. */
  const depth = new Int32Array(size);
  for (let start = 0; start < size && cycles.length < MOST_CYCLES; start += 1) {
    if (done[start]) continue;
    const walk = [{ at: start, edges: edgesOf(start), next: 0 }];
    depth[start] = 1;
    for (let visit = walk.at(-1); visit && cycles.length < MOST_CYCLES; visit = walk.at(-1)) {
      if (visit.next === visit.edges.length) {
        done[visit.at] = 1;
        depth[visit.at] = 0;
        walk.pop();
        continue;
      }
      const target = targetOf(elementAt(visit.edges, visit.next++));
      const position = depth[target] ?? 0;
      if (position > 0) {
        cycles.push(walk.slice(position - 1).map(({ at, edges, next }) => ({ at, edge: elementAt(edges, next - 1) })));
      } else if (!done[target]) {
        depth[target] = walk.push({ at: target, edges: edgesOf(target), next: 0 });
      }
    }
  }
  return cycles;
}
