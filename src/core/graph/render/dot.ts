import { Colours, coloursOf, NEUTRAL } from './colours';
import { LINES, SECRET_FLOW } from './dot-lines';
import { dotString, printable, xml } from './escape';
import { legendOf } from './legend';
import { Box, Line, pictureOf, valuesOf } from './nesting';
import { GraphNode, GraphRelation, GraphRole } from '../facts';
import type { Graph } from '../graph';
import { serviceOf } from '../graph-object';

const CIRCLE = '#dc2626';
const FONT = 'Helvetica,Arial,sans-serif';
const LONGEST_LINE = 34;
/** Things that nothing is drawn to stand in columns of so many. */
const COLUMN = 6;

/** The language of Graphviz: owners as boxes around what they own, colours by service, a legend below. */
export function dotText(graph: Graph): string {
  const { sections, lines } = pictureOf(graph);
  const ids = new Map(graph.nodes.map(({ key }, index) => [key, `n${index}`]));
  const id = ({ key }: GraphNode) => ids.get(key)!;
  const busy = new Set(lines.flatMap(({ from, to }) => [from.key, to.key]));
  const onCycles = graph.keysOnCycles;
  const text: string[] = [];
  let clusters = 0;

  const draw = (box: Box, indent: string): void => {
    const { node, children } = box;
    if (children.length === 0) {
      text.push(`${indent}${id(node)} ${cardOf(node, onCycles.has(node.key))}`);
      return;
    }
    const { box: ground, line } = coloursOf(serviceOf(node.group));
    text.push(
      `${indent}subgraph cluster_${clusters++} {`,
      `${indent}  style=${dotString(node.external ? 'rounded,filled,dashed' : 'rounded,filled')} fillcolor="${ground}" color="${line}" label="" margin=12`,
      `${indent}  ${id(node)} ${cardOf(node, onCycles.has(node.key))}`,
    );
    for (const child of children) draw(child, `${indent}  `);
    text.push(...besides(node, children, `${indent}  `), `${indent}}`);
  };

  /** Children stand to the right of their owner, idle ones in columns. */
  const besides = (owner: GraphNode | undefined, boxes: readonly Box[], indent: string): string[] => {
    const idle = boxes.filter(({ node, children }) => children.length === 0 && !busy.has(node.key)).map(({ node }) => id(node));
    const rows = idle.length > COLUMN ? Math.ceil(idle.length / Math.ceil(Math.sqrt(idle.length / 2))) : COLUMN;
    return [
      ...(owner ? boxes.filter(({ node }) => idle.indexOf(id(node)) < rows).map(({ node }) => `${indent}${id(owner)} -> ${id(node)} [style=invis weight=4]`) : []),
      ...idle.flatMap((name, index) => (index >= rows ? [`${indent}${idle[index - rows]} -> ${name} [style=invis weight=8]`] : [])),
    ];
  };

  for (const { namespace, boxes } of sections) {
    if (namespace === undefined) {
      for (const box of boxes) draw(box, '  ');
      continue;
    }
    text.push(
      `  subgraph cluster_${clusters++} {`,
      '    style="rounded,filled" fillcolor="#fcfcfd" color="#cbd5e1" margin=16 labeljust=l',
      `    label=<<FONT POINT-SIZE="10" COLOR="#64748b">namespace </FONT><B>${xml(namespace)}</B>> fontsize=13 fontcolor="#334155"`,
    );
    for (const box of boxes) draw(box, '    ');
    text.push(...besides(undefined, boxes, '    '), '  }');
  }
  for (const line of lines) text.push(`  ${arrowOf(line, id, onCycles)}`);
  return [
    'digraph "owner graph" {',
    `  graph [rankdir=LR bgcolor="#ffffff" fontname="${FONT}" nodesep=0.16 ranksep=0.55 pad=0.3 labelloc=b labeljust=l tooltip="owner graph"]`,
    `  node [shape=box fontname="${FONT}" fontsize=11 height=0.3 margin="0.11,0.06"]`,
    `  edge [fontname="${FONT}" fontsize=9 arrowsize=0.7]`,
    ...(graph.nodes.length > 0 ? [`  label=<${legendOf(graph, lines)}>`] : ['  label="no Azure objects"']),
    ...text,
    '}',
  ].join('\n');
}

