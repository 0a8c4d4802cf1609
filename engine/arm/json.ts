import { memberIgnoringCase } from '../../src/util/records';

/** A non-empty string member (a number as its digits), or undefined. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = memberIgnoringCase(value, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** Maximum nesting depth. The deepest of 4,400 recorded answers has 18 levels; functions that walk over values recurse once per level. */
export const DEEPEST_ANSWER = 200;

/**
 * Maximum number of values. A page of 17 MiB with 25 characters a value has some 700,000. Empty objects in as many characters would be six
 * million, and take 400 MB.
 */
export const MOST_VALUES = 1_000_000;

/** The value of a JSON text; undefined when it is invalid, or has more values or nests more deeply than any answer of Azure. */
export function parseAnswer(text: string): unknown {
  if (text.trim() === '' || isCostly(text)) return undefined;
  try {
    // Some providers start with a byte order mark, which JSON does not allow.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isCostly(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const opens = character === OPEN_BRACE || character === OPEN_BRACKET;
    if (character === QUOTE) at = endOfText(text, at);
    else if (opens) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
    if (opens || character === COMMA) values += 1;
    if (depth > DEEPEST_ANSWER || values > MOST_VALUES) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = [...'"\\{}[],'].map((text) => text.charCodeAt(0));

/** Index of the quote that ends a string. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return text.length;
}
