/**
 * Forms of a text that Go's YAML library and kubectl refuse, or read otherwise than YAML 1.2 says. Each of them is a fault of its document,
 * because the object of another reader would not be the one that the cluster gets.
 */
import { isAlias, isCollection, isPair, isScalar, type Document, type Node, type Pair, type Scalar } from 'yaml';
import { otherLineBreaks, quotedValue, refusedCharacter } from './go-characters';

/** A text that kubectl refuses, or reads otherwise than other readers of YAML. */
export class KubectlError extends Error {
  public constructor(message: string, public readonly fix: string) {
    super(message);
    this.name = 'KubectlError';
  }
}

/** A fault and its place: characters from the beginning of the text. */
export interface YamlFault {
  readonly offset: number;
  readonly error: Error;
}

/** As far as a colon can be from its key. */
const MAX_SPACE = 1000;
const SPACE = /\s*/y;
const ESCAPE_IT = 'write it as an escape in double quotes';

/** The faults of a text outside of its nodes. */
export function* faultsOfText(text: string): Generator<YamlFault> {
  for (let found = refusedCharacter(text); found; found = refusedCharacter(text, found.offset + 1)) {
    yield fault(found.offset, `has the character ${found.code}, which YAML does not allow`, ESCAPE_IT);
  }
  for (const { index } of text.matchAll(/(?<=\n)\uFEFF/g)) {
    yield fault(index, 'has a byte order mark within the text', 'remove it: it stands at the beginning of a line, and does not show');
  }
  for (const { index } of text.matchAll(/^---(?![^\S\n]*(?:#|$))./gm)) {
    yield fault(index, 'has more than a comment behind ---', 'write --- on a line of its own, or the text in quotes');
  }
  yield* faultsOfBeginnings(text);
}

/** kubectl cuts a text at its separators, and gives the library each part: a part begins with its first line that is no comment. */
function* faultsOfBeginnings(text: string): Generator<YamlFault> {
  let begins = true;
  // Line by line, and of each no more than its beginning: a line may have megabytes.
  for (let index = 0, end: number; index < text.length; index = end + 1) {
    end = text.indexOf('\n', index);
    if (end < 0) end = text.length;
    if (text.startsWith('---', index)) {
      begins = true;
      continue;
    }
    if (!begins) continue;
    const offset = index + /^[^\S\n]*/.exec(text.slice(index, end))![0].length;
    if (offset === end || text[offset] === '#') continue;
    begins = false;
    if (text[offset] === '%') {
      yield fault(offset, 'has a directive (%), which kubectl does not take', 'leave the directive out');
    } else if (/^\.\.\.(?:\s|$)/.test(text.slice(offset, offset + 4))) {
      yield fault(offset, 'has ... where a document should begin', 'separate documents with ---');
    }
  }
}

/**
 * The first fault of a document's nodes, and of the text from the end of the document before it (`start`) on. Texts in quotes get the line
 * separators that the library leaves in them.
 */
export function faultOfNodes(document: Document.Parsed, text: string, start: number): YamlFault | undefined {
  const seen: Seen = { text, flows: [], scalars: [] };
  const range = [start, document.range[2]] as const;
  return faultBelow(document.contents, false, seen) ?? faultOfLineBreaks(text, range, seen.scalars) ?? faultOfTabs(range, seen);
}

/** A text, and the nodes of it that were looked at. */
interface Seen {
  readonly text: string;
  readonly flows: Node[];
  readonly scalars: Scalar[];
}

/** Recursive: the reader bounds the depth. */
function faultBelow(node: unknown, isInFlow: boolean, seen: Seen): YamlFault | undefined {
  if (isScalar(node)) {
    seen.scalars.push(node);
    return faultOfName(node, node.anchor, node.tag) ?? faultOfScalar(node, seen.text, isInFlow);
  }
  if (isAlias(node)) return faultOfName(node, node.source);
  if (!isCollection(node)) return undefined;
  if (node.flow === true) seen.flows.push(node);
  const isFlow = isInFlow || node.flow === true;
  let found = faultOfName(node, node.anchor, node.tag);
  for (const item of node.items) {
    if (found) return found;
    found = isPair(item) ? faultInPair(item, isFlow, seen) : faultBelow(item, isFlow, seen);
  }
  return found;
}

function faultInPair(pair: Pair, isInFlow: boolean, seen: Seen): YamlFault | undefined {
  const own = isInFlow ? faultOfPair(pair, seen.text) : faultOfBlockPair(pair, seen.text);
  return own ?? faultBelow(pair.key, isInFlow, seen) ?? faultBelow(pair.value, isInFlow, seen);
}

function faultOfName(node: Node, anchor: string | undefined, tag?: string): YamlFault | undefined {
  const offset = node.range?.[0] ?? 0;
  if (anchor !== undefined && !/^[\w-]+$/.test(anchor)) return fault(offset, `has the anchor ${anchor}`, 'name it with letters, digits, - and _');
  return tag !== undefined && /[^\w./:,!-]/.test(tag) ? fault(offset, `has the tag ${tag}`, 'leave the tag out') : undefined;
}

function faultOfPair({ key }: Pair, text: string): YamlFault | undefined {
  if (!isScalar(key) || !key.range || key.source === '') return undefined;
  const colon = key.range[1];
  const isNamed = key.tag !== undefined || key.anchor !== undefined;
  if (isNamed && spaceBefore(text, key.range[0]).includes('\n')) {
    return fault(key.range[0], 'has a key on another line than its anchor or tag', 'leave the anchor or tag out');
  }
  if (text.slice(key.range[0], colon).includes('\n') || /^[ \t]*\n\s*:/.test(text.slice(colon, colon + MAX_SPACE))) {
    return fault(key.range[0], 'has a key of several lines', 'write the key on one line');
  }
  const sign = colon + /^[ \t]*/.exec(text.slice(colon, colon + MAX_SPACE))![0].length;
  if (key.type !== 'PLAIN' || text[sign] !== ':' || !/[^\s]/.test(text[sign + 1] ?? ' ')) return undefined;
  return fault(sign, 'has a colon without a space behind it, which kubectl takes for a part of the text', 'write a space behind the colon');
}

function faultOfBlockPair({ key }: Pair, text: string): YamlFault | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const [from, to] = key.range;
  if (isQuoted(key) && otherLineBreaks(text.slice(from, to)).length > 0) return fault(from, 'has a key of several lines', 'write the key on one line');
  let mark = from - 1;
  while (isBlank(text.charCodeAt(mark))) mark -= 1;
  if (text[mark] !== '?') return undefined;
  const next = endOfSpaceAndComments(text, to);
  const deeper = columnOf(text, next) - columnOf(text, mark);
  // The library drops without a word what stands behind such a key and is not its value.
  const isDropped = next < text.length && text[next] !== ':' && (deeper > 0 || (deeper === 0 && /^-\s/.test(text.slice(next, next + 2))));
  if (!isDropped) return undefined;
  return fault(from, 'has a key behind ? and lines that are not its value', 'write the key without ?, and a colon behind it');
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function endOfSpaceAndComments(text: string, offset: number): number {
  for (let at = offset; ; at = text.indexOf('\n', at)) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    if (text[at] !== '#' || !text.includes('\n', at)) return at;
  }
}

function spaceBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - MAX_SPACE), offset);
  return before.slice(before.trimEnd().length);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Whether a text in quotes ends with one that stands for no character. One pattern for all of it would keep a place for each character. */
