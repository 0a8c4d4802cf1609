import { plainValue } from './go-scalar';
import { visibleLiteral, visibleText } from '../../src/azure/visible-text';
import { isRecord } from '../../src/util/records';

/** Beyond this, Go's library does not find the colon of a key. */
const MAX_KEY = 500;

/** A text that could be taken for a number or a date by a reader of YAML 1.1 or 1.2, or for an octal number with a tag of its own. */
const NUMBER_LIKE = /^[-+]?(?:0[xX][\da-fA-F_]*|0[bBoO][\d_]*|[.\d][\d_.,:]*(?:[eE][-+]?[\d_]*)?|\d{4}-\d.*)$/;
/** A text without quotes begins so, and nothing in it begins a value, a key or a comment. */
const PLAIN_BEGIN = /^[\p{L}\p{N}/_.$(+~^;\\=<]/u;
const NOT_PLAIN = /[^\S ]| (?![^\s:#])|:(?!\S)/;
const WORDS = /^(?:~|[-+]?\.?e[-+]?\d+|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|<<|=|-+|\.+)$/i;

/** Objects as documents of YAML that kubectl, and any other reader of YAML 1.1 or 1.2, reads back as the same values. */
export function formatYamlDocuments(objects: readonly unknown[]): string {
  return objects.map((object) => `---\n${formatYaml(object)}`).join('');
}

/** A value of JSON as YAML in block style, with a newline at its end. Characters that do not show are escapes. */
export function formatYaml(value: unknown): string {
  const lines: string[] = [];
  write(value, '', '', lines);
  return `${lines.join('\n')}\n`;
}

/**
 * @param prefix text before the value on its line: `name:` or `-`
 * @param indent of what stands on lines of its own
 */
function write(value: unknown, prefix: string, indent: string, lines: string[]): void {
  const json = toJson(value);
  const begin = prefix === '' ? '' : `${prefix} `;
  if (Array.isArray(json) && json.length > 0) return writeList(json, prefix, indent, lines);
  if (isRecord(json) && Object.values(json).some((item) => toJson(item) !== undefined)) return writeMap(json, prefix, indent, lines);
  if (typeof json === 'string') return writeText(json, begin, indent, lines);
  lines.push(`${begin}${Array.isArray(json) ? '[]' : isRecord(json) ? '{}' : JSON.stringify(json ?? null)}`);
}

function writeList(items: readonly unknown[], prefix: string, indent: string, lines: string[]): void {
  const isInner = prefix.endsWith('-');
  if (prefix !== '' && !isInner) lines.push(prefix);
  for (const [index, item] of items.entries()) {
    const first = isInner && index === 0 ? `${prefix} ` : indent;
    write(item, `${first}-`, `${indent}  `, lines);
  }
}

function writeMap(map: Readonly<Record<string, unknown>>, prefix: string, indent: string, lines: string[]): void {
  const isInner = prefix.endsWith('-');
  if (prefix !== '' && !isInner) lines.push(prefix);
  let isFirst = true;
  for (const [key, item] of Object.entries(map)) {
    if (toJson(item) === undefined) continue;
    const text = scalarText(key);
    const name = text.length > MAX_KEY ? `? ${text}\n${indent}:` : `${text}:`;
    write(item, `${isInner && isFirst ? `${prefix} ` : indent}${name}`, `${indent}  `, lines);
    isFirst = false;
  }
}

function writeText(text: string, begin: string, indent: string, lines: string[]): void {
  if (!isBlock(text)) {
    lines.push(`${begin}${scalarText(text)}`);
    return;
  }
  lines.push(`${begin}|${text.endsWith('\n') ? '' : '-'}`);
  const inner = indent === '' ? '  ' : indent;
  for (const line of text.replace(/\n$/, '').split('\n')) lines.push(line === '' ? '' : `${inner}${line}`);
}

/** Lines that are printed as they are: shown as a whole, without spaces at an end, or lines that are empty at the beginning or the end. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || !/^[^\s]/.test(text) || /[ \t\r]$/m.test(text) || /\n\n$/.test(text)) return false;
  return text.split('\n').every((line) => visibleText(line) === line && !line.startsWith('\t'));
}

/** A text on one line, in quotes where it would be something else without them. */
function scalarText(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

function isPlain(text: string): boolean {
  if (!PLAIN_BEGIN.test(text) || NOT_PLAIN.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (NUMBER_LIKE.test(text) || WORDS.test(text)) return false;
  return visibleText(text) === text && plainValue(text) === text;
}

/** In double quotes; each character that does not show is an escape, of eight digits where four are too few. */
function quoted(text: string): string {
  // No text in UTF-8 has a half of a pair of surrogates.
  const whole = text.replace(/\p{Cs}/gu, '\uFFFD');
  const supplementary = /[\u{10000}-\u{10FFFF}]/gu;
  return visibleLiteral(JSON.stringify(whole).replace(supplementary, (character) => (
    visibleText(character) === character ? character : `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`
  )));
}

/** As `JSON.stringify` takes a value: dates are texts, and what JSON has not is undefined. */
function toJson(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function') return JSON.parse(JSON.stringify(value));
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}
