import { printable } from './escape';
import { Box, Line, pictureOf, Section, valuesOf } from './nesting';
import { azureMarks } from '../azure-marks';
import { GraphNode, GraphRelation, GraphRole } from '../facts';
import type { Graph } from '../graph';

/** Text styles, if the output supports them. */
export interface TreeStyle {
  bold(text: string): string;
  dim(text: string): string;
  bad(text: string): string;
}

const PLAIN: TreeStyle = { bold: (text) => text, dim: (text) => text, bad: (text) => text };

/** The graph as text, by namespace: owners above the resources that they own, and each object's other relations behind it. */
export function treeText(graph: Graph, style: TreeStyle = PLAIN): string {
  const { sections, lines } = pictureOf(graph);
  const notes = new Map<string, string[]>();
  for (const line of lines) {
    const { key } = line.relation === GraphRelation.REFERENCES || line.relation === GraphRelation.AUTHENTICATES_WITH ? line.from : line.to;
    notes.set(key, [...(notes.get(key) ?? []), noteOf(line)]);
  }
  const onCycles = graph.keysOnCycles;
  const text = sections.flatMap((section) => [style.bold(headingOf(section)), ...rowsOf(section.boxes, '')]);
  const cycles = graph.cycles.map(({ description }) => style.bad(`Wait for each other: ${printable(description)}`));
  return [...text, ...cycles].join('\n');

  function rowsOf(boxes: readonly Box[], prefix: string): string[] {
    return boxes.flatMap(({ node, children }, index) => {
      const last = index === boxes.length - 1;
      const more = [...(notes.get(node.key) ?? []), ...defaultsOf(node)].map((note) => style.dim(`  ${note}`)).join('');
      const title = onCycles.has(node.key) ? style.bad(titleIn(node)) : titleIn(node);
      return [
        `${style.dim(`${prefix}${last ? '└─ ' : '├─ '}`)}${title}${style.dim(markOf(node))}${more}`,
        ...rowsOf(children, `${prefix}${last ? '   ' : '│  '}`),
      ];
    });
  }
}

function headingOf({ namespace, boxes }: Section): string {
  if (namespace !== undefined) return printable(namespace);
  return boxes.every(({ node }) => node.external) ? '(elsewhere)' : '(no namespace)';
}

function titleIn({ kind, name }: GraphNode): string {
  return printable(`${kind} ${name}`);
}

/** The rest that tells a resource from others: its name in Azure where the object has another one, its addresses, its role. */
function markOf({ external, role, armId, builtInRole, addressRanges, azureName, name }: GraphNode): string {
  if (external) return armId === undefined ? ' (not here)' : ' (by ARM id)';
  if (builtInRole !== undefined) return ` (${printable(builtInRole)})`;
  if (role === GraphRole.CREDENTIAL) return ' (credential)';
  const marks = azureMarks({ name, azureName, addressRanges });
  return marks.length > 0 ? ` (${printable(marks.join(', '))})` : '';
}

/** `≔ location, tags.team of shop`, for each scope. */
function defaultsOf({ defaults = {} }: GraphNode): string[] {
  const byScope = new Map<string, string[]>();
  for (const [property, scope] of Object.entries(defaults)) byScope.set(scope, [...(byScope.get(scope) ?? []), property]);
  return [...byScope].map(([scope, properties]) => printable(`≔ ${properties.join(', ')} of ${scope === '' ? 'the app' : scope}`));
}

function noteOf(line: Line): string {
  const { relation, from, to } = line;
  const named = (node: GraphNode, other: GraphNode) =>
    printable(`${node.kind} ${node.namespace === undefined || node.namespace === other.namespace ? '' : `${node.namespace}/`}${node.name}`);
  switch (relation) {
    case GraphRelation.OWNS: return `⊂ ${named(from, to)}`;
    case GraphRelation.REFERENCES: return `→ ${named(to, from)}`;
    case GraphRelation.FEEDS: return `⇠ ${printable(valuesOf(line))} of ${named(from, to)}`;
    default: return `⚿ ${printable(to.name)}`;
  }
}
