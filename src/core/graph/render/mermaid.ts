import { coloursOf, NEUTRAL } from './colours';
import { mermaid } from './escape';
import { Box, Line, pictureOf, valuesOf } from './nesting';
import { GraphNode, GraphRelation, GraphRole } from '../facts';
import type { Graph } from '../graph';
import { serviceOf } from '../graph-object';

const CYCLE = '#dc2626';

/** The arrow of each relation: value flows are dashed, owners in another namespace have a thick line. */
const ARROWS: Readonly<Record<GraphRelation, string>> = {
  [GraphRelation.OWNS]: '==>',
  [GraphRelation.REFERENCES]: '-->',
  [GraphRelation.FEEDS]: '-.->',
  [GraphRelation.AUTHENTICATES_WITH]: '-.-o',
};

/** A Mermaid flow chart: boxes by owner, colours by service. */
export function mermaidText(graph: Graph): string {
  const { sections, lines } = pictureOf(graph);
  const ids = new Map(graph.nodes.map(({ key }, index) => [key, `n${index}`]));
  const id = ({ key }: GraphNode) => ids.get(key)!;
  const text = ['flowchart LR'];
  let boxes = 0;

  const draw = ({ node, children }: Box, indent: string): void => {
    const own = `${id(node)}${shapeOf(node)}:::${classOf(node)}`;
    if (children.length === 0) {
      text.push(`${indent}${own}`);
      return;
    }
    const box = `box${boxes++}`;
    text.push(`${indent}subgraph ${box}[" "]`, `${indent}  ${own}`);
    for (const child of children) draw(child, `${indent}  `);
    text.push(`${indent}end`, `${indent}style ${box} ${boxStyle(node)}`);
  };
  sections.forEach((section, index) => {
    if (section.namespace === undefined) return section.boxes.forEach((box) => draw(box, '  '));
    text.push(`  subgraph ns${index}["${mermaid(section.namespace)}"]`);
    for (const box of section.boxes) draw(box, '    ');
    text.push('  end', `  style ns${index} fill:#ffffff,stroke:#cbd5e1,color:#334155`);
  });
  for (const line of lines) text.push(`  ${id(line.from)} ${ARROWS[line.relation]}${labelOf(line)} ${id(line.to)}`);
  return [...text, ...classes(graph)].join('\n');
}

function shapeOf({ kind, name, role, builtInRole }: GraphNode): string {
  const label = `"${mermaid(kind)}${builtInRole === undefined ? '' : ` <i>${mermaid(builtInRole)}</i>`}<br/><b>${mermaid(name)}</b>"`;
  if (role === GraphRole.RESOURCE) return `[${label}]`;
  return role === GraphRole.WORKLOAD ? `([${label}])` : `[(${label})]`;
}

function labelOf(line: Line): string {
  if (line.relation === GraphRelation.FEEDS) return `|"${mermaid(valuesOf(line))}"|`;
  return line.edges.every(({ waits }) => waits) ? '' : '|"by ARM id"|';
}

function classOf(node: GraphNode): string {
  const service = serviceOf(node.group)?.replace(/[^a-z0-9]/gi, '_');
  return `${service === undefined ? 'other' : `s_${service}`}${node.external ? '_external' : ''}`;
}

function boxStyle({ group, external }: GraphNode): string {
  const { box, line } = coloursOf(serviceOf(group));
  return `fill:${box},stroke:${line}${external ? ',stroke-dasharray:5 4' : ''}`;
}

function classes(graph: Graph): string[] {
  const known = new Map(graph.nodes.map((node) => [classOf(node), node]));
  const definitions = [...known].map(([name, { group, external }]) => {
    const { ground, line, text } = serviceOf(group) === undefined ? NEUTRAL : coloursOf(serviceOf(group));
    return `  classDef ${name} fill:${external ? '#ffffff' : ground},stroke:${line},color:${text}${external ? ',stroke-dasharray:5 4' : ''}`;
  });
  const cycle = graph.nodes.flatMap(({ key }, index) => (graph.keysOnCycles.has(key) ? [`n${index}`] : []));
  return cycle.length === 0
    ? definitions
    : [...definitions, `  classDef cycle stroke:${CYCLE},stroke-width:3px`, `  class ${cycle.join(',')} cycle`];
}
