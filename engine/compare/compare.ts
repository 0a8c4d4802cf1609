import { candidatesOf } from './candidates';
import { matching } from './matching';
import { sameScalar } from './scalars';
import type { Shape } from './shape';
import { pointerStep } from '../../src/util/json-pointer';
import { isRecord } from '../../src/util/records';
import { asText } from '../../src/util/words';

/** A place at which the resource in Azure differs from the wanted body. */
export interface Difference {
  /** JSON pointer into the request body, e.g. `/properties/sku/name`. */
  readonly path: string;
  readonly wanted: unknown;
  /** Undefined: Azure does not have the value, or does not return it. */
  readonly actual: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const NOTHING_KNOWN: Shape = {};
/** Keys that identify the elements of a list; the first key that all elements have is used. */
const ELEMENT_KEYS = ['name', 'id', 'key', 'ruleName', 'type'];

/**
 * Maximum number of values visited to pair the elements of lists (about 0.2 s). Bodies have thousands. Beyond it, elements are compared at
 * their own places, so elements that Azure has moved count as differences and are sent once more.
 */
const MOST_LOOKED_AT = 300_000;
/** Cost of a list besides its values: finding the key that identifies its elements. */
const LIST_COST = 20;

/**
 * The differences between a resource in Azure and the body to send. Only wanted values are compared: other values in Azure are defaults or
 * set by Azure. In maps with keys of the user and in lists, additional values count as well, because a PUT would remove them.
 */
export function compare(wanted: Json, actual: unknown, shape: Shape): Difference[] {
  // The URL determines the name. Some providers return another one (`default` becomes `DefaultManagementPolicy`).
  const { name: _, ...body } = wanted;
  return new Comparison().differences(body, actual, shape, '', '');
}

class Comparison {
  private left = MOST_LOOKED_AT;

  public differences(wanted: unknown, actual: unknown, shape: Shape, path: string, key: string): Difference[] {
    const found: Difference[] = [];
    this.compareValue(wanted, actual, shape, path, key, found);
    return found;
  }

  private compareValue(wanted: unknown, actual: unknown, shape: Shape, path: string, key: string, found: Difference[]): void {
    this.left -= 1;
    if (shape.secret || wanted === undefined) return;
    if (actual === undefined || actual === null) {
      if (!meansNothing(wanted, shape)) found.push({ path, wanted, actual: undefined });
    } else if (wanted === null) {
      // An explicit null removes the existing value.
      if (!shape.filledByAzure && !meansNothing(actual, shape)) found.push({ path, wanted, actual });
    } else if (Array.isArray(wanted)) {
      if (Array.isArray(actual)) this.compareLists(wanted, actual, shape, path, key, found);
      else found.push({ path, wanted, actual });
    } else if (isRecord(wanted)) {
      if (isRecord(actual)) this.compareObjects(wanted, actual, shape, path, found);
      else found.push({ path, wanted, actual });
    } else if (!sameScalar(wanted, actual, key, shape)) {
      found.push({ path, wanted, actual });
    }
  }

  private compareObjects(wanted: Json, actual: Json, shape: Shape, path: string, found: Difference[]): void {
    const theirs = lookup(actual);
    for (const [key, own] of Object.entries(wanted)) {
      this.compareValue(
        own,
        theirs(key),
        shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN,
        `${path}/${pointerStep(key)}`,
        key,
        found,
      );
    }
    if (!shape.values) return;
    const ours = lookup(wanted);
    for (const [key, value] of Object.entries(actual)) {
      // Azure's portal reserves some tags (`hidden-title`, `hidden-link:…`).
      if (key.startsWith('hidden-')) continue;
      if (ours(key) === undefined && !Object.hasOwn(wanted, key)) {
        found.push({ path: `${path}/${pointerStep(key)}`, wanted: undefined, actual: value });
      }
    }
  }

