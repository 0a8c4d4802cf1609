import { Comparison, different, Path, SAME, together } from './comparison';
import { describe } from './describe';
import { Matcher } from './matcher';
import { nearest } from '../util/nearest';
import { isRecord } from '../util/records';

/** How a literal object in a pattern matches. */
export enum Objects {
  /** The object may have further properties. */
  PARTIAL,
  /** The object has exactly these properties. */
  EXACT,
}

/** Compares a value to a pattern: a matcher, or a literal that may contain matchers at any depth. */
export function compare(pattern: unknown, actual: unknown, path: Path, objects: Objects): Comparison {
  if (Matcher.isMatcher(pattern)) return (pattern as Matcher)._compare(actual, path);
  if (Array.isArray(pattern)) return compareArrays(pattern, actual, path, objects);
  if (isObject(pattern)) return compareObjects(pattern, actual, path, objects);
  return Object.is(pattern, actual) ? SAME : different({ path, want: describe(pattern), cost: 1 });
}

/** The number of values that a pattern requires. */
export function weight(pattern: unknown): number {
  if (Matcher.isMatcher(pattern)) return (pattern as Matcher)._weight();
  if (typeof pattern !== 'object' || pattern === null) return 1;
  return Math.max(1, Object.values(pattern).reduce<number>((sum, member) => sum + weight(member), 0));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !Matcher.isMatcher(value);
}

function compareArrays(pattern: readonly unknown[], actual: unknown, path: Path, objects: Objects): Comparison {
  if (!Array.isArray(actual)) return different({ path, want: describe(pattern), cost: weight(pattern) });
  const parts: Comparison[] = [];
  for (let index = 0; index < Math.max(pattern.length, actual.length); index++) {
    if (index < pattern.length) parts.push(compare(pattern[index], actual[index], [...path, index], objects));
    else parts.push(different({ path: [...path, index], want: `nothing: a list of ${pattern.length}`, cost: weight(actual[index]) }));
  }
  return together(parts);
}

function compareObjects(pattern: Record<string, unknown>, actual: unknown, path: Path, objects: Objects): Comparison {
  if (!isObject(actual)) return different({ path, want: describe(pattern), cost: weight(pattern) });
  const unknown = Object.keys(actual).filter((key) => !Object.hasOwn(pattern, key) && actual[key] !== undefined);
  const parts = Object.entries(pattern).map(([key, wanted]) => {
    const value = Object.hasOwn(actual, key) ? actual[key] : undefined;
    const comparison = compare(wanted, value, [...path, key], objects);
    const similar = value === undefined ? nearest(key, unknown) : undefined;
    if (similar === undefined) return comparison;
    const got = `nothing (there is '${similar}')`;
    return { ...comparison, differences: comparison.differences.map((difference) => ({ got, ...difference })) };
  });
  if (objects === Objects.EXACT) {
    parts.push(
      ...unknown.map((key) =>
        different({
          path: [...path, key],
          want: 'nothing (the object is compared whole here; Match.objectLike allows for more)',
          cost: weight(actual[key]),
        }),
      ),
    );
  }
  return together(parts);
}
