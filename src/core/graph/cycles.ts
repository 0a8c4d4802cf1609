/** One step of a cycle: where it starts and along which edge it goes. */
export interface Step<Edge> {
  readonly at: number;
  readonly edge: Edge;
}

/** Cycles may be as many as there are edges and as long as there are nodes: who sees so many has seen enough. */
const MOST_CYCLES = 100;

/**
 * Finds cycles in a graph whose nodes are 0 … size-1: each cycle that a depth-first walk closes, once, as the steps around it (the last one
 * leads back to the first). At least one exactly when there is any; at most 100. Without recursion, for chains may be long.
 */
export function cyclesOf<Edge>(size: number, edgesOf: (node: number) => readonly Edge[], targetOf: (edge: Edge) => number): Step<Edge>[][] {
  const cycles: Step<Edge>[][] = [];
  const done = new Uint8Array(size);
  /** Node → its place on the walk, counted from 1; 0 where it is not on it. */
  const depth = new Int32Array(size);
  for (let start = 0; start < size && cycles.length < MOST_CYCLES; start += 1) {
    if (done[start]) continue;
    const walk = [{ at: start, edges: edgesOf(start), next: 0 }];
    depth[start] = 1;
    while (walk.length > 0 && cycles.length < MOST_CYCLES) {
      const visit = walk[walk.length - 1];
      if (visit.next === visit.edges.length) {
        done[visit.at] = 1;
        depth[visit.at] = 0;
        walk.pop();
        continue;
      }
      const target = targetOf(visit.edges[visit.next++]);
      if (depth[target] > 0) {
        cycles.push(walk.slice(depth[target] - 1).map(({ at, edges, next }) => ({ at, edge: edges[next - 1] })));
      } else if (!done[target]) {
        depth[target] = walk.push({ at: target, edges: edgesOf(target), next: 0 });
      }
    }
  }
  return cycles;
}
