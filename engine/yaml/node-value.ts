import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type Scalar, type YAMLMap } from 'yaml';
import { keyText, ScalarError, scalarValue, type ScalarValue } from './go-scalar';

/** More values, and more text, than a file of manifests has. Aliases let a few lines stand for more than any memory holds. */
const MAX_VALUES = 5_000_000;
const MERGE_TAG = 'tag:yaml.org,2002:merge';

/** Written out, a document is much larger than it is. */
export class TooLarge extends Error {
  public constructor() {
    super('its aliases stand for far more than the file holds');
    this.name = 'TooLarge';
  }
}

/** A node that kubectl refuses. */
export class NodeError extends Error {
  public constructor(message: string, public readonly offset: number) {
    super(message);
    this.name = 'NodeError';
  }
}

/** A key that is written twice in a map, where it stands for the second time. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** The value of a scalar, if it is not that of its text: where variables are filled in. */
export type FillScalar = (source: string, style: 'plain' | 'quoted' | 'block', around: readonly YAMLMap[]) => ScalarValue | undefined;

export interface NodeValue {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
}

/**
 * The value of a document, as Go's YAML library decodes it: with all aliases followed, and a key's last value. Keys that are merged (`<<`)
 * replace those that stand before. The scalars of the document, which were texts, get their values, and its keys the texts that JSON has.
 *
 * @param textLength length of the text: a value that is much larger, written out, is refused
 * @param fill the value of a scalar that has another one than its text says
 * @throws NodeError, TooLarge
 */
export function nodeValue(document: Document.Parsed, textLength: number, fill?: FillScalar): NodeValue {
  return new Decoder(fill).decode(document.contents, textLength);
}

class Decoder {
  private readonly anchors = new Map<string, Node>();
  /** The nodes that aliases stand for: the last ones of their names before them. */
  private readonly targets = new Map<Node, Node>();
  /** The values of keys with an anchor, which are texts where they are keys, and no texts where an alias stands for them. */
  private readonly anchoredKeys = new Map<Scalar, ScalarValue>();
  private readonly shared = new Map<Node, unknown>();
  private readonly open = new Set<Node>();
  private readonly duplicates: DuplicateKey[] = [];
  private steps = 0;

  /** The maps around the scalar that is resolved, the outermost first. */
  private readonly around: YAMLMap[] = [];

  public constructor(private readonly fill?: FillScalar) {}

  public decode(root: unknown, textLength: number): NodeValue {
    this.prepare(root);
    const value = this.valueOf(root);
    if (this.targets.size > 0) refuseTooLarge(value, textLength);
    return { value, duplicates: this.duplicates };
  }

  /** Follows the order of the text, in which an alias stands for what is before it. */
  private prepare(node: unknown): void {
    if (!isNode(node)) return;
    if (isAlias(node)) {
      const target = this.anchors.get(node.source);
      if (!target) throw new NodeError(`unknown anchor '${node.source}' referenced`, offsetOf(node));
      this.targets.set(node, target);
      return;
    }
    if (node.anchor) this.anchors.set(node.anchor, node);
    if (isScalar(node)) this.resolve(node);
    else if (isSeq(node)) for (const item of node.items) this.prepare(item);
    else if (isMap(node)) this.prepareMap(node);
  }

  private prepareMap(map: YAMLMap): void {
    this.around.push(map);
    for (const { key, value } of map.items) {
      this.prepare(key);
      this.prepare(value);
    }
    this.around.pop();
  }

  private resolve(scalar: Scalar): void {
    const source = sourceOf(scalar);
    const filled = scalar.tag === undefined ? this.fill?.(source, styleOf(scalar), this.around) : undefined;
    try {
      scalar.value = filled === undefined ? scalarValue(source, scalar.type === 'PLAIN', scalar.tag) : filled;
    } catch (error) {
      throw placed(error, scalar);
    }
  }

  private valueOf(node: unknown): unknown {
    this.steps += 1;
    if (this.steps > MAX_VALUES) throw new TooLarge();
    if (!isNode(node)) return null;
    if (this.targets.size === 0) return this.newValue(node);
    const target = isAlias(node) ? this.targets.get(node)! : node;
    if (this.shared.has(target)) return this.shared.get(target);
    if (this.open.has(target)) throw new NodeError('an anchor contains itself', offsetOf(node));
    this.open.add(target);
    const value = this.newValue(target);
    this.open.delete(target);
    if (target.anchor !== undefined) this.shared.set(target, value);
    return value;
  }