  private compareLists(
    wanted: readonly unknown[],
    actual: readonly unknown[],
    shape: Shape,
    path: string,
    key: string,
    found: Difference[],
  ): void {
    const element = shape.element ?? NOTHING_KNOWN;
    const { places, known } = this.paired(wanted, actual, element, key);
    places.forEach((place, index) => {
      const differences = place === index ? known.get(index) : undefined;
      // Already compared; comparing again for each enclosing list would take 2ⁿ steps.
      if (differences) for (const difference of differences) found.push({ ...difference, path: `${path}/${index}${difference.path}` });
      else this.compareValue(wanted[index], place === undefined ? undefined : actual[place], element, `${path}/${index}`, key, found);
    });
    if (actual.length > wanted.length) {
      const matched = new Set(places.map((place) => (place === undefined ? undefined : actual[place])));
      const more = actual.filter((other) => !matched.has(other));
      if (more.length > 0) found.push({ path: `${path}/-`, wanted: undefined, actual: more });
    }
  }

  /**
   * For each wanted element the place of its counterpart in Azure: by identifying key, else an equal element; the remaining ones by place.
   * `known` has the differences of elements at their own places, as far as they were computed.
   */
  private paired(wanted: readonly unknown[], actual: readonly unknown[], element: Shape, key: string): Pairing {
    this.left -= LIST_COST + wanted.length + actual.length;
    const known = new Map<number, readonly Difference[]>();
    const name = ELEMENT_KEYS.find(
      (candidate) =>
        [...wanted, ...actual].every((item) => isRecord(item) && typeof item[candidate] === 'string') && isUnique(wanted, candidate),
    );
    const equal = (at: number, other: number): boolean => {
      if (this.left <= 0) return false;
      const differences = this.differences(wanted[at], actual[other], element, '', key);
      if (at === other) known.set(at, differences);
      return differences.length === 0;
    };
    const places = name === undefined
      ? matching(wanted.length, actual.length, equal, candidatesOf(wanted, actual, element))
      : byName(wanted, actual, name);
    return { places: withLeftOvers(places, actual.length), known };
  }
}

interface Pairing {
  readonly places: readonly (number | undefined)[];
  readonly known: ReadonlyMap<number, readonly Difference[]>;
}

/** The element at the same place if it has the name, else the first element that has it. */
function byName(wanted: readonly unknown[], actual: readonly unknown[], name: string): (number | undefined)[] {
  const first = new Map<string, number>();
  actual.forEach((item, place) => {
    const folding = folded(item, name);
    if (!first.has(folding)) first.set(folding, place);
  });
  return wanted.map((item, at) =>
    at < actual.length && folded(actual[at], name) === folded(item, name) ? at : first.get(folded(item, name)),
  );
}

/** An element without a partner gets the element at its place, or the first unused one. */
function withLeftOvers(places: readonly (number | undefined)[], others: number): (number | undefined)[] {
  const left = new Set(Array.from({ length: others }, (_, place) => place));
  for (const place of places) if (place !== undefined) left.delete(place);
  const inPlace = places.map((place, at) => place ?? (left.delete(at) ? at : undefined));
  const rest = left.values();
  return inPlace.map((place) => place ?? rest.next().value);
}

/** Looks up the exact key, else ignoring case: Azure compares names that way. */
function lookup(object: Json): (key: string) => unknown {
  let byLowerCase: Map<string, unknown> | undefined;
  return (key) => {
    if (Object.hasOwn(object, key)) return object[key];
    byLowerCase ??= new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
    return byLowerCase.get(key.toLowerCase());
  };
}

function isUnique(items: readonly unknown[], key: string): boolean {
  return new Set(items.map((item) => folded(item, key))).size === items.length;
}

function folded(item: unknown, key: string): string {
  return asText((item as Json)[key]).toLowerCase();
}

/** Whether the value means the same as an absent one: empty, off, zero. */
function meansNothing(wanted: unknown, shape: Shape): boolean {
  if (wanted === null || wanted === '' || wanted === false || wanted === 0) return true;
  if (Array.isArray(wanted)) return wanted.length === 0;
  if (!isRecord(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    const below = shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN;
    return below.secret || value === undefined || meansNothing(value, below);
  });
}
