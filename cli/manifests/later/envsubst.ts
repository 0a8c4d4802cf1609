import { capitalized, uncapitalized } from '../../../src/util/words';

/**
 * The functions of envsubst as Flux has them: `${NAME,,}`, `${NAME:0:3}`, `${NAME/a/b}`. Patterns with wildcards are not evaluated: what
 * they give is not known.
 * @see https://github.com/fluxcd/pkg/tree/main/envsubst
 */

const EXPRESSION = /^\$\{(?<length>#)?[A-Za-z_][A-Za-z0-9_]*(?<call>[^A-Za-z0-9_.].*)?\}$/s;
const CASES: Readonly<Record<string, (value: string) => string>> = {
  '^': capitalized,
  '^^': (value) => value.toUpperCase(),
  ',': uncapitalized,
  ',,': (value) => value.toLowerCase(),
};

/** The text in the place of an expression whose variable has the value; undefined where it is not known. */
export function evaluated(expression: string, value: string): string | undefined {
  const found = EXPRESSION.exec(expression);
  if (!found) return value;
  const { length, call = '' } = found.groups ?? {};
  // Flux counts bytes.
  const isAscii = /^[\0-\x7f]*$/.test(value);
  if (length !== undefined) return call === '' && isAscii ? String(value.length) : undefined;
  if (call === '') return value;
  if (Object.hasOwn(CASES, call)) return CASES[call]!(value);
  const otherwise = /^:?[-=](?<text>.*)$/s.exec(call);
  if (otherwise) return value === '' ? otherwise.groups?.text : value;
  const slice = /^:\s*(?<from>-?\d+)(?::(?<length>\d+))?$/.exec(call)?.groups;
  if (slice) return isAscii ? part(value, Number(slice.from), slice.length) : undefined;
  return trimmed(call, value) ?? replaced(call, value);
}

function part(value: string, from: number, length: string | undefined): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  return length === undefined ? value.slice(start) : value.slice(start, start + Number(length));
}

/** `#text` and `%text` take a text off the beginning or the end. */
function trimmed(call: string, value: string): string | undefined {
  const { sign, text } = /^(?<sign>##?|%%?)(?<text>[^*?[\]\\#%]+)$/s.exec(call)?.groups ?? {};
  if (sign === undefined || text === undefined) return undefined;
  if (sign.startsWith('#')) return value.startsWith(text) ? value.slice(text.length) : value;
  return value.endsWith(text) ? value.slice(0, -text.length) : value;
}

/** `/a/b`, `//a/b`, `/#a/b` and `/%a/b`: Flux takes the pattern as a text. */
function replaced(call: string, value: string): string | undefined {
  const { sign, old, by } = /^\/(?<sign>[/#%]?)(?<old>[^/\\*?[\]]+)\/(?<by>[^/\\]*)$/s.exec(call)?.groups ?? {};
  if (sign === undefined || old === undefined || by === undefined) return undefined;
  if (sign === '/') return value.replaceAll(old, () => by);
  if (sign === '#') return value.startsWith(old) ? by + value.slice(old.length) : value;
  if (sign === '%') return value.endsWith(old) ? value.slice(0, -old.length) + by : value;
  return value.replace(old, () => by);
}
