import { Graphviz } from '@hpcc-js/wasm-graphviz';
import type { Graph } from '../../src/core/graph/graph';
import { dotText } from '../../src/core/graph/render/dot';

/** A graph as SVG, drawn by Graphviz (as WebAssembly: nothing has to be installed). */
export async function svgText(graph: Graph): Promise<string> {
  const graphviz = await Graphviz.load();
  const svg = graphviz.layout(dotText(graph), 'svg', 'dot');
  const start = svg.indexOf('<svg');
  return svg.slice(start).trimEnd();
}
