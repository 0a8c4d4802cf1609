import { Graphviz } from '@hpcc-js/wasm-graphviz';

/** A graph in the language of Graphviz as SVG, drawn by it (as WebAssembly: nothing has to be installed). */
export async function svgText(dot: string): Promise<string> {
  const graphviz = await Graphviz.load();
  const svg = graphviz.layout(dot, 'svg', 'dot');
  const start = svg.indexOf('<svg');
  return svg.slice(start).trimEnd();
}
