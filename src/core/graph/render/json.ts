import { json } from './escape';
import type { Graph } from '../graph';

/**
 * The graph as JSON; edges name nodes by their keys.
 * @param more further top-level properties
 */
export function jsonText(graph: Graph, more: Readonly<Record<string, unknown>> = {}): string {
  const keys = (nodes: readonly { readonly key: string }[]) => nodes.map(({ key }) => key);
  const { nodes, edges, order, roots, cycles } = graph;
  return json({
    nodes,
    edges,
    order: keys(order),
    roots: keys(roots),
    criticalPath: keys(graph.criticalPath().nodes),
    cycles: cycles.map((cycle) => keys(cycle.nodes)),
    ...more,
  });
}