function isClosed(source: string): boolean {
  const [quote] = source, inside = source.slice(1, -1);
  if (source.length < 2 || !source.endsWith(quote!)) return false;
  return quote === "'" ? !inside.replaceAll("''", '').includes("'") : !/["\\]/.test(inside.replace(/\\[^]/g, ''));
}

function faultOfScalar(scalar: Scalar, text: string, isInFlow: boolean): YamlFault | undefined {
  if (!scalar.range || (!isInFlow && !isQuoted(scalar))) return undefined;
  const [from, to] = scalar.range;
  const source = text.slice(from, to);
  // The library takes a quote for the end that stands for a character.
  if (isQuoted(scalar) && !isClosed(source)) {
    return fault(from, 'has a text without an end', 'close the quotes');
  }
  if (isQuoted(scalar) && otherLineBreaks(source).length > 0) scalar.source = quotedValue(source);
  if (scalar.type === 'QUOTE_DOUBLE') {
    for (const { index, 1: escape } of source.matchAll(/\\(?:(\/|u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g)) {
      if (escape !== undefined) return fault(from + index, `has the escape \\${escape}, which kubectl does not know`, 'write the character itself');
    }
  }
  if (!isInFlow || scalar.type !== 'PLAIN') return undefined;
  // The text may go on in the next lines, where a tab is no indentation.
  const blank = /^[ \t\n]*/.exec(text.slice(to, to + MAX_SPACE))![0];
  if (/\n *\t/.test(blank)) return fault(to, 'has a tab in the line behind a text, where kubectl takes spaces alone', 'indent with spaces');
  if (source.startsWith(':') || source.includes('?')) {
    return fault(from, `has ${source.startsWith(':') ? ': at the beginning of' : '? in'} a text within brackets`, 'put the text in quotes');
  }
  const isOnlyTag = scalar.tag !== undefined && source === '' && /[,[\]{}]/.test(text[from] ?? ' ');
  return isOnlyTag ? fault(from, 'has a tag without a value', 'write a value behind the tag') : undefined;
}

/** Characters that end a line for the library alone stay in texts in quotes. Elsewhere, what is behind them is of another line there. */
function faultOfLineBreaks(text: string, [start, end]: readonly [number, number], scalars: readonly Scalar[]): YamlFault | undefined {
  const breaks = otherLineBreaks(text.slice(start, end)).map((index) => start + index);
  if (breaks.length === 0) return undefined;
  const quotes = scalars.filter(isQuoted);
  const offset = breaks.find((one) => !quotes.some((scalar) => isWithin(scalar, one)));
  return offset === undefined ? undefined : fault(offset, 'has a character that ends a line for kubectl alone', ESCAPE_IT);
}

function isQuoted({ type }: Scalar): boolean {
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
}

function isWithin({ range }: Node, offset: number): boolean {
  return range !== undefined && range !== null && range[0] < offset && offset < range[1];
}

/** A tab is no indentation; the library takes none where a key could begin. */
function faultOfTabs([start, end]: readonly [number, number], { text, flows, scalars }: Seen): YamlFault | undefined {
  const own = text.slice(start, end);
  if (!own.includes('\t')) return undefined;
  for (const { index, 0: before } of own.matchAll(/^ *(?:[-?:] +)*(?:[-?] *)?\t/gm)) {
    const offset = start + index + before.length - 1;
    if (flows.some((node) => isWithin(node, offset))) continue;
    const scalar = scalars.find((node) => isWithin(node, offset));
    if (!scalar || isTabBefore(scalar, before.length - 1, offset, text)) {
      return fault(offset, 'has a tab where kubectl takes spaces alone', 'indent with spaces');
    }
  }
  return undefined;
}

/** Whether a tab in the lines of a scalar stands before the column where its text is. */
function isTabBefore(scalar: Scalar, column: number, offset: number, text: string): boolean {
  const { type, range } = scalar;
  if (isQuoted(scalar)) return false;
  if (type === 'PLAIN') return column === 0;
  const [, header = '', before = '', spaces = ''] = /^([^\n]*)\n((?:[ \t\n]*\n)?)( *)/.exec(text.slice(range![0], range![1])) ?? [];
  // Without a number in its header, the first line decides where the text begins: there, a tab is not of the text yet.
  const isFirst = offset <= range![0] + header.length + 1 + before.length + spaces.length;
  return column < spaces.length || (isFirst && !/\d/.test(header));
}

function fault(offset: number, message: string, fix: string): YamlFault {
  return { offset, error: new KubectlError(message, fix) };
}

/** Whether a document stands behind the end (`...`) of another one, in a part that kubectl reads one document of. */
export function isBehindEnd(document: Document.Parsed, index: number): boolean {
  return index > 0 && document.directives.docStart !== true && document.contents !== null;
}
