import { parentLockRuleOf } from '../../engine/kinds/serial-writes';
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
  const open = new Set(order);
  const beginOf = (index: number): number => Math.max(0, ...[...elementAt(all, index)].map((other) => end.get(other) ?? 0));
  while (open.size > 0) {
    // An object that can begin only later blocks no other.
    let next: number | undefined;
    for (const index of open) {
      if ([...elementAt(dependencies, index)].some((other) => open.has(other))) continue;
      if (next === undefined || beginOf(index) < beginOf(next)) next = index;
      if (!lines.has(index)) {
        next = index;
        break;
      }
    }
    if (next === undefined) break;
    open.delete(next);
    const line = lines.get(next);
    const before = line === undefined ? undefined : last.get(line);
    if (before !== undefined) elementAt(all, next).add(before);
    if (line !== undefined) last.set(line, next);
    end.set(next, beginOf(next) + elementAt(weights, next));
    done.push(next);
  }
  return { order: done, dependencies: all };
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
