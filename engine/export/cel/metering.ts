import { Optional } from '@marcbachmann/cel-js';
import { spend, spendDeep, spendDroppedError, spendError, spendReading, spendTyping, spendValue } from './budget';
import type { Evaluator, Node, Scope } from './internals';
import { allNodes } from './internals';

type Evaluate = (evaluator: Evaluator, node: Node, scope: Scope) => unknown;

/** Operations that create values; all others only pass values on. */
const MAKES = new Set(['call', 'rcall', '+', 'list', 'map']);
/** Operations that visit their operands completely. */
const COMPARES = new Set(['==', '!=', 'in']);
const ORDERS = new Set(['<', '<=', '>', '>=']);
/** Operations on numbers and lists, by the types of their operands. */
const CALCULATES = new Set(['+', '-', '*', '/', '%', ...COMPARES, ...ORDERS]);
const CALLS = new Set(['call', 'rcall']);
/** Selections, which may give an optional. */
const SELECTS = new Set(['.', '.?', '[]', '[?]']);

/** Makes every node of a checked expression spend its cost. */
export function withMetering(root: unknown, text: string): void {
  const nodes = allNodes(root);
  const ranges = new Set(nodes.flatMap(({ op, args }) => (op === 'comprehension' ? [(args as { iterable: Node }).iterable] : [])));
  for (const node of nodes) {
    if (CALCULATES.has(node.op) && node.handle) node.handle = calculating(node.handle);
    if (COMPARES.has(node.op) && node.handle) node.handle = comparing(node.handle);
    if (ORDERS.has(node.op) && node.handle) node.handle = ordering(node.handle);
    if (CALLS.has(node.op) && node.handle) node.handle = calling(node.handle);
    if (SELECTS.has(node.op) && node.handle) node.handle = selecting(node.handle, text.length);
    const evaluate = ranges.has(node) ? iterated(evaluateOf(node)) : evaluateOf(node);
    node.evaluate = MAKES.has(node.op) ? making(evaluate, text.length) : passing(evaluate, text.length);
  }
}

/** The evaluation function of a node. The engine resolves it at the first evaluation; here it is resolved before. */
function evaluateOf({ meta }: Node): Evaluate {
  const { alternate, macro } = meta;
  if (alternate) return (evaluator, _, scope) => alternate.evaluate(evaluator, alternate, scope);
  if (macro) return (evaluator, _, scope) => macro.evaluate(evaluator, macro, scope);
  return meta.evaluate;
}

function passing(evaluate: Evaluate, textLength: number): Evaluate {
  return (evaluator, node, scope) => {
    spend(1);
    try {
      return evaluate(evaluator, node, scope);
    } catch (error) {
      spendError(error, textLength);
      throw error;
    }
  };
}

function making(evaluate: Evaluate, textLength: number): Evaluate {
  return passing((evaluator, node, scope) => {
    const value = evaluate(evaluator, node, scope);
    spendValue(value);
    return value;
  }, textLength);
}

/** The engine copies a map's keys before the first iteration, even if the iteration ends early. */
function iterated(evaluate: Evaluate): Evaluate {
  return (evaluator, node, scope) => {
    const value = evaluate(evaluator, node, scope);
    spendReading(value);
    return value;
  };
}

/** For an index out of range in an optional, the engine makes an error and drops it. */
function selecting(handle: NonNullable<Node['handle']>, textLength: number): NonNullable<Node['handle']> {
  return (left, right, ast, evaluator) => {
    const value = handle(left, right, ast, evaluator);
    if (value instanceof Optional && !value.hasValue() && typeof right !== 'string') spendDroppedError(textLength);
    return value;
  };
}

function ordering(handle: NonNullable<Node['handle']>): NonNullable<Node['handle']> {
  return (left, right, ast, evaluator) => {
    spendReading(left);
    spendReading(right);
    return handle(left, right, ast, evaluator);
  };
}

/** Functions read all their arguments, and each at most a few times. */
function calling(handle: NonNullable<Node['handle']>): NonNullable<Node['handle']> {
  return (args, ...rest) => {
    if (Array.isArray(args)) {
      args.forEach(spendReading);
      args.forEach(spendTyping);
    }
    return handle(args, ...rest);
  };
}

function calculating(handle: NonNullable<Node['handle']>): NonNullable<Node['handle']> {
  return (left, right, ast, evaluator) => {
    spendTyping(left);
    spendTyping(right);
    return handle(left, right, ast, evaluator);
  };
}

function comparing(handle: NonNullable<Node['handle']>): NonNullable<Node['handle']> {
  return (left, right, ast, evaluator) => {
    spendDeep(left);
    spendDeep(right);
    return handle(left, right, ast, evaluator);
  };
}
