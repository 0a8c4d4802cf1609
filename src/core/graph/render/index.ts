import { dotText } from './dot';
import { jsonText } from './json';
import { mermaidText } from './mermaid';
import { treeText } from './tree';
import { GraphFormat } from '../facts';
import type { Graph } from '../graph';

/** The graph in a format. */
export function render(graph: Graph, format: GraphFormat): string {
  switch (format) {
    case GraphFormat.TREE: return treeText(graph);
    case GraphFormat.MERMAID: return mermaidText(graph);
    case GraphFormat.DOT: return dotText(graph);
    case GraphFormat.JSON: return jsonText(graph);
    default: throw new Error(`'${String(format)}' is no format of a graph. Give one of ${Object.values(GraphFormat).join(', ')}.`);
  }
}
