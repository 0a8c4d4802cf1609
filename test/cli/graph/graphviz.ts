import type { Graph } from '../../../src/core/graph/graph';
import { dotText } from '../../../src/core/graph/render/dot';

/** A graph as the command draws it. */
export function svgText(graph: Graph): Promise<string> {
  return svgOfDot(dotText(graph));
}

/** The SVG that the `dot` command renders. */
export async function svgOfDot(dot: string): Promise<string> {
  const svg = await import('../../../cli/graph/svg');
  return svg.svgText(dot);
}
