import type { CodeNames } from './expression';
import type { InnerPlace, Item } from './item';
import type { Parameter } from './parameters/parameter';

/** The identifiers of one file, and the import lines for them. */
export class FileNames implements CodeNames {
  private readonly fromCdk8s = new Set<string>();
  private readonly fromCore = new Set<string>();
  private readonly submodules = new Set<string>();
  private variables: ReadonlyMap<Item | InnerPlace, string> = new Map();
  private parameters: ReadonlyMap<Parameter, string> = new Map();

  /** Names of the current chart; charts are printed one after the other. */
  public useVariables(variables: ReadonlyMap<Item | InnerPlace, string>, parameters: ReadonlyMap<Parameter, string>): void {
    this.variables = variables;
    this.parameters = parameters;
  }

  public parameter(parameter: Parameter): string {
    return this.parameters.get(parameter) ?? `props.${parameter.name}`;
  }

  public variable(item: Item): string {
    return this.variables.get(item)!;
  }

  public innerChart(place: InnerPlace): string {
    return this.variables.get(place)!;
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
