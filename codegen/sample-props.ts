import { literal } from './emit-types';
import type { Declared, KindModel, PropertyModel, ServiceModel, StructModel, TypeModel } from './model';
import { fits, textFor, THEME } from './sample-text';
import { ASKED_BY_AZURE, REFERENCES, USUAL_VALUES, VALUES } from './sample-values';
import { wordsOf } from './words';
import { GLOBAL_TYPES } from '../src/azure/locations';
import type { Validations } from '../src/catalog';
import { elementAt } from '../src/util/elements';

const LONGEST_LINE = 100;

/** A value of a sample: its TypeScript, and the value in a manifest. */
export interface SampleValue {
  readonly text: string;
  readonly data: unknown;
}

/** A property of a sample: its TypeScript with its name, its name in a manifest and its value there. */
export interface SampleMember {
  readonly text: string;
  readonly key: string;
  readonly data: unknown;
}

/** Writes the properties of a resource except owner and Azure name: those that the schema or Azure requires. */
export class PropsWriter {
  private readonly declared: Map<string, Declared>;
  private readonly more: readonly string[];

  public constructor(
    private readonly kind: KindModel,
    private readonly service: ServiceModel,
    private readonly reference: (kind: string) => SampleValue,
    private readonly useCore: (name: string) => void,
    more: readonly string[] = [],
  ) {
    this.declared = new Map([...service.shared, ...kind.own].map((one) => [one.name, one]));
    this.more = [...(ASKED_BY_AZURE[`${service.service}/${kind.className}`] ?? []), ...more];
  }

  public get members(): SampleMember[] {
    return this.struct(this.kind.spec, [], 0);
  }

  private struct(struct: StructModel, path: readonly string[], depth: number): SampleMember[] {
    const wanted = struct.properties.filter(
      (property) =>
        property.facts.role !== 'owner' && property.specName !== 'azureName' && this.isWanted(property, [...path, property.propName]),
    );
    const inline =
      struct.oneOf && !wanted.some(({ facts }) => facts.inline) ? struct.properties.find(({ facts }) => facts.inline) : undefined;
    return [...wanted, ...(inline ? [inline] : [])].map((property) => this.member(property, [...path, property.propName], depth));
  }

  private isWanted(property: PropertyModel, path: readonly string[]): boolean {
    const at = path.join('.');
    return property.facts.required === true || at === 'location' || this.more.some((asked) => asked === at || asked.startsWith(`${at}.`));
  }

  private member(property: PropertyModel, path: readonly string[], depth: number): SampleMember {
    const { text, data } = this.value(property.type, { ...property.facts, ...property.elements }, path, depth + 1);
    return { text: `${property.propName}: ${text}`, key: property.specName, data };
  }

  private value(type: TypeModel, rules: Validations, path: readonly string[], depth: number): SampleValue {
    switch (type.is) {
      case 'array':
        return this.list(type.of, rules, path, depth);
      case 'map': {
        const { text, data } = this.value(type.of, rules, path, depth);
        return objectOf([{ text: `${THEME}: ${text}`, key: THEME, data }], depth * 2);
      }
      case 'declared':
        return this.declaredValue(type.name, path, depth);
      case 'core':
        return this.coreValue(type.name, path);
      case 'owner':
        return this.reference('resources/ResourceGroup');
      case 'scalar':
        return this.scalar(type.text, rules, path);
    }
  }

  private list(of: TypeModel, rules: Validations, path: readonly string[], depth: number): SampleValue {
    const elements = Array.from({ length: Math.max(1, rules.minItems ?? 1) }, () => this.value(of, rules, path, depth));
    return { text: `[${elements.map(({ text }) => text).join(', ')}]`, data: elements.map(({ data }) => data) };
  }

