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

  /** Takes a text; an empty one is none. */
  public text(path: string): string | undefined {
    const value = this.take(path);
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** The text at a path, which stays. */
  public read(path: string): string | undefined {
    return new Taken(this.members).text(path);
  }

  /** Takes a list; an element that is not a map is `{ value }`. */
  public list(path: string): Taken[] {
    const value = this.take(path);
    const elements = Array.isArray(value) ? value.map((item: unknown) => new Taken(isRecord(item) ? item : { value: item })) : [];
    this.elements.push([path, elements]);
    return elements;
  }

  /** The members that were not taken. */
  public get left(): Readonly<Record<string, unknown>> {
    const ofLists = this.elements.flatMap(([path, elements]) => {
      const left = elements.map((element) => element.left).filter((element) => Object.keys(element).length > 0);
      return left.length === 0 ? [] : [[path, left] as const];
    });
    return { ...this.members, ...Object.fromEntries(ofLists) };
  }
}

function takeFrom(value: Record<string, unknown>, [first = '', ...rest]: readonly string[]): unknown {
  const name = Object.keys(value).find((key) => key.toLowerCase() === first.toLowerCase());
  if (name === undefined) return undefined;
  const member = value[name];
  if (rest.length > 0 && !isRecord(member)) return undefined;
  const found = rest.length === 0 ? member : takeFrom(member as Record<string, unknown>, rest);
  const isEmptied = rest.length > 0 && Object.keys(member as object).length === 0;
  if (rest.length === 0 || isEmptied) Reflect.deleteProperty(value, name);
  return found;
}
