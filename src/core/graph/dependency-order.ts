import { cyclesOf } from './cycles';
import { elementAt } from '../../util/elements';

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
    for (const other of of.keys()) elementAt(dependants, other).push(index);
    return of.size;
  });
  const ready = new MinHeap();
  open.forEach((count, index) => {
    if (count === 0) ready.push(index);
  });
  const order: number[] = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next);
    for (const dependant of elementAt(dependants, next)) {
      const left = elementAt(open, dependant) - 1;
      open[dependant] = left;
      if (left === 0) ready.push(dependant);
    }
  }
  if (order.length === dependencies.length) return { order, cycles: [] };
  const waitingFor = (index: number) => (elementAt(open, index) > 0 ? [...elementAt(dependencies, index).keys()] : []);
  const cycles = cyclesOf(dependencies.length, waitingFor, (index) => index);
  return { order, cycles: cycles.map((steps) => [...steps.map(({ at }) => at), elementAt(steps, 0).at]) };
}

/** A min-heap of indexes. */
class MinHeap {
  private readonly items: number[] = [];

  public push(item: number): void {
    const items = this.items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      const above = elementAt(items, parent);
      if (above <= item) break;
      items[parent] = item;
      items[at] = above;
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
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const ofLeft = items[left] ?? Infinity;
      const ofRight = items[right] ?? Infinity;
      const below = Math.min(ofLeft, ofRight);
      if (below >= last) return smallest;
      items[at] = below;
      at = ofRight < ofLeft ? right : left;
      items[at] = last;
    }
  }
}
