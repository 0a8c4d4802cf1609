// The comparison before lists were indexed: each element with each. The referee of large-lists.test.ts.
import { matching } from './quadratic-matching';
import { sameScalar } from '../../../engine/compare/scalars';
import type { Shape } from '../../../engine/compare/shape';
import { isRecord } from '../../../src/util/records';

/** One place at which Azure has something else than what is wanted. */
export interface Difference {
  /** JSON pointer into the request body, e.g. `/properties/sku/name`. */
  readonly path: string;
  readonly wanted: unknown;
  /** Undefined: Azure does not have it, or does not give it back. */
  readonly actual: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const NOTHING_KNOWN: Shape = {};
/** What tells the elements of a list apart; the first that all of them have. */
const ELEMENT_KEYS = ['name', 'id', 'key', 'ruleName', 'type'];

/**
 * Where a resource in Azure differs from the body that was to be sent. Only what is wanted is looked at: whatever Azure has besides are
 * defaults, or its own. In maps of the user's own keys and in lists, what is there besides counts as well, because a PUT would remove it.
 */
export function compare(wanted: Json, actual: unknown, shape: Shape): Difference[] {
  const differences: Difference[] = [];
  // The name is that of the URL. Some providers answer with another one (`default` becomes `DefaultManagementPolicy`).
  const { name: _, ...body } = wanted;
  compareValue(body, actual, shape, '', '', differences);
  return differences;
}

function compareValue(wanted: unknown, actual: unknown, shape: Shape, path: string, key: string, found: Difference[]): void {
  if (shape.secret || wanted === undefined) return;
  if (actual === undefined || actual === null) {
    if (!meansNothing(wanted, shape)) found.push({ path, wanted, actual: undefined });
  } else if (wanted === null) {
    if (!meansNothing(actual, shape)) found.push({ path, wanted, actual });
  } else if (Array.isArray(wanted)) {
    if (Array.isArray(actual)) compareLists(wanted, actual, shape, path, key, found);
    else found.push({ path, wanted, actual });
  } else if (isRecord(wanted)) {
    if (isRecord(actual)) compareObjects(wanted, actual, shape, path, found);
    else found.push({ path, wanted, actual });
  } else if (!sameScalar(wanted, actual, key, shape)) {
    found.push({ path, wanted, actual });
  }
}

function compareObjects(wanted: Json, actual: Json, shape: Shape, path: string, found: Difference[]): void {
  const theirs = lookup(actual);
  for (const [key, own] of Object.entries(wanted)) {
    compareValue(own, theirs(key), shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN, `${path}/${escaped(key)}`, key, found);
  }
  if (!shape.values) return;
  const ours = lookup(wanted);
  for (const [key, value] of Object.entries(actual)) {
    // Tags that Azure's portal keeps for itself (`hidden-title`, `hidden-link:…`).
    if (key.startsWith('hidden-')) continue;
    if (ours(key) === undefined && !Object.hasOwn(wanted, key)) found.push({ path: `${path}/${escaped(key)}`, wanted: undefined, actual: value });
  }
}

/** Exactly, else whatever the case: Azure compares names that way. */
function lookup(object: Json): (key: string) => unknown {
  let byLowerCase: Map<string, unknown> | undefined;
  return (key) => {
    if (Object.hasOwn(object, key)) return object[key];
    byLowerCase ??= new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
    return byLowerCase.get(key.toLowerCase());
  };
}

function compareLists(wanted: readonly unknown[], actual: readonly unknown[], shape: Shape, path: string, key: string, found: Difference[]): void {
  const element = shape.element ?? NOTHING_KNOWN;
  const pairs = paired(wanted, actual, element, key);
  pairs.forEach((other, index) => compareValue(wanted[index], other, element, `${path}/${index}`, key, found));
  if (actual.length > wanted.length) {
    const matched = new Set(pairs);
    const more = actual.filter((other) => !matched.has(other));
    if (more.length > 0) found.push({ path: `${path}/-`, wanted: undefined, actual: more });
  }
}

/** For each wanted element the one that Azure has in its place: by what tells elements apart, else an equal one; what is left over by place. */
function paired(wanted: readonly unknown[], actual: readonly unknown[], element: Shape, key: string): unknown[] {
  const name = ELEMENT_KEYS.find((candidate) => [...wanted, ...actual].every((item) => isRecord(item) && typeof item[candidate] === 'string') && isUnique(wanted, candidate));
  const equal = (at: number, other: number): boolean => {
    if (name !== undefined) return folded(wanted[at], name) === folded(actual[other], name);
    const differences: Difference[] = [];
    compareValue(wanted[at], actual[other], element, '', key, differences);
    return differences.length === 0;
  };
  const places = matching(wanted.length, actual.length, equal);
  const left = new Set(actual.keys());
  for (const place of places) if (place !== undefined) left.delete(place);
  const take = (index: number | undefined): number | undefined => {
    if (index !== undefined) left.delete(index);
    return index;
  };
  const inPlace = places.map((index, at) => index ?? (left.has(at) ? take(at) : undefined));
  return inPlace.map((index) => index ?? take([...left][0])).map((index) => (index === undefined ? undefined : actual[index]));
}

function isUnique(items: readonly unknown[], key: string): boolean {
  return new Set(items.map((item) => folded(item, key))).size === items.length;
}

function folded(item: unknown, key: string): string {
  return String((item as Json)[key]).toLowerCase();
}

/** Absent means the same: empty, off, zero. */
function meansNothing(wanted: unknown, shape: Shape): boolean {
  if (wanted === null || wanted === '' || wanted === false || wanted === 0) return true;
  if (Array.isArray(wanted)) return wanted.length === 0;
  if (!isRecord(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    const below = shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN;
    return below.secret || value === undefined || meansNothing(value, below);
  });
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
