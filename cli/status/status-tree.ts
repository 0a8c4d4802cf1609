import { signOf, stateWords } from './node-signs';
import { durationText, isSettled, type Inspection, type InspectionNode } from '../../engine/inspect';
import { objectKeyOf } from '../../src/object-id';
import { groupBy } from '../../src/util/group-by';
import { shortened } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

export interface TreeOptions {
  readonly style: Style;
  readonly now: number;
  /** Whether subtrees in which all objects are settled are counted instead of listed. */
  readonly folds: boolean;
  /** Whether message and ARM id follow. */
  readonly wide: boolean;
  /** Only these nodes. */
  readonly shows: (node: InspectionNode) => boolean;
}

/** Characters of kind and name together; longer ones lose their middle, since names differ at their end. */
const WIDEST_TITLE = 70;
const LONGEST_MESSAGE = 160;

interface Row {
  readonly indent: string;
  /** Absent: a line that counts what is folded. */
  readonly node?: InspectionNode;
  readonly text: string;
}

/** The owner graph as text: a namespace after the other, owners before what they own. */
export function statusTree({ nodes, byKey }: Inspection, options: TreeOptions): string[] {
  const shown = nodes.filter(options.shows);
  const keys = new Set(shown.map(({ key }) => key));
  const isRoot = new Set(shown.filter(({ owner }) => !(owner?.object && keys.has(objectKeyOf(owner.object)))).map(({ key }) => key));
  // A cycle of owners has no root.
  const reached = new Set<string>();
  for (const key of isRoot) reach(key, byKey, keys, reached);
  for (const { key } of shown) {
    if (reached.has(key)) continue;
    isRoot.add(key);
    reach(key, byKey, keys, reached);
  }
  const healthy = options.folds ? settledSubtrees(shown, byKey, keys) : new Set<string>();
  const namespaces = groupBy(shown, ({ namespace }) => namespace);
  return [...namespaces].flatMap(([namespace, members]) => {
    const roots = members.filter(({ key }) => isRoot.has(key));
    const rows = new RowWriter(byKey, keys, healthy, options).rowsOf(roots);
    return [options.style.bold(namespace), ...textOf(rows, options)];
  });
}

function reach(start: string, byKey: ReadonlyMap<string, InspectionNode>, keys: ReadonlySet<string>, reached: Set<string>): void {
  const open = [start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (reached.has(key) || !keys.has(key)) continue;
    reached.add(key);
    open.push(...byKey.get(key)?.children ?? []);
  }
}

/** Keys of the nodes that are settled with everything below them: from the leaves upwards. */
function settledSubtrees(
  nodes: readonly InspectionNode[], byKey: ReadonlyMap<string, InspectionNode>, keys: ReadonlySet<string>,
): Set<string> {
  const unsettled = new Set<string>();
  for (const node of nodes) {
    if (isSettled(node.state)) continue;
    for (let next: InspectionNode | undefined = node; next && !unsettled.has(next.key);) {
      unsettled.add(next.key);
      const owner: string | undefined = next.owner?.object && objectKeyOf(next.owner.object);
      next = owner !== undefined && keys.has(owner) ? byKey.get(owner) : undefined;
    }
  }
  return new Set(nodes.map(({ key }) => key).filter((key) => !unsettled.has(key)));
}

class RowWriter {
  private readonly written = new Set<string>();

  public constructor(
    private readonly byKey: ReadonlyMap<string, InspectionNode>,
    private readonly keys: ReadonlySet<string>,
    private readonly healthy: ReadonlySet<string>,
    private readonly options: TreeOptions,
  ) {}

  /** Iterative: owners may form chains of any length. */
  public rowsOf(roots: readonly InspectionNode[]): Row[] {
    const rows: Row[] = [];
    const open = this.entries(roots, '').reverse();
    for (let entry = open.pop(); entry; entry = open.pop()) {
      const { node, prefix, isLast } = entry;
      rows.push({ indent: `${prefix}${isLast ? '└─ ' : '├─ '}`, ...(node ? { node } : {}), text: node ? titleText(node) : entry.text });
      if (!node) continue;
      const children = node.children.filter((key) => this.keys.has(key)).flatMap((key) => this.byKey.get(key) ?? []);
      open.push(...this.entries(children, `${prefix}${isLast ? '   ' : '│  '}`).reverse());
    }
    return rows;
  }

  private entries(nodes: readonly InspectionNode[], prefix: string) {
    const fresh = nodes.filter(({ key }) => !this.written.has(key));
    for (const { key } of fresh) this.written.add(key);
    const open = fresh.filter(({ key }) => !this.healthy.has(key));
    const folded = fresh.filter(({ key }) => this.healthy.has(key));
    const count = folded.reduce((sum, node) => sum + this.sizeOf(node), 0);
    const text = `${signOf('Ready', this.options.style)} ${count} ${open.length > 0 ? 'more ' : ''}Ready`;
    const all = [...open.map((node) => ({ node, text: '' })), ...(count > 0 ? [{ node: undefined, text }] : [])];
    return all.map((entry, index) => ({ ...entry, prefix, isLast: index === all.length - 1 }));
  }

  private sizeOf(node: InspectionNode): number {
    const reached = new Set<string>();
    reach(node.key, this.byKey, this.keys, reached);
    for (const key of reached) this.written.add(key);
    return reached.size;
  }
}

function titleText({ kind, name }: InspectionNode): string {
  const text = `${kind} ${name}`;
  if (text.length <= WIDEST_TITLE) return text;
  const end = Math.floor((WIDEST_TITLE - 1) / 2);
  return `${text.slice(0, WIDEST_TITLE - 1 - end)}…${text.slice(text.length - end)}`;
}

function textOf(rows: readonly Row[], { style, now, wide }: TreeOptions): string[] {
  const width = rows.reduce((widest, { indent, node, text }) => (node ? Math.max(widest, indent.length + text.length + 2) : widest), 0);
  return rows.map(({ indent, node, text }) => {
    if (!node) return `${style.dim(indent)}${text}`;
    const padding = ' '.repeat(Math.max(0, width - indent.length - text.length - 2));
    return `${style.dim(indent)}${signOf(node.state, style)} ${text}${padding}  ${statusText(node, style, now, wide)}`;
  });
}

function statusText(node: InspectionNode, style: Style, now: number, wide: boolean): string {
  const age = node.since === undefined ? '' : ` ${durationText(now - node.since)}`;
  const behind = node.state !== 'Stale' && node.observedGeneration !== undefined && node.generation !== undefined
    && node.observedGeneration < node.generation ? ' (of an older spec)' : '';
  const text = `${stateWords(node)}${style.dim(`${age}${behind}`)}`;
  if (!wide) return text;
  const message = node.message === '' ? '' : `  ${shortened(oneLine(node.message), LONGEST_MESSAGE)}`;
  return `${text}${message}${node.armId === undefined ? '' : `  ${style.dim(oneLine(node.armId))}`}`;
}
