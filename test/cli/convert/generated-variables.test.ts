import { converted, differences, parameterized, synthesized, type Manifest } from './converting';
import type { Parameter } from '../../../cli/convert/parameters/parameter';
import { Catalog, type Kind } from '../../../src/catalog';
import { randomSpec } from '../../engine/convert/random-spec';

type Scalar = string | number | boolean;

/** A random object, and the same one with variables in the place of some of its values. */
class Variables {
  /** The value of each variable. */
  public readonly values = new Map<string, Scalar>();
  private state: number;

  public constructor(seed: number) {
    this.state = seed + 1;
  }

  public in(object: Manifest): Manifest {
    return { ...object, metadata: { ...object.metadata, name: this.text(object.metadata.name) }, spec: this.value(object.spec) as object };
  }

  private value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.value(item)]));
    if (value === null || this.draw(3) > 0 || Object.is(value, -0)) return value;
    return typeof value === 'string' && value.length > 1 && this.draw(2) === 0 ? this.text(value) : this.name(value as Scalar);
  }

  /** A text of which a part is a variable. */
  private text(value: string): string {
    const characters = [...value];
    const from = this.draw(characters.length);
    const to = from + 1 + this.draw(characters.length - from);
    const part = characters.slice(from, to).join('');
    return characters.slice(0, from).join('') + this.name(part) + characters.slice(to).join('');
  }

  /** Equal values often have one variable. */
  private name(value: Scalar): string {
    const known = [...this.values].find(([, one]) => one === value);
    const name = known && this.draw(2) === 0 ? known[0] : `VALUE_${this.values.size}`;
    this.values.set(name, value);
    return `\${${name}}`;
  }

  private draw(below: number): number {
    this.state = (this.state * 48271) % 2147483647;
    return this.state % below;
  }
}

function randomObject(kind: Kind, seed: number): Manifest {
  const version = kind.version(kind.versionNames[seed % kind.versionNames.length]!)!;
  const { azureName: _, ...spec } = randomSpec(version, seed);
  const name = `x${kind.kind.toLowerCase()}`.slice(0, 20);
  return { apiVersion: version.apiVersion, kind: kind.kind, metadata: { name, namespace: 'ns' }, spec };
}

/** The objects that are right: the checks at synth know the values then. */
function accepted(objects: readonly Manifest[]): Manifest[] {
  const plans = converted([...objects]).charts.flatMap((chart) => chart.plans);
  return plans.filter(({ item }) => item.typed && item.demoted.size === 0).map(({ item }) => item.object as Manifest);
}

/** The value of a prop, in the type that it has: a variable that stands for a number and for a text is a text. */
function propOf({ type, environment }: Parameter, values: ReadonlyMap<string, Scalar>): Scalar {
  const value = values.get(environment)!;
  return type.is === 'string' ? String(value) : value;
}

test.each(['authorization', 'cache', 'containerservice', 'keyvault', 'managedidentity', 'network', 'servicebus', 'storage'])(
  '%s: with its values, the code of objects with variables gives the objects without',
  (service) => {
    for (const seed of [1, 2, 3]) {
      const objects = accepted(Catalog.default().kindsOf(service).map((kind) => randomObject(kind, seed)));
      const variables = new Variables(seed);
      const { code, parameters, lost } = parameterized(objects.map((object) => variables.in(object)));
      const props = Object.fromEntries(parameters.map((parameter) => [parameter.name, propOf(parameter, variables.values)]));
      expect(lost).toEqual([]);
      expect(parameters.length).toBe(variables.values.size);
      expect(differences(objects, synthesized(code, props))).toEqual([]);
    }
  },
);
