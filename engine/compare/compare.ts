import { candidatesOf } from './candidates';
import { elementName, identityOf, namedPath } from './element-names';
import { matching } from './matching';
import { sameScalar } from './scalars';
import { memberShape, NOTHING_KNOWN, type Shape } from './shape';
import { pointerStep } from '../../src/util/json-pointer';
import { isEmptyObject, isRecord, type Struct } from '../../src/util/records';

/** A place at which the resource in Azure differs from the wanted body. */
export interface Difference {
  /**
   * JSON pointer into the request body, e.g. `/properties/sku/name`. An element that only Azure has is named in brackets, e.g.
   * `/properties/accessPolicies/[objectId=…]`; `-` stands for those that nothing names.
   */
  readonly path: string;
  /** The path with the names of all elements in the place of their numbers. Absent: `path` has no numbers. */
  readonly named?: string;
  readonly wanted: unknown;
  /** Undefined: Azure does not have the value, or does not return it. */
  readonly actual: unknown;
  /** The user's own object that describes this part of the resource as well: `ManagedClustersAgentPool team/pool`. */
  readonly alsoIn?: string;
}

/** Knowledge besides the two bodies. */
interface CompareOptions {
  /**
   * The user's own objects of an ARM type below the compared resource: name in Azure, in lower case → title. Undefined: not known. Called
   * where a list has elements that are resources of their own. Default: there are none.
   */
  readonly ownChildren?: (childType: string) => ReadonlyMap<string, string> | undefined;
}

const NO_CHILDREN: ReadonlyMap<string, string> = new Map();

/**
 * Maximum number of values visited to pair the elements of lists (about 0.2 s). Bodies have thousands. Beyond it, elements are compared at
 * their own places, so elements that Azure has moved count as differences and are sent once more.
 */
const MOST_LOOKED_AT = 300_000;
/** Cost of a list besides its values: finding the members that identify its elements. */
const LIST_COST = 20;

/**
 * The differences between a resource in Azure and the body to send. Only wanted values are compared: other values in Azure are defaults or
 * set by Azure. In maps with keys of the user and in lists, additional values count as well, because a PUT would remove them; those that
 * Azure adds by itself, and those that other objects of the user describe, do not.
 */
export function compare(wanted: Struct, actual: unknown, shape: Shape, options: CompareOptions = {}): Difference[] {
  // The URL determines the name. Some providers return another one (`default` becomes `DefaultManagementPolicy`).
  const { name: _, ...body } = wanted;
  return new Comparison(options).differences(body, actual, shape, '').map((difference) => {
    const named = namedPath(difference.path, body, shape);
    return named === difference.path ? difference : { ...difference, named };
  });
}

class Comparison {
  private left = MOST_LOOKED_AT;

  public constructor(private readonly options: CompareOptions) {}

  public differences(wanted: unknown, actual: unknown, shape: Shape, path: string): Difference[] {
    const found: Difference[] = [];
    this.compareValue(wanted, actual, shape, path, found);
    return found;
  }

  private compareValue(wanted: unknown, actual: unknown, shape: Shape, path: string, found: Difference[]): void {
    this.left -= 1;
    if (shape.secret || wanted === undefined) return;
    if (actual === undefined || actual === null) {
      if (!meansNothing(wanted, shape)) found.push({ path, wanted, actual: undefined });
    } else if (shape.filledByAzure && isEmpty(wanted)) {
      // Azure's own entries.
    } else if (wanted === null) {
      // An explicit null removes the existing value.
      if (!meansNothing(withoutAdded(actual, shape), shape)) found.push({ path, wanted, actual });
    } else if (Array.isArray(wanted)) {
      if (Array.isArray(actual)) this.compareLists(wanted, actual, shape, path, found);
      else found.push({ path, wanted, actual });
    } else if (isRecord(wanted)) {
      if (isRecord(actual)) this.compareObjects(wanted, actual, shape, path, found);
      else found.push({ path, wanted, actual });
    } else if (!sameScalar(wanted, actual, shape)) {
      found.push({ path, wanted, actual });
    }
  }

  private compareObjects(wanted: Struct, actual: Struct, shape: Shape, path: string, found: Difference[]): void {
    const theirs = lookup(actual, shape);
    for (const [key, own] of Object.entries(wanted)) {
      this.compareValue(own, theirs(key), memberShape(shape, key), `${path}/${pointerStep(key)}`, found);
    }
    if (!shape.values) return;
    const ours = lookup(wanted, shape);
    for (const [key, value] of Object.entries(actual)) {
      if (shape.addedByAzure?.test(key)) continue;
      if (ours(key) === undefined && !Object.hasOwn(wanted, key)) {
        found.push({ path: `${path}/${pointerStep(key)}`, wanted: undefined, actual: value });
      }
    }
  }

  private compareLists(wanted: readonly unknown[], actual: readonly unknown[], shape: Shape, path: string, found: Difference[]): void {
    const element = shape.element ?? NOTHING_KNOWN;
    const { places, known } = this.paired(wanted, actual, shape, element);
    places.forEach((place, index) => {
      const differences = place === index ? known.get(index) : undefined;
      const from = found.length;
      // Already compared; comparing again for each enclosing list would take 2ⁿ steps.
      if (differences) for (const difference of differences) found.push({ ...difference, path: `${path}/${index}${difference.path}` });
      else this.compareValue(wanted[index], place === undefined ? undefined : actual[place], element, `${path}/${index}`, found);
      if (shape.childType !== undefined && found.length > from) this.noteOwner(wanted[index], shape.childType, found, from);
    });
    if (actual.length <= wanted.length && !places.includes(undefined)) return;
    const matched = new Set(places.map((place) => (place === undefined ? undefined : actual[place])));
    const more = actual.filter((other) => !matched.has(other) && !isAdded(other, shape));
    if (more.length > 0) this.compareMore(more, shape, path, found);
  }

