import { spendText } from './budget';

/** `format` of CEL's strings extension. */

const CLAUSE = /%(?:\.(\d+))?(.)/gsu;
const MOST_DIGITS = 100;

/** @throws Error for a clause that is unknown or does not fit its argument. */
export function formatted(template: string, args: readonly unknown[]): string {
  let next = 0;
  const text = template.replace(CLAUSE, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= args.length) throw new Error(`index ${next} out of range`);
    return clause(verb, args[next++], precision === undefined ? undefined : Math.min(Number(precision), MOST_DIGITS));
  });
  if (trailing(template, '%') % 2 === 1) throw new Error('unexpected end of string');
  return text;
}

/** Number of times that a text ends with a character. */
function trailing(text: string, character: string): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === character) count += 1;
  return count;
}

function clause(verb: string, value: unknown, precision: number | undefined): string {
  switch (verb) {
    case 's':
      return formatValue(value);
    case 'd':
      return typeof value === 'number' ? infinite(value, verb) : integer(value, verb).toString();
    case 'f':
      return Number.isFinite(real(value, verb)) ? real(value, verb).toFixed(precision ?? 6) : formatValue(real(value, verb));
    case 'e':
      return exponent(real(value, verb), precision ?? 6);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integer(value, verb).toString(2);
    case 'o':
      return integer(value, verb).toString(8);
    case 'x':
      return hexadecimal(value, verb);
    case 'X':
      return hexadecimal(value, verb).toUpperCase();
    default:
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

/** A value in the format of `%s`. */
export function formatValue(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? `${value}` : value > 0 ? 'Infinity' : '-Infinity';
  }
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (Array.isArray(value)) return `[${joined(value.map(formatValue))}]`;
  const entries = value instanceof Map ? [...value] : value.constructor === Object ? Object.entries(value) : undefined;
  if (!entries) {
    const text = String(value);
    if (text.startsWith('[object')) throw new Error('error during formatting: %s needs text, a number, a list or a map, not an object');
    return text;
  }
  const texts = entries.map(([key, element]) => `${formatValue(key)}: ${formatValue(element)}`);
  return `{${joined(texts.sort())}}`;
}

/** Each level of lists and maps copies the text of all levels below it. */
function joined(texts: readonly string[]): string {
  spendText(texts.reduce((length, text) => length + text.length + 2, 0));
  return texts.join(', ');
}

function integer(value: unknown, verb: string): bigint {
  const plain = value !== null && typeof value === 'object' && !(value instanceof Date) ? value.valueOf() : value;
  if (typeof plain !== 'bigint') throw new Error(`error during formatting: %${verb} needs an integer, not ${typeOf(value)}`);
  return plain;
}

function real(value: unknown, verb: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw new Error(`error during formatting: %${verb} needs a number, not ${typeOf(value)}`);
}

function infinite(value: number, verb: string): string {
  if (Number.isFinite(value)) throw new Error(`error during formatting: %${verb} needs an integer, not double`);
  return formatValue(value);
}

function exponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatValue(value);
  return value.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');
}

function hexadecimal(value: unknown, verb: string): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integer(value, verb).toString(16);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number'
    ? 'double'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'object'
        ? 'an object'
        : typeof value;
}
