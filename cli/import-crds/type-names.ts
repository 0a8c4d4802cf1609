import type { TypeFacts } from '../../src/catalog';
import { capitalized } from '../../src/util/words';

/** The names of the types that were found in CRDs. A CRD names no types: they are called after kind and property. */
export class TypeNames {
  private readonly types = new Map<string, { readonly text: string; readonly facts: TypeFacts }>();

  /** @param reserved names that generated code needs for something else */
  public constructor(private readonly reserved: ReadonlySet<string>) {}

  /** The name of a type: the first free one of the candidates, or one that has the same type already. */
  public add(candidates: readonly string[], facts: TypeFacts): string {
    const text = JSON.stringify(bare(facts));
    const last = candidates.at(-1) ?? '';
    for (const name of [...candidates, ...numbered(last, this.types.size + this.reserved.size + 2)]) {
      if (this.reserved.has(name)) continue;
      const known = this.types.get(name);
      if (known && known.text !== text) continue;
      if (!known) this.types.set(name, { text, facts });
      return name;
    }
    throw new Error(`no name is left for ${candidates[0]}`);
  }

  /** All types by name, in the order in which they were found. */
  public get all(): Record<string, TypeFacts> {
    return Object.fromEntries([...this.types].map(([name, { facts }]) => [name, facts]));
  }
}

/** Without the descriptions of the properties: two types may differ in those. */
export function bare(type: TypeFacts): TypeFacts {
  return { ...type, props: Object.fromEntries(Object.entries(type.props).map(([name, { description: _, ...facts }]) => [name, facts])) };
}

/** `ipRules` → `IpRule`: what an element of the list is called. */
export function elementName(property: string): string {
  const name = typeWord(property);
  if (/ies$/.test(name) && name.length > 4) return name.replace(/ies$/, 'y');
  return /(ss|us|is|s3)$/i.test(name) ? name : name.replace(/s$/, '');
}

/** As a part of a type's name: nothing but letters and digits. */
export function typeWord(property: string): string {
  const words = property.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map(capitalized).join('') || 'Value';
}

function* numbered(name: string, count: number): Iterable<string> {
  for (let number = 2; number <= count; number++) yield `${name}${number}`;
}
