import { cyclesOf } from './cycles';

/**
 * A stable topological order: each item comes after its dependencies. Items on a cycle, or that depend on one, are not in the order.
 */
export interface Ordered {
  /** Indexes in an order in which the items can be sent. */
  readonly order: readonly number[];
  /** Cycles of items that wait for each other, as closed paths: `[a, b, a]`. */
  readonly cycles: readonly (readonly number[])[];
}

/** A set of indexes, or a map from indexes to reasons. */
type Indexes = Pick<ReadonlySet<number> | ReadonlyMap<number, unknown>, 'size' | 'keys'>;

/** Sorts indexes by their dependencies: `dependencies[i]` has the indexes that precede i. */
export function dependencyOrder(dependencies: readonly Indexes[]): Ordered {
  const dependants: number[][] = dependencies.map(() => []);
  const open = dependencies.map((of, index) => {
    for (const other of of.keys()) dependants[other].push(index);
    return of.size;
  });
  const ready = new MinHeap();
  open.forEach((count, index) => {
    if (count === 0) ready.push(index);
  });
  const order: number[] = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next);
    for (const dependant of dependants[next]) {
      open[dependant] -= 1;
      if (open[dependant] === 0) ready.push(dependant);
    }
  }
  if (order.length === dependencies.length) return { order, cycles: [] };
  const cycles = cyclesOf(dependencies.length, (index) => (open[index] > 0 ? [...dependencies[index].keys()] : []), (index) => index);
  return { order, cycles: cycles.map((steps) => [...steps.map(({ at }) => at), steps[0].at]) };
}

/** A min-heap of indexes. */
class MinHeap {
  private readonly items: number[] = [];

  public push(item: number): void {
    const items = this.items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      if (items[parent] <= items[at]) break;
      [items[parent], items[at]] = [items[at], items[parent]];
      at = parent;
    }
  }

  public pop(): number | undefined {
    const items = this.items;
    const smallest = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return smallest;
    items[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let child = left;
      if (left + 1 < items.length && items[left + 1] < items[left]) child = left + 1;
      if (child >= items.length || items[child] >= items[at]) return smallest;
      [items[child], items[at]] = [items[at], items[child]];
      at = child;
    }
  }
}
