import { coloursOf, NEUTRAL } from './colours';
import { LINES, SECRET_FLOW } from './dot-lines';
import { dotString, printable, xml } from './escape';
import { legendOf } from './legend';
import { Box, Line, Picture, pictureOf, valuesOf } from './nesting';
import { objectTitleOf } from '../../../object-id';
import { GraphNode, GraphRelation, GraphRole } from '../facts';
import type { Graph } from '../graph';
import { serviceOf } from '../graph-object';

const CYCLE = '#dc2626';
const FONT = 'Helvetica,Arial,sans-serif';
const LONGEST_LINE = 38;
/** Minimum number of rows of a column. */
const COLUMN = 6;

/** The graph as Graphviz DOT: owners as boxes around owned resources, colours by service, a legend below. */
export function dotText(graph: Graph): string {
  return new Drawing(graph).text();
}

/** The end of a line: at a node's card, or at the border of a box, represented by an invisible point inside. */
interface End {
  readonly id: string;
  readonly cluster: string | undefined;
}

class Drawing {
  private readonly picture: Picture;
  private readonly ends = new Map<string, End>();
  private readonly owners = new Map<string, string>();
  private readonly busy: ReadonlySet<string>;
  private readonly onCycles: ReadonlySet<string>;
  private readonly lines: string[] = [];

  public constructor(private readonly graph: Graph) {
    this.picture = pictureOf(graph);
    this.busy = new Set(this.picture.lines.flatMap(({ from, to }) => [from.key, to.key]));
    this.onCycles = graph.keysOnCycles;
  }

  public text(): string {
    const { sections, lines } = this.picture;
    this.name(sections.flatMap(({ boxes }) => boxes), undefined);
    sections.forEach(({ namespace, boxes }, index) => {
      if (namespace === undefined) return this.drawAll(boxes, '  ');
      this.lines.push(
        `  subgraph cluster_namespace${index} {`,
        '    style="rounded,filled" fillcolor="#fcfcfd" color="#cbd5e1" margin=14',
        `    label=<${table([cell(`namespace ${namespace}`, 13, '#475569', (escaped) => escaped)])}>`,
      );
      this.drawAll(boxes, '    ');
      this.lines.push('  }');
    });
    for (const line of lines) this.lines.push(`  ${this.arrow(line)}`);
    return [
      'digraph "owner graph" {',
      `  graph [rankdir=LR compound=true bgcolor="#ffffff" fontname="${FONT}" nodesep=0.14 ranksep=0.5 pad=0.3 labeljust=l tooltip=" "]`,
      `  node [shape=box fontname="${FONT}" fontsize=11 height=0.3 margin="0.1,0.06"]`,
      `  edge [fontname="${FONT}" fontsize=9 arrowsize=0.7]`,
      ...this.lines,
      this.graph.nodes.length > 0 ? `  labelloc=b label=<${legendOf(this.graph, lines)}>` : '  label="no Azure objects"',
      '}',
    ].join('\n');
  }

  private name(boxes: readonly Box[], owner: GraphNode | undefined): void {
    for (const { node, children } of boxes) {
      const index = this.ends.size;
      this.ends.set(node.key, { id: `n${index}`, cluster: children.length > 0 ? `cluster_${index}` : undefined });
      if (owner) this.owners.set(node.key, owner.key);
      this.name(children, node);
    }
  }

  private drawAll(boxes: readonly Box[], indent: string): void {
    for (const box of boxes) this.draw(box, indent);
    this.lines.push(...this.columns(boxes, indent));
  }

  private draw({ node, children }: Box, indent: string): void {
    const { id, cluster } = this.ends.get(node.key)!;
    const onCycle = this.onCycles.has(node.key);
    if (cluster === undefined) {
      this.lines.push(`${indent}${id} [label=<${cardOf(node)}> ${lookOf(node, onCycle)} tooltip=${dotString(tooltipOf(node))}]`);
      return;
    }
    const { box, line } = coloursOf(serviceOf(node.group));
    this.lines.push(
      `${indent}subgraph ${cluster} {`,
      `${indent}  style="rounded,filled${node.external ? ',dashed' : ''}" fillcolor="${node.external ? '#ffffff' : box}" color="${onCycle ? CYCLE : line}" penwidth=${onCycle ? 3 : 1} margin=10`,
      `${indent}  label=<${cardOf(node)}> tooltip=${dotString(tooltipOf(node))}`,
    );
    if (this.busy.has(node.key)) this.lines.push(`${indent}  ${id} [shape=point style=invis width=0.01 height=0.01 label=""]`);
    this.drawAll(children, `${indent}  `);
    this.lines.push(`${indent}}`);
  }

