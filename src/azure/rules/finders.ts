import { ofMembers, type AzureSubject, type Find, type Violation } from './rule';
import { valuesAt, type ValueAt } from './values';
import { parseAddress } from '../../util/cidr';
import { secondsOfDuration } from '../../util/iso-duration';
import type { Struct } from '../../util/records';

/** A number between two bounds, both included. */
export function between(path: string, least: number, most: number, unit = ''): Find {
  const bounds = `${least} to ${most}${unit && ` ${unit}`}`;
  return eachNumber(path, (value) => (value < least || value > most ? [`is ${value}`, `write a number from ${bounds}`] : undefined));
}

/** A number of a list. */
export function numberOf(path: string, allowed: readonly number[]): Find {
  return eachNumber(path, (value) => (allowed.includes(value) ? undefined : [`is ${value}`, `write one of ${allowed.join(', ')}`]));
}

/** A multiple of a number. */
export function multipleOf(path: string, step: number): Find {
  return eachNumber(path, (value) => (value % step === 0 ? undefined : [`is ${value}`, `write a multiple of ${step}`]));
}

/** A whole number between two bounds, and some other numbers. */
export function betweenOr(others: readonly number[], path: string, least: number, most: number, unit = ''): Find {
  const bounds = `${least} to ${most}${unit && ` ${unit}`}, or ${others.join(', ')}`;
  return eachNumber(path, (value) =>
    ((value >= least && value <= most) || others.includes(value) ? undefined : [`is ${value}`, `write a number from ${bounds}`]));
}

/** A word of a list, in any case. */
export function wordOf(path: string, allowed: readonly string[]): Find {
  const words = new Set(allowed.map((word) => word.toLowerCase()));
  return eachText(path, (value) => (words.has(value.toLowerCase()) ? undefined : [`is '${value}'`, `write one of ${allowed.join(', ')}`]));
}

/** An ISO 8601 duration between two others, both included. */
export function durationBetween(path: string, least: string, most: string): Find {
  const [from, to] = [secondsOfDuration(least)!, secondsOfDuration(most)!];
  return eachText(path, (value) => {
    const seconds = secondsOfDuration(value);
    if (seconds === undefined) return [`'${value}' is no ISO 8601 duration`, `write it like ${most}`];
    return seconds < from || seconds > to ? [`is ${value}`, `write a duration from ${least} to ${most}`] : undefined;
  });
}

/** An ISO 8601 duration of a list. */
export function durationOf(path: string, allowed: readonly string[]): Find {
  const seconds = new Set(allowed.map(secondsOfDuration));
  return eachText(path, (value) => (seconds.has(secondsOfDuration(value)) ? undefined : [`is '${value}'`, `write one of ${allowed.join(', ')}`]));
}

/** A text that fits a pattern; `how` is the fix. */
export function fits(path: string, pattern: RegExp, what: string, how: string): Find {
  return eachText(path, (value) => (pattern.test(value) ? undefined : [`'${value}' is ${what}`, how]));
}

/** A text that is none of some words, in any case. */
export function noneOf(path: string, reserved: readonly string[], how: string): Find {
  return eachText(path, (value) => (reserved.includes(value.toLowerCase()) ? [`'${value}' is reserved`, how] : undefined));
}

/** An IPv4 address. */
export function ipv4(path: string): Find {
  return eachText(path, (value) => (parseAddress(value)?.bits === 32 ? undefined : [`'${value}' is no IPv4 address`, 'write four numbers of 0 to 255']));
}

/** An IPv6 address. */
export function ipv6(path: string): Find {
  return eachText(path, (value) =>
    (parseAddress(value)?.bits === 128 ? undefined : [`'${value}' is no IPv6 address`, 'write up to eight groups of hexadecimal digits']));
}

/** A range whose first address is not above its last one. */
export function addressRange(start: string, end: string): Find {
  return ofMembers([start], ({ spec }) => {
    const [first, last] = [valuesAt(spec, start)[0], valuesAt(spec, end)[0]];
    const [from, to] = [first, last].map((at) => (typeof at?.value === 'string' ? parseAddress(at.value) : undefined));
    if (!from || !to || from.value <= to.value) return [];
    return [{ field: end, message: `${String(last!.value)} is below ${String(first!.value)}`, fix: 'write the lower address first' }];
  });
}

/** Values of a list that differ from each other. */
export function unique(path: string, what: string): Find {
  return ofMembers([path], ({ spec }) => {
    const seen = new Map<unknown, string>();
    return valuesAt(spec, path).flatMap(({ field, value }) => {
      const key = typeof value === 'string' ? value.toLowerCase().replace(/ /g, '') : value;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, field);
      return first === undefined ? [] : [{ field, message: `${what} ${String(value)} is taken by ${first}; each has to be unique`, fix: 'give each its own' }];
    });
  });
}

/** At most so many items in a list. */
export function atMost(path: string, most: number, what: string): Find {
  return eachValue(path, ({ value }) =>
    (Array.isArray(value) && value.length > most ? [`has ${value.length} ${what}`, `give at most ${most}`] : undefined));
}

/** A text of so many characters. */
export function lengthBetween(path: string, least: number, most: number): Find {
  return eachText(path, (value) =>
    (value.length < least || value.length > most ? [`has ${value.length} characters`, `write ${least} to ${most}`] : undefined));
}

/** Members that are allowed only under a condition of the spec. */
export function onlyIf(
  paths: readonly string[],
  condition: (subject: AzureSubject) => boolean | undefined,
  why: string,
  fix: string,
): Find {
  return ofMembers(paths, (subject) => {
    const found = paths.flatMap((path) => valuesAt(subject.spec, path).filter(isSet));
    return found.length > 0 && condition(subject) === false ? found.map(({ field }) => ({ field, message: why, fix })) : [];
  });
}

/** Members that are needed under a condition of the spec. */
export function neededIf(path: string, condition: (spec: Struct) => boolean, why: string, fix: string): Find {
  return ({ spec }) => (condition(spec) && !valuesAt(spec, path).some(isSet) ? [{ field: path, message: why, fix }] : []);
}

/** Members of which only one may be given. */
export function exclusive(one: string, other: string): Find {
  return ofMembers([one], ({ spec }) => {
    const [first, second] = [valuesAt(spec, one).filter(isSet), valuesAt(spec, other).filter(isSet)];
    if (first.length === 0 || second.length === 0) return [];
    return [{ field: second[0]!.field, message: `${other} and ${one} exclude each other`, fix: 'give one of them' }];
  });
}

/** False, an empty list and an empty text ask for nothing. */
function isSet({ value }: ValueAt): boolean {
  return value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
}

type Problem = readonly [message: string, fix: string] | undefined;

export function eachText(path: string, problem: (value: string, at: ValueAt) => Problem): Find {
  return eachValue(path, (at) => (typeof at.value === 'string' ? problem(at.value, at) : undefined));
}

export function eachNumber(path: string, problem: (value: number, at: ValueAt) => Problem): Find {
  return eachValue(path, (at) => (typeof at.value === 'number' ? problem(at.value, at) : undefined));
}

function eachValue(path: string, problem: (at: ValueAt) => Problem): Find {
  return ofMembers([path], ({ spec }) => {
    const violations: Violation[] = [];
    for (const at of valuesAt(spec, path)) {
      const found = problem(at);
      if (found) violations.push({ field: at.field, message: found[0], fix: found[1] });
    }
    return violations;
  });
}