  private newValue(node: Node & { anchor?: string }): unknown {
    if (isMap(node)) return node.items.some(({ key }) => isMergeKey(key)) ? Object.fromEntries(this.entriesOf(node)) : this.record(node);
    if (isSeq(node)) return node.items.map((item) => this.valueOf(item));
    if (!isScalar(node)) return null;
    const value = this.scalarOf(node);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new NodeError(`JSON has no number ${sourceOf(node)}`, offsetOf(node));
    return value;
  }

  /** A map into which nothing is merged, as nearly all are. */
  private record(map: YAMLMap): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const { key: node, value } of map.items) {
      const key = this.keyOf(node, map);
      if (Object.hasOwn(record, key)) this.duplicates.push({ key, offset: offsetOf(node) });
      const own = this.valueOf(value);
      // An assignment would make it the prototype.
      if (key === '__proto__') Object.defineProperty(record, key, { value: own, enumerable: true, configurable: true, writable: true });
      else record[key] = own;
    }
    return record;
  }

  private entriesOf(map: YAMLMap): Map<string, unknown> {
    const entries = new Map<string, unknown>();
    const own = new Set<string>();
    for (const { key: node, value } of map.items) {
      if (isMergeKey(node)) {
        this.merge(value, entries, offsetOf(node));
        continue;
      }
      const key = this.keyOf(node, map);
      if (own.has(key)) this.duplicates.push({ key, offset: offsetOf(node) });
      own.add(key);
      entries.set(key, this.valueOf(value));
    }
    return entries;
  }

  private merge(value: unknown, entries: Map<string, unknown>, offset: number): void {
    const target = isAlias(value) ? this.targets.get(value) : value;
    // Of several maps the first one counts.
    const maps = isSeq(value) ? [...value.items].reverse() : [value];
    if (!isMap(target) && !isSeq(value)) throw new NodeError('map merge requires map or sequence of maps as the value', offset);
    for (const map of maps) {
      const inner = isAlias(map) ? this.targets.get(map) : map;
      if (!isMap(inner)) throw new NodeError('map merge requires map or sequence of maps as the value', offset);
      const merged = Object.entries(this.valueOf(map) as Record<string, unknown>);
      this.steps += merged.length;
      for (const [key, one] of merged) entries.set(key, one);
    }
  }

  private keyOf(node: unknown, map: YAMLMap): string {
    const target = isAlias(node) ? this.targets.get(node) : node;
    if (!isNode(target)) throw new NodeError('a key is null', offsetOf(map));
    if (!isScalar(target)) throw new NodeError('a key is a list or a map', offsetOf(node));
    const value = this.scalarOf(target);
    let key: string;
    try {
      key = typeof value === 'string' ? value : keyText(value, sourceOf(target));
    } catch (error) {
      throw placed(error, node as Node);
    }
    if (target === node && key !== value) {
      if (target.anchor !== undefined) this.anchoredKeys.set(target, value);
      target.value = key;
    }
    return key;
  }

  private scalarOf(scalar: Scalar): ScalarValue {
    const value = this.anchoredKeys.size === 0 ? undefined : this.anchoredKeys.get(scalar);
    return value === undefined ? scalar.value as ScalarValue : value;
  }
}

function isMergeKey(node: unknown): boolean {
  if (!isScalar(node) || node.source !== '<<') return false;
  return node.tag === MERGE_TAG || (node.tag === undefined || node.tag === '!' ? node.type === 'PLAIN' || node.tag === '!' : false);
}

function styleOf({ type }: Scalar): 'plain' | 'quoted' | 'block' {
  if (type === 'PLAIN') return 'plain';
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 'quoted' : 'block';
}

function sourceOf(scalar: Scalar): string {
  return scalar.source ?? '';
}

function offsetOf(node: unknown): number {
  return isNode(node) ? node.range?.[0] ?? 0 : 0;
}

/** The fault of a scalar with its place. */
function placed(error: unknown, node: Node): unknown {
  return error instanceof ScalarError ? new NodeError(error.message, offsetOf(node)) : error;
}

function refuseTooLarge(value: unknown, textLength: number): void {
  let [values, length] = [0, 0];
  const most = Math.max(1_000_000, textLength * 10);
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next === 'string') {
      length += next.length;
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        length += key.length;
        open.push(inner);
      }
    }
    if (values > MAX_VALUES || values + length > most) throw new TooLarge();
  }
}
