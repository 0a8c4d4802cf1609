import type { Node } from './internals';

/**
 * The estimated cost of an expression before its evaluation: list literals count with their elements, all other lists as one element,
 * because their sizes are unknown. So it detects expressions that are too expensive for every object; the budget detects the rest.
 */
export function estimatedSteps(root: Node): number {
  return estimate(root).steps;
}

interface Estimate {
  readonly steps: number;
  /** Number of elements of a list or map. */
  readonly size: number;
}

interface ComprehensionParts {
  readonly iterable: Node;
  readonly step: Node;
}

function estimate(node: Node): Estimate {
  const { macro, alternate } = node.meta;
  if (alternate) return estimate(alternate);
  if (macro?.receiver && macro.args) return comprehension(macro.receiver, macro.args.slice(1));
  switch (node.op) {
    case 'comprehension': {
      const { iterable, step } = node.args as ComprehensionParts;
      return comprehension(iterable, [step]);
    }
    case 'list':
      return { ...all(node.args as Node[]), size: (node.args as Node[]).length };
    case 'map':
      return { ...all((node.args as [Node, Node][]).flat()), size: (node.args as unknown[]).length };
    case '+': {
      const [first, second] = node.args as [Node, Node];
      const [left, right] = [estimate(first), estimate(second)];
      return { steps: 1 + left.steps + right.steps, size: left.size + right.size };
    }
    default:
      return all(childrenOf(node.args));
  }
}

function comprehension(range: Node, body: readonly Node[]): Estimate {
  const { steps, size } = estimate(range);
  return { steps: 1 + steps + size * all(body).steps, size };
}

function all(nodes: readonly Node[]): Estimate {
  return { steps: nodes.reduce((sum, node) => sum + estimate(node).steps, 1), size: 1 };
}

function childrenOf(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  return typeof args === 'object' && args !== null && 'op' in args && 'meta' in args ? [args as Node] : [];
}