  /** Elements that only Azure has. */
  private compareMore(more: readonly unknown[], shape: Shape, path: string, found: Difference[]): void {
    const own = shape.childType === undefined ? NO_CHILDREN : this.ownChildren(shape.childType);
    // A child whose object may only be unknown yet must not be taken for another writer's.
    if (!own) return;
    const others = own.size === 0 ? more : more.filter((other) => !own.has(childName(other)));
    const nameless: unknown[] = [];
    for (const other of others) {
      const name = elementName(other, shape);
      if (name === undefined) nameless.push(other);
      else found.push({ path: `${path}/${pointerStep(`[${name}]`)}`, wanted: undefined, actual: other });
    }
    if (nameless.length > 0) found.push({ path: `${path}/-`, wanted: undefined, actual: nameless });
  }

  /** Notes the object that describes an element as well. */
  private noteOwner(element: unknown, childType: string, found: Difference[], from: number): void {
    const alsoIn = this.ownChildren(childType)?.get(childName(element));
    if (alsoIn !== undefined) for (let at = from; at < found.length; at += 1) found[at] = { ...found[at]!, alsoIn };
  }

  private ownChildren(childType: string): ReadonlyMap<string, string> | undefined {
    return this.options.ownChildren ? this.options.ownChildren(childType) : NO_CHILDREN;
  }

  /**
   * For each wanted element the place of its counterpart in Azure: by identifying members, else an equal element; the remaining ones by
   * place. `known` has the differences of elements at their own places, as far as they were computed.
   */
  private paired(wanted: readonly unknown[], actual: readonly unknown[], shape: Shape, element: Shape): Pairing {
    this.left -= LIST_COST + wanted.length + actual.length;
    const known = new Map<number, readonly Difference[]>();
    if (shape.ordered) return { places: wanted.map((_, at) => (at < actual.length ? at : undefined)), known };
    const equal = (at: number, other: number): boolean => {
      if (this.left <= 0) return false;
      const differences = this.differences(wanted[at], actual[other], element, '');
      if (at === other) known.set(at, differences);
      return differences.length === 0;
    };
    const places = byIdentity(wanted, actual, shape)
      ?? matching(wanted.length, actual.length, equal, candidatesOf(wanted, actual, element));
    return { places: withLeftOvers(places, actual.length), known };
  }
}

interface Pairing {
  readonly places: readonly (number | undefined)[];
  readonly known: ReadonlyMap<number, readonly Difference[]>;
}

/**
 * The element at the same place if it has the identity, else the first element that has it. Undefined where an element has none, or two
 * wanted ones have the same.
 */
function byIdentity(wanted: readonly unknown[], actual: readonly unknown[], shape: Shape): (number | undefined)[] | undefined {
  const own = wanted.map((item) => identityOf(item, shape));
  if (own.includes(undefined)) return undefined;
  const theirs = actual.map((item) => identityOf(item, shape));
  if (theirs.includes(undefined) || new Set(own).size < own.length) return undefined;
  const first = new Map<string | undefined, number>();
  theirs.forEach((identity, place) => {
    if (!first.has(identity)) first.set(identity, place);
  });
  return own.map((identity, at) => (theirs[at] === identity ? at : first.get(identity)));
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
function lookup(object: Struct, { caseSensitiveKeys }: Shape): (key: string) => unknown {
  if (caseSensitiveKeys) return (key) => (Object.hasOwn(object, key) ? object[key] : undefined);
  let byLowerCase: Map<string, unknown> | undefined;
  return (key) => {
    if (Object.hasOwn(object, key)) return object[key];
    byLowerCase ??= new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
    return byLowerCase.get(key.toLowerCase());
  };
}

/** Whether Azure adds the element by itself. */
function isAdded(element: unknown, { addedByAzure, identity = [] }: Shape): boolean {
  if (!addedByAzure) return false;
  const name = isRecord(element) ? element[identity[0] ?? 'name'] : element;
  return typeof name === 'string' && addedByAzure.test(name);
}

/** The entries of a list or map that Azure does not add by itself. */
function withoutAdded(actual: unknown, shape: Shape): unknown {
  const { addedByAzure } = shape;
  if (!addedByAzure) return actual;
  if (Array.isArray(actual)) return actual.filter((element) => !isAdded(element, shape));
  return isRecord(actual) ? Object.fromEntries(Object.entries(actual).filter(([key]) => !addedByAzure.test(key))) : actual;
}

function childName(element: unknown): string {
  return isRecord(element) && typeof element.name === 'string' ? element.name.toLowerCase() : '';
}

/** Null, or a list or map without entries. */
function isEmpty(value: unknown): boolean {
  return value === null || isEmptyObject(value);
}

/** Whether the value means the same as an absent one: empty, off, zero. */
function meansNothing(wanted: unknown, shape: Shape): boolean {
  if (wanted === null || wanted === '' || wanted === false || wanted === 0) return true;
  if (Array.isArray(wanted)) return wanted.length === 0;
  if (!isRecord(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    const below = memberShape(shape, key);
    return below.secret || value === undefined || meansNothing(value, below);
  });
}
