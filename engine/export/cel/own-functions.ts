import { currentBudget, spend, spendText, STEPS_A_TIME } from './budget';
import type { CelType, Node } from './internals';
import { allNodes } from './internals';
import { matches } from './regular-expression';
import { indexIn, lastIndexIn } from './text-search';

/** Functions of the engine that ASO's dialect does not have: they must not compile, or an object would work only with this controller. */
const REFUSED_OF_BYTES: readonly string[] = ['json', 'hex', 'string', 'base64', 'at'];

/** The first use of a function that ASO's dialect does not have, or undefined. Call it after the type check. */
export function refusedUse(root: unknown): { readonly node: Node; readonly message: string } | undefined {
  for (const node of allNodes(root)) {
    const message = node.op === 'rcall' ? refusedMethod(node) : node.op === '[]' || node.op === '[?]' ? refusedIndex(node) : undefined;
    if (message !== undefined) return { node, message };
  }
  return undefined;
}

function refusedMethod({ args }: Node): string | undefined {
  const [name, receiver] = args as [string, Node];
  const type = receiver.checkedType?.name;
  // The type check skips the receiver of a macro.
  if (receiver.op === 'id' && receiver.args === 'cel') return `undeclared reference to 'cel.${name}' (in container '')`;
  const isRefused = (type === 'bytes' || type === 'dyn') && REFUSED_OF_BYTES.includes(name);
  return isRefused ? `found no matching overload for '${name}' applied to '${type}.()'` : undefined;
}

function refusedIndex({ left }: Node): string | undefined {
  const type: CelType | undefined = left?.checkedType;
  if (type?.kind !== 'message') return undefined;
  return `found no matching overload for '_[_]' applied to '(${type.name}, string)': members of objects are selected with a dot`;
}

/** The longest valid duration, `-2562047h47m16.854775808s`, has 24 characters. */
const LONGEST_DURATION = 100;

type Handler = (...args: never[]) => unknown;

/**
 * Replacements for string functions, by name: CEL counts characters, the engine UTF-16 units, and CEL's case functions only change ASCII.
 */
