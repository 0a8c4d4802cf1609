/**
 * Characters as Go's YAML library takes them (`readerc.go`, `scannerc.go`): which it refuses, and which end a line. A carriage return,
 * U+0085, U+2028 and U+2029 end a line there, and nothing in YAML 1.2.
 */
import { parseDocument } from 'yaml';

const REFUSED = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const OTHER_BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/g;
const SEPARATOR = /[\u2028\u2029]/;

/** The first character that is not allowed, from a place on. */
export function refusedCharacter(text: string, from = 0): { readonly offset: number; readonly code: string } | undefined {
  REFUSED.lastIndex = from;
  const found = REFUSED.exec(text);
  if (!found) return undefined;
  return { offset: found.index, code: `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` };
}

/** The places of characters that end a line for the library, and for no other reader. */
export function otherLineBreaks(text: string): number[] {
  return Array.from(text.matchAll(OTHER_BREAK), ({ index }) => index);
}

const SPACE = /[ \t\r\n\u0085\u2028\u2029]+/g;
const BREAK = /\r\n|[\r\n\u0085\u2028\u2029]/g;

/**
 * The value of a scalar in quotes that has such characters.
 * @param source the scalar with its quotes
 */
export function quotedValue(source: string): string {
  const inner = source.slice(1, -1);
  if (source.startsWith("'")) return folded(inner, (text) => text).replaceAll("''", "'");
  const onOneLine = folded(inner, (text) => text.replaceAll('\n', '\\n').replaceAll('\u2028', '\\L').replaceAll('\u2029', '\\P'));
  return String(parseDocument(`"${onOneLine}"`, { schema: 'failsafe' }).toJS());
}

function folded(text: string, format: (breaks: string) => string): string {
  return text.replace(SPACE, (space) => {
    const [first, ...more] = space.match(BREAK) ?? [];
    if (first === undefined) return space;
    const trailing = more.join('').replace(/\r\n|[\r\u0085]/g, '\n');
    if (SEPARATOR.test(first)) return format(first + trailing);
    return trailing === '' ? ' ' : format(trailing);
  });
}
