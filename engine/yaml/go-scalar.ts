/**
 * The meaning of a scalar of YAML to kubectl, which reads with Go's YAML library of version 2 (go.yaml.in/yaml/v2, `resolve.go`). Its rules
 * are YAML 1.1's with Go's own numbers: `012_3` is octal, `1e3` a number, `190:20:30` a text.
 */

const CONSTANTS = new Map<string, boolean | number | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((text) => [text, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((text) => [text, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((text) => [text, -Infinity] as const),
]);

const LONG_TAG = 'tag:yaml.org,2002:';
/** Tags of which a text can be a value; with any other tag, it stays a text. */
const RESOLVABLE: ReadonlySet<string> = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** A float that begins with its point may have Go's separators between digits. */
const POINT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
/** Forms of Go's integers; `0` alone begins an octal number as well as `0o`. */
const INTEGERS: readonly (readonly [form: RegExp, base: bigint])[] = [
  [/^0[xX]([0-9a-fA-F]+)$/, 16n],
  [/^0[oO]?([0-7]+)$/, 8n],
  [/^0[bB]([01]+)$/, 2n],
  [/^((?:0|[1-9][0-9]*))$/, 10n],
];
const [MIN_INT64, MAX_INT64, MAX_UINT64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];

export type ScalarValue = string | number | boolean | null;

/** A scalar that kubectl refuses. */
export class ScalarError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'ScalarError';
  }
}

/**
 * @param text the text of the scalar, without its quotes
 * @param isPlain whether it stands without quotes, and is no block
 * @param tag its tag, if it has one: `tag:yaml.org,2002:str`
 * @throws ScalarError
 */
export function scalarValue(text: string, isPlain: boolean, tag?: string): ScalarValue {
  if (tag === undefined || tag === '') return isPlain ? plainValue(text) : text;
  const name = tag.startsWith(LONG_TAG) ? tag.slice(LONG_TAG.length) : undefined;
  if (name === 'binary') return binaryValue(text);
  if (name === undefined || name === 'str' || !RESOLVABLE.has(name)) return text;
  const value = plainValue(text);
  const found = typeNameOf(value, text);
  if (found === name || (found === 'int' && name === 'float')) return value;
  throw new ScalarError(`cannot decode !!${found} \`${text}\` as a !!${name}`);
}

/** The meaning of a text without quotes and without a tag. */
export function plainValue(text: string): ScalarValue {
  // Most texts are words; the first letter tells.
  if (text !== '' && !/^[-+.0-9yYnNtTfFoO~]/.test(text)) return text;
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) return constant;
  if (text.startsWith('.')) return POINT_FLOAT.test(text) ? finite(Number(text.replaceAll('_', ''))) ?? text : text;
  if (!/^[-+0-9]/.test(text) || isTimestamp(text)) return text;
  const plain = text.replaceAll('_', '');
  const integer = integerValue(plain);
  if (integer !== undefined) return Number(integer);
  if (FLOAT.test(plain)) return finite(Number(plain)) ?? text;
  const bits = binaryDigits(plain);
  return bits === undefined ? text : Number(bits);
}

/** As Go's `ParseInt(text, 0, 64)` and, for a text without a sign, `ParseUint`. */
function integerValue(text: string): bigint | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/s.exec(text)!;
  for (const [form, base] of INTEGERS) {
    const found = form.exec(digits)?.[1];
    if (found === undefined) continue;
    const value = bigintOf(found, base) * (sign === '-' ? -1n : 1n);
    return value >= MIN_INT64 && value <= (sign === '' ? MAX_UINT64 : MAX_INT64) ? value : undefined;
  }
  return undefined;
}

/** Binary numbers with a sign behind their prefix, which the library takes as well: `0b-11`. */
function binaryDigits(text: string): bigint | undefined {
  const [, sign, digits] = /^(?:0b([-+])|-0b)([01]+)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = bigintOf(digits, 2n) * (sign === '+' ? 1n : -1n);
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}

function bigintOf(digits: string, base: bigint): bigint {
  const prefix = { 2: '0b', 8: '0o', 10: '', 16: '0x' }[Number(base)]!;
  // No 64 bits have more digits, and a long text takes the square of the time.
  const significant = digits.replace(/^0+(?=.)/, '');
  return significant.length > 64 ? MAX_UINT64 + 1n : BigInt(`${prefix}${significant}`);
}

/** Go refuses a number that is out of range, and the text stays a text. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
/** Behind a date: nothing, a time with its zone, or a time without one behind a space. */
const TIME = /^(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** Dates stay texts; only an explicit tag asks whether a text is one. */
function isTimestamp(text: string): boolean {
  const [date = '', year, month, day] = DATE.exec(text) ?? [];
  const time = TIME.exec(text.slice(date.length));
  if (date === '' || !time) return false;
  const [hour = 0, minute = 0, second = 0] = time.slice(1).filter((part) => part !== undefined).map(Number);
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1
    && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return isDay && hour < 24 && minute < 60 && second < 60;
}

function typeNameOf(value: ScalarValue, text: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return isTimestamp(text) ? 'timestamp' : 'str';
  const plain = text.replaceAll('_', '');
  return integerValue(plain) === undefined && binaryDigits(plain) === undefined ? 'float' : 'int';
}

function binaryValue(text: string): string {
  const digits = text.replace(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) {
    throw new ScalarError('!!binary value contains invalid base64 data');
  }
  return Buffer.from(digits, 'base64').toString('utf8');
}

/**
 * The text of a key, which is a text in JSON whatever it is in YAML: `on: 1` has the key `true`.
 * @throws ScalarError for null and numbers over 63 bits, which kubectl takes for no keys
 */
export function keyText(value: ScalarValue, source: string): string {
  if (value === null) throw new ScalarError('a key is null');
  if (typeof value !== 'number') return String(value);
  const plain = source.replaceAll('_', '');
  const integer = integerValue(plain) ?? binaryDigits(plain);
  if (integer === undefined) return float32Text(value);
  if (integer > MAX_INT64) throw new ScalarError(`the key ${source} is too large a number`);
  return integer.toString();
}

/** From a million on, Go's format `g` has an exponent. */
const FIRST_EXPONENT = 6;

/** The library's text of a float: the shortest that is the same number in 32 bits, as Go's format `g` writes it. */
function float32Text(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single < 0 ? '-.inf' : '.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let text = single.toExponential();
  for (let digits = 0; digits <= 9; digits += 1) {
    const shorter = single.toExponential(digits);
    if (Math.fround(Number(shorter)) !== single) continue;
    text = shorter;
    break;
  }
  const [mantissa = '', exponent = '0'] = text.split('e');
  const power = Number(exponent);
  if (power >= -4 && power < FIRST_EXPONENT) return String(Number(text));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
