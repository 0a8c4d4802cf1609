import { isRecord } from '../../src/util/records';

/** Reading JSON of which nobody promised the shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** A member whatever the case of its name: some providers answer `Error`, `Code`, `ProvisioningState`. */
export function member(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const lower = name.toLowerCase();
  const key = Object.keys(value).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : value[key];
}

/** A non-empty text member (numbers as their digits), or undefined. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** Levels of nesting. The deepest answer among 4,400 recorded ones has 18; functions that walk over values call themselves for each level. */
export const DEEPEST_ANSWER = 200;

/** The value of a JSON text; undefined where it is none, or nests more deeply than any answer of Azure. */
export function parseAnswer(text: string): unknown {
  if (text.trim() === '' || nestsDeeper(text, DEEPEST_ANSWER)) return undefined;
  try {
    // Some providers begin with a byte order mark, which JSON does not allow.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfText(text, at);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'"\\{}[]'].map((character) => character.charCodeAt(0));

/** Where the quote is that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return text.length;
}
