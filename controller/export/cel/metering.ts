import { spend, spendDeep, spendValue } from './budget';
import type { Evaluator, Node, Scope } from './internals';
import { allNodes } from './internals';

type Evaluate = (evaluator: Evaluator, node: Node, scope: Scope) => unknown;

/** What makes values; everything else passes them on. */
const MAKES = new Set(['call', 'rcall', '+', 'list', 'map']);
/** What goes through its operands to their depths. */
const COMPARES = new Set(['==', '!=', 'in']);

/** Makes every node of a checked expression spend what it costs. */
export function withMetering(root: unknown): void {
  for (const node of allNodes(root)) {
    if (COMPARES.has(node.op) && node.handle) node.handle = comparing(node.handle);
    const evaluate = evaluateOf(node);
    node.evaluate = MAKES.has(node.op) ? making(evaluate) : passing(evaluate);
  }
}

/** The engine settles how a node is evaluated when it is for the first time; here it is settled before. */
function evaluateOf({ meta }: Node): Evaluate {
  const { alternate, macro } = meta;
  if (alternate) return (evaluator, _, scope) => alternate.evaluate(evaluator, alternate, scope);
  if (macro) return (evaluator, _, scope) => macro.evaluate(evaluator, macro, scope);
  return meta.evaluate;
}

function passing(evaluate: Evaluate): Evaluate {
  return (evaluator, node, scope) => {
    spend(1);
    return evaluate(evaluator, node, scope);
  };
}

function making(evaluate: Evaluate): Evaluate {
  return (evaluator, node, scope) => {
    spend(1);
    const value = evaluate(evaluator, node, scope);
    spendValue(value);
    return value;
  };
}

function comparing(handle: NonNullable<Node['handle']>): NonNullable<Node['handle']> {
  return (left, right, ast, evaluator) => {
    spendDeep(left);
    spendDeep(right);
    return handle(left, right, ast, evaluator);
  };
}
