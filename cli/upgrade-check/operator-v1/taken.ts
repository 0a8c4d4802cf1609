import { isRecord } from '../../../src/util/records';

/**
 * The members of an object of Azure Service Operator v1. What is taken goes; what is left at the end has no place in v2. Releases of v1
 * wrote names in different cases (`resourcegroup`, `resourceGroup`), so the case of a name does not count.
 */
export class Taken {
  private readonly members: Record<string, unknown>;
  private readonly elements: [path: string, elements: readonly Taken[]][] = [];

  public constructor(value: unknown) {
    this.members = isRecord(value) ? structuredClone(value) : {};
  }

  /** Takes the value at a path: `properties.sku.name`. */
  public take(path: string): unknown {
    return takeFrom(this.members, path.split('.'));
  }

  /** Takes a text; an empty one is none. A map or a list stays. */
  public text(path: string): string | undefined {
    const value = valueAt(this.members, path.split('.'));
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    this.take(path);
    return value === '' ? undefined : String(value);
  }

  /** The text at a path, which stays. */
  public read(path: string): string | undefined {
    return new Taken(this.members).text(path);
  }

  /** Takes a list; an element that is not a map is `{ value }`. Anything else than a list stays. */
  public list(path: string): Taken[] {
    const value = valueAt(this.members, path.split('.'));
    if (!Array.isArray(value)) return [];
    this.take(path);
    const elements = value.map((item: unknown) => new Taken(isRecord(item) ? item : { value: item }));
    this.elements.push([path, elements]);
    return elements;
  }

  /** The members that were not taken. Elements of a list keep their places: empty ones stand before the last that has something. */
  public get left(): Readonly<Record<string, unknown>> {
    const ofLists = this.elements.flatMap(([path, elements]) => {
      const left = elements.map((element) => element.left);
      const end = left.findLastIndex((element) => Object.keys(element).length > 0) + 1;
      // A name that is written twice, in two cases, is left once.
      return end === 0 ? [] : [[Object.hasOwn(this.members, path) ? `${path}[]` : path, left.slice(0, end)] as const];
    });
    return { ...this.members, ...Object.fromEntries(ofLists) };
  }
}

function nameIn(value: Readonly<Record<string, unknown>>, wanted: string): string | undefined {
  return Object.keys(value).find((key) => key.toLowerCase() === wanted.toLowerCase());
}

function valueAt(value: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => {
    const name = isRecord(at) ? nameIn(at, step) : undefined;
    return name === undefined ? undefined : (at as Record<string, unknown>)[name];
  }, value);
}

function takeFrom(value: Record<string, unknown>, [first = '', ...rest]: readonly string[]): unknown {
  const name = nameIn(value, first);
  if (name === undefined) return undefined;
  const member = value[name];
  if (rest.length > 0 && !isRecord(member)) return undefined;
  const found = rest.length === 0 ? member : takeFrom(member as Record<string, unknown>, rest);
  const isEmptied = rest.length > 0 && Object.keys(member as object).length === 0;
  if (rest.length === 0 || isEmptied) Reflect.deleteProperty(value, name);
  return found;
}
