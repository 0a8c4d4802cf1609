import { coloursOf } from './colours';
import { LINES, SECRET_FLOW } from './dot-lines';
import { xml } from './escape';
import type { Line } from './nesting';
import { GraphRelation, GraphRole } from '../facts';
import type { Graph } from '../graph';
import { serviceOf } from '../graph-object';

const COLUMNS = 5;

/** An HTML-like table for Graphviz that explains the colours and lines that this graph uses. */
export function legendOf(graph: Graph, lines: readonly Line[]): string {
  const resources = graph.nodes.filter(({ role }) => role === GraphRole.RESOURCE);
  const services = [...new Set(resources.map(({ group }) => serviceOf(group)))].filter((service) => service !== undefined).sort();
  const entries = [...services.map(serviceEntry), ...lineEntries(lines)];
  if (graph.nodes.some(({ external }) => external)) {
    entries.push('<TD BORDER="1" STYLE="ROUNDED,DASHED" COLOR="#94a3b8" FIXEDSIZE="TRUE" WIDTH="22" HEIGHT="13"></TD><TD ALIGN="LEFT">not made here</TD>');
  }
  const rows: string[] = [];
  for (let at = 0; at < entries.length; at += COLUMNS) {
    rows.push(`<TR>${entries.slice(at, at + COLUMNS).join('<TD WIDTH="10"></TD>')}</TR>`);
  }
  return `<FONT POINT-SIZE="10" COLOR="#475569"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4" CELLPADDING="1">${rows.join('')}</TABLE></FONT>`;
}

function serviceEntry(service: string): string {
  const { ground, line } = coloursOf(service);
  return `<TD BORDER="1" STYLE="ROUNDED" BGCOLOR="${ground}" COLOR="${line}" FIXEDSIZE="TRUE" WIDTH="22" HEIGHT="13"></TD><TD ALIGN="LEFT">${xml(service)}</TD>`;
}

function lineEntries(lines: readonly Line[]): string[] {
  const has = (relation: GraphRelation, store?: string) =>
    lines.some((line) => line.relation === relation && (store === undefined || line.edges[0].store === store));
  const entry = (relation: GraphRelation, text: string, colour = LINES[relation].colour) => {
    // A line is the lower border of a cell; Graphviz supports the same styles for borders as for edges.
    const style = LINES[relation].style === 'solid' ? '' : ` STYLE="${LINES[relation].style.toUpperCase()}"`;
    return `<TD><TABLE BORDER="1" SIDES="B"${style} COLOR="${colour}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" FIXEDSIZE="TRUE" WIDTH="24" HEIGHT="5"><TR><TD></TD></TR></TABLE></TD><TD ALIGN="LEFT">${text}</TD>`;
  };
  return [
    ...(has(GraphRelation.FEEDS, 'ConfigMap') ? [entry(GraphRelation.FEEDS, 'value by ConfigMap')] : []),
    ...(has(GraphRelation.FEEDS, 'Secret') ? [entry(GraphRelation.FEEDS, 'value by Secret', SECRET_FLOW)] : []),
    ...(has(GraphRelation.REFERENCES) ? [entry(GraphRelation.REFERENCES, 'refers to')] : []),
    ...(has(GraphRelation.OWNS) ? [entry(GraphRelation.OWNS, 'owns, by ARM id')] : []),
    ...(has(GraphRelation.AUTHENTICATES_WITH) ? [entry(GraphRelation.AUTHENTICATES_WITH, 'signs in with')] : []),
  ];
}