function cardOf(node: GraphNode, onCycle: boolean): string {
  const { kind, name, role, external } = node;
  const colours = role === GraphRole.RESOURCE ? coloursOf(serviceOf(node.group)) : NEUTRAL;
  const note = noteOf(node);
  const rows = [
    `<FONT POINT-SIZE="9" COLOR="${colours.text}">${xml(kind)}${note === '' ? '' : ` <I>${xml(note)}</I>`}</FONT>`,
    ...broken(name).map((part) => `<B>${xml(part)}</B>`),
  ];
  const cells = rows.map((row) => `<TR><TD ALIGN="LEFT">${row}</TD></TR>`).join('');
  return `[label=<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">${cells}</TABLE>> ${lookOf(role, colours, external, onCycle)} tooltip=${dotString(tooltipOf(node))}]`;
}

function lookOf(role: GraphRole, { ground, line, text }: Colours, external: boolean, onCycle: boolean): string {
  const shape = role === GraphRole.RESOURCE ? '' : role === GraphRole.WORKLOAD ? 'shape=component ' : role === GraphRole.CREDENTIAL ? 'shape=note ' : 'shape=folder ';
  const style = [...(shape === '' ? ['rounded'] : []), 'filled', ...(external ? ['dashed'] : [])].join(',');
  return `${shape}style="${style}" fillcolor="${external ? '#ffffff' : ground}" color="${onCycle ? CIRCLE : line}" penwidth=${onCycle ? 3 : 1} fontcolor="${text}"`;
}

function noteOf({ external, role, armId, builtInRole }: GraphNode): string {
  if (builtInRole !== undefined) return builtInRole;
  if (external) return armId === undefined ? 'not here' : 'by ARM id';
  return role === GraphRole.CREDENTIAL ? 'credential' : '';
}

function tooltipOf({ kind, namespace, name, azureName, armId, constructPath }: GraphNode): string {
  const parts = [`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, azureName !== undefined && azureName !== name ? `in Azure: ${azureName}` : undefined, armId, constructPath];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function arrowOf(line: Line, id: (node: GraphNode) => string, onCycles: ReadonlySet<string>): string {
  const { relation, from, to, edges } = line;
  const { style, ends, ...look } = LINES[relation];
  const secret = relation === GraphRelation.FEEDS && edges[0].store === 'Secret';
  const circular = from.key !== to.key ? onCycles.has(from.key) && onCycles.has(to.key) : onCycles.has(from.key);
  const colour = circular && edges.some(({ waits }) => waits) ? CIRCLE : secret ? SECRET_FLOW : look.colour;
  const turned = relation === GraphRelation.REFERENCES || relation === GraphRelation.AUTHENTICATES_WITH;
  const [tail, tip] = turned ? [to, from] : [from, to];
  const label = relation === GraphRelation.FEEDS ? valuesOf(line) : edges.every(({ waits }) => waits) ? '' : 'by ARM id';
  const text = label === '' ? '' : ` label=<<FONT COLOR="${colour}"> ${broken(label).map(xml).join('<BR/>')} </FONT>>`;
  const tooltip = dotString([...new Set(edges.map(({ path, store, storeName }) => (store === undefined ? path : `${path} from ${store} ${storeName}`)))].join(' · '));
  return `${id(tail)} -> ${id(tip)} [color="${colour}" style=${style} ${ends}${circular ? ' penwidth=2' : ''}${text} tooltip=${tooltip} labeltooltip=${tooltip}]`;
}

/** A long name in several lines, broken where a word ends. */
function broken(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(/(?<=[-._/ ])/)) {
    if (line !== '' && line.length + word.length > LONGEST_LINE) {
      lines.push(line);
      line = '';
    }
    line += word;
    while (line.length > LONGEST_LINE) {
      lines.push(line.slice(0, LONGEST_LINE));
      line = line.slice(LONGEST_LINE);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}
