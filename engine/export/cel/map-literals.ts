import { formatValue } from './format';
import type { Evaluator, Node, Scope } from './internals';
import { allNodes } from './internals';

/**
 * Evaluates map literals to maps: the engine creates objects, which cannot have keys like `constructor` and keep the last of equal keys.
 */
export function withMapLiterals(root: unknown): void {
  for (const node of allNodes(root)) {
    if (node.op === 'map' && !node.meta.macro && !node.meta.alternate) node.meta.evaluate = literal;
  }
}

function literal(evaluator: Evaluator, { args }: Node, scope: Scope): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const [key, value] of args as [Node, Node][]) {
    const name = evaluator.run(key, scope);
    if (map.has(name)) throw new Error(`insert failed: key ${formatValue(name)} already exists`);
    map.set(name, evaluator.run(value, scope));
  }
  return map;
}