  private declaredValue(name: string, path: readonly string[], depth: number): SampleValue {
    const declared = this.declared.get(name)!;
    if (declared.is === 'struct') return objectOf(this.struct(declared, path, depth), depth * 2 + elementAt(path, path.length - 1).length);
    const values = declared.members.map(({ value }) => value);
    const wanted = this.known(path);
    const value = values.find((one) => one === wanted) ?? USUAL_VALUES.find((usual) => values.includes(String(usual))) ?? values[0];
    return { text: `${this.service.submodule}.${name}.${declared.members.find((member) => member.value === value)!.name}`, data: value };
  }

  private coreValue(type: string, path: readonly string[]): SampleValue {
    const last = elementAt(path, path.length - 1);
    if (type === 'IAzureResourceRef') {
      if (last === 'roleDefinitionReference') {
        this.useCore('BuiltInRole');
        return { text: 'BuiltInRole.READER', data: { wellKnownName: 'Reader' } };
      }
      return this.reference(this.lookup(REFERENCES, path) ?? 'resources/ResourceGroup');
    }
    this.useCore(type);
    const name = `${THEME}-${wordsOf(last).join('-').toLowerCase()}`;
    if (type === 'SecretMap') return { text: `SecretMap.fromSecret('${name}')`, data: { name } };
    return type === 'SecretValue'
      ? { text: `SecretValue.fromSecret('${name}', 'password')`, data: { name, key: 'password' } }
      : { text: `ConfigMapValue.fromConfigMap('${name}', 'value')`, data: { name, key: 'value' } };
  }

  private scalar(type: 'string' | 'number' | 'boolean' | 'any', rules: Validations, path: readonly string[]): SampleValue {
    if (type === 'boolean') return { text: 'true', data: true };
    if (type === 'any') return { text: '{}', data: {} };
    const known = this.known(path);
    if (type === 'number') {
      const data = typeof known === 'number' && inRange(known, rules) ? known : numberFor(rules);
      return { text: String(data), data };
    }
    const isGlobal = path.join('.') === 'location' && GLOBAL_TYPES.has(this.kind.version.facts.arm?.type.toLowerCase() ?? '');
    const data = isGlobal ? 'global' : typeof known === 'string' && fits(known, rules) ? known : textFor(rules);
    return { text: literal(data), data };
  }

  private known(path: readonly string[]): string | number | boolean | undefined {
    return this.lookup(VALUES, path);
  }

  private lookup<T>(table: Readonly<Record<string, T>>, path: readonly string[]): T | undefined {
    const ends = path.map((_, i) => path.slice(i).join('.'));
    const kind = this.kind.className;
    const key = [`${this.service.service}/${kind}:`, `${kind}:`, ''].flatMap((prefix) => ends.map((end) => `${prefix}${end}`))
      .find((candidate) => Object.hasOwn(table, candidate));
    return key === undefined ? undefined : table[key];
  }
}

function inRange(value: number, { enum: allowed, minimum = -Infinity, maximum = Infinity, multipleOf }: Validations): boolean {
  return (
    (!allowed || allowed.includes(value)) && value >= minimum && value <= maximum && (multipleOf === undefined || value % multipleOf === 0)
  );
}

function numberFor(rules: Validations): number {
  const { enum: allowed, minimum, maximum, multipleOf } = rules;
  if (allowed) return allowed[0] as number;
  return [1, 0, multipleOf, minimum, maximum].find((value) => value !== undefined && inRange(value, rules)) ?? minimum ?? 1;
}

/** An object of properties. */
export function objectOf(members: readonly SampleMember[], indent: number): SampleValue {
  return {
    text: objectText(members.map(({ text }) => text), indent),
    data: Object.fromEntries(members.map(({ key, data }) => [key, data])),
  };
}

/** An object literal, on one line if it is short and simple. */
function objectText(members: readonly string[], indent: number): string {
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  if (!line.includes('\n') && line.length + indent <= LONGEST_LINE && members.length <= 3) return line;
  return `{\n${members.map((member) => `${member.replace(/^/gm, '  ')},\n`).join('')}}`;
}
