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
  const ready = new MinHeap<number>((one, other) => one < other);
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

/** A heap whose first item is the one before all others. */
export class MinHeap<T> {
  private readonly items: T[] = [];

  /** @param isBefore a strict order */
  public constructor(private readonly isBefore: (one: T, other: T) => boolean) {}

  public push(item: T): void {
    const { items, isBefore } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      const above = elementAt(items, parent);
      if (!isBefore(item, above)) break;
      items[parent] = item;
      items[at] = above;
      at = parent;
    }
  }

  public pop(): T | undefined {
    const { items, isBefore } = this;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    items[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= items.length) return first;
      const below = right < items.length && isBefore(elementAt(items, right), elementAt(items, left)) ? right : left;
      if (!isBefore(elementAt(items, below), last)) return first;
      items[at] = elementAt(items, below);
      items[below] = last;
      at = below;
    }
  }
}
