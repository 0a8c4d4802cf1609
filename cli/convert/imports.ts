import type { CodeNames } from './expression';
import type { Item } from './item';

/** The identifiers of one file, and the import lines for them. */
export class FileNames implements CodeNames {
  private readonly fromCdk8s = new Set<string>();
  private readonly fromCore = new Set<string>();
  private readonly submodules = new Set<string>();
  private variables: ReadonlyMap<Item, string> = new Map();

  /** Variable names of the current chart; charts are printed one after the other. */
  public useVariables(variables: ReadonlyMap<Item, string>): void {
    this.variables = variables;
  }

  public variable(item: Item): string {
    return this.variables.get(item)!;
  }

  public core(name: string): string {
    this.fromCore.add(name);
    return name;
  }

  public cdk8s(name: string): string {
    this.fromCdk8s.add(name);
    return name;
  }

  public service(submodule: string, name: string): string {
    this.submodules.add(submodule);
    return `${submodule}.${name}`;
  }

  /** Import lines: one per package and one per service. */
  public get lines(): string[] {
    const named = (names: ReadonlySet<string>, from: string) =>
      names.size === 0 ? [] : [`import { ${[...names].sort().join(', ')} } from '${from}';`];
    return [
      ...named(this.fromCdk8s, 'cdk8s'),
      'import { Construct } from \'constructs\';',
      ...named(this.fromCore, 'cdk8s-aso'),
      ...[...this.submodules].sort().map((name) => `import * as ${name} from 'cdk8s-aso/${name}';`),
    ];
  }
}
