/** The import lines of a file. */
export class Imports {
  private readonly values = new Map<string, Set<string>>();
  private readonly types = new Map<string, Set<string>>();

  /** Adds an import that is needed at run time. */
  public value(from: string, ...names: string[]): this {
    add(this.values, from, names);
    return this;
  }

  /** Adds an import that only the compiler needs: it costs nothing when the file is loaded. */
  public type(from: string, ...names: string[]): this {
    add(this.types, from, names);
    return this;
  }

  public get text(): string {
    const modules = [...new Set([...this.values.keys(), ...this.types.keys()])].sort(byDistance);
    return modules
      .flatMap((from) => {
        const values = this.values.get(from) ?? new Set<string>();
        const types = [...(this.types.get(from) ?? [])].filter((name) => !values.has(name));
        return [line('import', [...values], from), line('import type', types, from)];
      })
      .join('');
  }
}

function add(to: Map<string, Set<string>>, from: string, names: string[]): void {
  if (names.length > 0) to.set(from, new Set([...(to.get(from) ?? []), ...names]));
}

function line(keyword: string, names: string[], from: string): string {
  if (names.length === 0) return '';
  const sorted = [...names].sort();
  const short = `${keyword} { ${sorted.join(', ')} } from '${from}';\n`;
  return short.length <= 150 ? short : `${keyword} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}

/** Packages first, then folders from the farthest to the nearest. */
function byDistance(a: string, b: string): number {
  const far = (from: string) => (from.startsWith('.') ? -from.split('..').length : -100);
  return far(a) - far(b) || (a < b ? -1 : 1);
}
