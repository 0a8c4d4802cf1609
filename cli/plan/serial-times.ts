import { parentLockRuleOf } from '../../engine/kinds/serial-writes';
import { MinHeap } from '../../src/core/graph/dependency-order';
import { elementAt } from '../../src/util/elements';

/** A resource, as far as it takes turns with others. */
export interface SerialNode {
  readonly armType?: string | undefined;
  /** Index of its owner, or a text that stands for one that is not among the nodes. */
  readonly owner?: number | string | undefined;
}

/**
 * The dependencies with those that come of taking turns: of resources of which Azure takes one write at a time below one parent
 * (`engine/kinds/serial-writes.ts`), each waits for the one that is ready to begin just before it. Earliest first, else as given.
 *
 * @returns an order in which each comes after its dependencies, without what waits for ever, and the dependencies
 */
export function withSerialWrites(
  nodes: readonly SerialNode[], order: readonly number[], dependencies: readonly ReadonlySet<number>[], weights: readonly number[],
): { readonly order: readonly number[]; readonly dependencies: readonly ReadonlySet<number>[] } {
  const lines = new Map(order.flatMap((index): [number, string][] => {
    const line = lineOf(nodes, index);
    return line === undefined ? [] : [[index, line]];
  }));
  if (lines.size === 0) return { order, dependencies };
  const all = dependencies.map((some) => new Set(some));
  const end = new Map<number, number>();
  const last = new Map<string, number>();
  const done: number[] = [];
  const beginOf = (index: number): number => Math.max(0, ...[...elementAt(all, index)].map((other) => end.get(other) ?? 0));
  const place = new Map(order.map((index, at) => [index, at]));
  // An object that can begin only later blocks no other; one that takes no turns delays none.
  const isFirst = (one: Beginning, other: Beginning) => place.get(one.index)! < place.get(other.index)!;
  const free = new MinHeap(isFirst);
  const inTurn = new MinHeap<Beginning>((one, other) => one.begin < other.begin || (one.begin === other.begin && isFirst(one, other)));
  const waits = waitingOf(order, dependencies);
  const ready = (index: number) => (lines.has(index) ? inTurn : free).push({ index, begin: beginOf(index) });
  for (const index of order) if (waits.missing(index) === 0) ready(index);
  const first = () => free.pop() ?? inTurn.pop();
  for (let next = first(); next; next = first()) {
    const { index } = next;
    const line = lines.get(index);
    const before = line === undefined ? undefined : last.get(line);
    if (before !== undefined) elementAt(all, index).add(before);
    if (line !== undefined) last.set(line, index);
    end.set(index, beginOf(index) + elementAt(weights, index));
    done.push(index);
    waits.ended(index).forEach(ready);
  }
  return { order: done, dependencies: all };
}

interface Beginning {
  readonly index: number;
  /** Seconds. */
  readonly begin: number;
}

/** How many dependencies in `order` each resource still waits for. */
function waitingOf(order: readonly number[], dependencies: readonly ReadonlySet<number>[]) {
  const among = new Set(order);
  const missing = new Map<number, number>();
  const dependents = new Map<number, number[]>();
  for (const index of order) {
    const needed = [...elementAt(dependencies, index)].filter((other) => among.has(other));
    missing.set(index, needed.length);
    for (const other of needed) {
      const known = dependents.get(other);
      if (known) known.push(index);
      else dependents.set(other, [index]);
    }
  }
  return {
    missing: (index: number): number => missing.get(index) ?? 0,
    /** The resources that waited for this one alone. */
    ended: (index: number): number[] => (dependents.get(index) ?? []).filter((dependent) => {
      const left = missing.get(dependent)! - 1;
      missing.set(dependent, left);
      return left === 0;
    }),
  };
}

/** The parent as text; undefined: the resource takes no turns, or goes together with its like. */
function lineOf(nodes: readonly SerialNode[], index: number): string | undefined {
  const { armType } = elementAt(nodes, index);
  const rule = armType === undefined ? undefined : parentLockRuleOf(armType);
  if (!rule || rule.together) return undefined;
  let at: number | string | undefined = index;
  for (let level = 0; level < rule.levels; level += 1) at = typeof at === 'number' ? elementAt(nodes, at).owner : undefined;
  return at === undefined ? undefined : String(at);
}