const OF_TEXT: Readonly<Record<string, Handler>> = {
  lowerAscii: (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  upperAscii: (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  substring: (text: string, from: bigint, to?: bigint) => {
    const characters = [...text];
    const [begin, end] = [Number(from), to === undefined ? characters.length : Number(to)];
    if (begin < 0 || begin > characters.length) throw new Error(`index out of range: ${begin}`);
    if (end < 0 || end > characters.length) throw new Error(`index out of range: ${end}`);
    if (begin > end) throw new Error(`invalid substring range. start: ${begin}, end: ${end}`);
    return characters.slice(begin, end).join('');
  },
  indexOf: (text: string, wanted: string, from = 0n) => found([...text], [...wanted], Number(from), 1),
  lastIndexOf: (text: string, wanted: string, from?: bigint) =>
    found([...text], [...wanted], Number(from ?? [...text].length), -1, from !== undefined),
  contains: (text: string, wanted: string) => indexIn(text, wanted, 0) >= 0,
  matches: (text: string, pattern: string) => matches(text, pattern, currentBudget()),
  split: (text: string, separator: string, most = -1n) =>
    split(separator === '' ? [...text] : separated(text, separator), separator, Number(most)),
};

const OF_TIME = new Map<string, (time: Date) => number>([
  ['getDate', (time) => time.getUTCDate()],
  ['getDayOfMonth', (time) => time.getUTCDate() - 1],
  ['getDayOfWeek', (time) => time.getUTCDay()],
  ['getDayOfYear', (time) => Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / 86_400_000)],
  ['getFullYear', (time) => time.getUTCFullYear()],
  ['getHours', (time) => time.getUTCHours()],
  ['getMilliseconds', (time) => time.getUTCMilliseconds()],
  ['getMinutes', (time) => time.getUTCMinutes()],
  ['getMonth', (time) => time.getUTCMonth()],
  ['getSeconds', (time) => time.getUTCSeconds()],
]);

/** Replaces functions of the engine by those of this folder. Call it after the type check. */
export function withOwnFunctions(root: unknown): void {
  for (const node of allNodes(root)) {
    if (node.op === 'rcall' && node.handle) node.handle = method((node.args as [string])[0], node.handle);
    else if (node.op === 'call' && node.handle && (node.args as [string])[0] === 'int') node.handle = intOf(node.handle);
    else if (node.op === 'call' && node.handle && (node.args as [string])[0] === 'duration') node.handle = durationOf(node.handle);
    else if (node.op === '+' && node.handle) node.handle = sum(node.handle);
  }
}

type Handle = NonNullable<Node['handle']>;

function method(name: string, otherwise: Handle): Handle {
  return (first, ...rest) => {
    const args = first as unknown[];
    const [receiver] = args;
    if (typeof receiver === 'string' && Object.hasOwn(OF_TEXT, name)) return (OF_TEXT[name] as (...args: unknown[]) => unknown)(...args);
    if (receiver instanceof Date && OF_TIME.has(name)) return BigInt(OF_TIME.get(name)!(inZone(receiver, args[1])));
    if (name === 'join' && Array.isArray(receiver)) spendText(joinedLength(receiver, args[1]));
    return otherwise(first, ...rest);
  };
}

/** `int("")` is an error, and CEL has neither binary nor octal numbers. */
function intOf(otherwise: Handle): Handle {
  return (first, ...rest) => {
    const [value] = first as unknown[];
    if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw new Error('int() type error: cannot convert to int');
    return otherwise(first, ...rest);
  };
}

/** The engine's pattern for durations takes cubic time. */
function durationOf(otherwise: Handle): Handle {
  return (first, ...rest) => {
    const [value] = first as unknown[];
    if (typeof value === 'string' && value.length > LONGEST_DURATION) {
      throw new Error(`duration() takes no text of more than ${LONGEST_DURATION} characters`);
    }
    return otherwise(first, ...rest);
  };
}

function sum(otherwise: Handle): Handle {
  return (left, right, ...rest) => {
    if (typeof left === 'string' && typeof right === 'string') spendText(left.length + right.length);
    return otherwise(left, right, ...rest);
  };
}

function joinedLength(list: readonly unknown[], separator: unknown): number {
  const between = typeof separator === 'string' ? separator.length * Math.max(list.length - 1, 0) : 0;
  return list.reduce<number>((length, element) => length + (typeof element === 'string' ? element.length : 0), between);
}

function found(
  text: readonly string[],
  wanted: readonly string[],
  from: number,
  direction: 1 | -1,
  isGiven = direction === 1 && from !== 0,
): bigint {
  if (from < 0 || (isGiven && from >= text.length && wanted.length > 0)) throw new Error(`index out of range: ${from}`);
  if (wanted.length === 0) return BigInt(Math.min(from, text.length));
  return BigInt(direction === 1 ? indexIn(text, wanted, from) : lastIndexIn(text, wanted, from));
}

function separated(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let begin = 0;
  for (let at = indexIn(text, separator, 0); at >= 0; at = indexIn(text, separator, begin)) {
    pieces.push(text.slice(begin, at));
    begin = at + separator.length;
  }
  return [...pieces, text.slice(begin)];
}

function split(parts: readonly string[], separator: string, most: number): readonly string[] {
  if (most === 0) return [];
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

/** A time whose UTC members equal the local members in the zone: a name of the IANA database, or an offset. */
function inZone(time: Date, zone: unknown): Date {
  if (typeof zone !== 'string' || zone === 'UTC') return time;
  const [, sign, hours, minutes] = /^([+-]?)(\d{1,2}):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) return new Date(time.getTime() + (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000);
  const parts = zoned(time, zone);
  const member = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const [hour, minute, second] = ['hour', 'minute', 'second'].map(member);
  return new Date(Date.UTC(member('year'), member('month') - 1, member('day'), hour, minute, second, time.getUTCMilliseconds()));
}

function zoned(time: Date, zone: string): Intl.DateTimeFormatPart[] {
  spend(STEPS_A_TIME);
  const digits = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', year: digits, month: digits, day: digits, hour: digits, minute: digits, second: digits,
    }).formatToParts(time);
  } catch {
    throw new Error(`unknown time zone ${zone}`);
  }
}