  /** Nodes without lines are arranged in columns; otherwise a box with many would be very high. */
  private columns(boxes: readonly Box[], indent: string): string[] {
    const isIdle = ({ node, children }: Box) => children.length === 0 && !this.busy.has(node.key);
    const idle = boxes.filter(isIdle).map(({ node }) => this.ends.get(node.key)!.id);
    const rows = Math.max(COLUMN, Math.ceil(Math.sqrt(idle.length * 2)));
    return idle.slice(rows).map((id, index) => `${indent}${idle[index]} -> ${id} [style=invis weight=8]`);
  }

  private arrow(line: Line): string {
    const { relation, from, to, edges } = line;
    const { style, ends, ...look } = LINES[relation];
    const secret = relation === GraphRelation.FEEDS && edges[0].store === 'Secret';
    const onCycle = this.onCycles.has(from.key) && this.onCycles.has(to.key) && edges.some(({ waits }) => waits);
    const colour = onCycle ? CYCLE : secret ? SECRET_FLOW : look.colour;
    const turned = relation === GraphRelation.REFERENCES || relation === GraphRelation.AUTHENTICATES_WITH;
    const [tail, tip] = turned ? [to, from] : [from, to];
    const label =
      relation === GraphRelation.FEEDS ? ` label=<<FONT COLOR="${colour}"> ${broken(valuesOf(line)).map(xml).join('<BR/>')} </FONT>>` : '';
    const tooltip = dotString(
      [...new Set(edges.map(({ path, store, storeName }) => (store === undefined ? path : `${path} from ${store} ${storeName}`)))].join(
        ' · ',
      ),
    );
    const borders = [this.border('ltail', tail, tip), this.border('lhead', tip, tail)].join('');
    return `${this.ends.get(tail.key)!.id} -> ${this.ends.get(tip.key)!.id} [color="${colour}" style=${style} ${ends}${borders}${onCycle ? ' penwidth=2' : ''}${label} tooltip=${tooltip} labeltooltip=${tooltip}]`;
  }

  /** Clips a line at the border of a box, unless it comes from inside. */
  private border(attribute: string, node: GraphNode, other: GraphNode): string {
    const { cluster } = this.ends.get(node.key)!;
    if (cluster === undefined) return '';
    for (let at: string | undefined = other.key; at !== undefined; at = this.owners.get(at)) if (at === node.key) return '';
    return ` ${attribute}=${cluster}`;
  }
}

function cardOf(node: GraphNode): string {
  const { kind, name, role } = node;
  const { text } = role === GraphRole.RESOURCE ? coloursOf(serviceOf(node.group)) : NEUTRAL;
  const note = noteOf(node);
  return table([
    cell(kind, 9, text, (escaped) => escaped),
    ...broken(name).map((part) => cell(part, 11, text, (escaped) => `<B>${escaped}</B>`)),
    ...(note === '' ? [] : [cell(note, 9, text, (escaped) => `<I>${escaped}</I>`)]),
  ]);
}

function table(rows: readonly string[]): string {
  return `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">${rows.map((row) => `<TR>${row}</TR>`).join('')}</TABLE>`;
}

/** Graphviz measures text as Helvetica; the viewer may substitute another, wider font. */
function cell(content: string, size: number, colour: string, emphasize: (escaped: string) => string): string {
  const width = Math.ceil(content.length * size * (size > 10 ? 0.64 : 0.57));
  return `<TD ALIGN="LEFT" WIDTH="${width}"><FONT POINT-SIZE="${size}" COLOR="${colour}">${emphasize(xml(content))}</FONT></TD>`;
}

function lookOf({ role, group, external }: GraphNode, onCycle: boolean): string {
  const { ground, line } = role === GraphRole.RESOURCE ? coloursOf(serviceOf(group)) : NEUTRAL;
  const shape =
    role === GraphRole.RESOURCE
      ? ''
      : role === GraphRole.WORKLOAD
        ? 'shape=component '
        : role === GraphRole.CREDENTIAL
          ? 'shape=note '
          : 'shape=folder ';
  const style = [...(shape === '' ? ['rounded'] : []), 'filled', ...(external ? ['dashed'] : [])].join(',');
  return `${shape}style="${style}" fillcolor="${external ? '#ffffff' : ground}" color="${onCycle ? CYCLE : line}" penwidth=${onCycle ? 3 : 1}`;
}

function noteOf({ external, role, armId, builtInRole }: GraphNode): string {
  if (builtInRole !== undefined) return builtInRole;
  if (external) return armId === undefined ? 'not here' : 'by ARM id';
  return role === GraphRole.CREDENTIAL ? 'credential' : '';
}

function tooltipOf({ kind, namespace, name, azureName, armId, constructPath }: GraphNode): string {
  const parts = [
    objectTitleOf({ kind, namespace, name }),
    azureName !== undefined && azureName !== name ? `in Azure: ${azureName}` : undefined,
    armId,
    constructPath,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Breaks a long name into lines, at the end of a word. */
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
