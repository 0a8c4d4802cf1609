import { literal } from './emit-types';
import type { Declared, KindModel, PropertyModel, ServiceModel, StructModel, TypeModel } from './model';
import { azureNameFor, fits, needsAzureName, textFor, THEME } from './sample-text';
import { ASKED_BY_AZURE, GLOBAL_TYPES, OWNERS, REFERENCES, USUAL_VALUES, VALUES } from './sample-values';
import { wordsOf } from './words';
import type { Validations } from '../src/catalog';
import { elementAt } from '../src/util/elements';
import { capitalized } from '../src/util/words';

/** The model of a service by its submodule; undefined if it is not available. */
export type ModelOf = (submodule: string) => ServiceModel | undefined;

interface Found {
  readonly kind: KindModel;
  readonly service: ServiceModel;
}

const LONGEST_LINE = 100;

/** An app that creates one resource of a kind with the required owners, ready to be compiled and synthesized. */
export function snippet(kind: KindModel, service: ServiceModel, modelOf: ModelOf): string {
  return new SnippetWriter(modelOf).text({ kind, service });
}

class SnippetWriter {
  private readonly submodules = new Set<string>();
  private readonly core = new Set<string>();
  private readonly statements: string[] = [];
  /** Kinds that were created, with their variables. */
  private readonly variables = new Map<string, string>();

  public constructor(private readonly modelOf: ModelOf) {}

  public text(subject: Found): string {
    this.make(subject, true);
    const app = this.submodules.has('app') ? 'cdkApp' : 'app';
    return [
      'import { App, Chart } from \'cdk8s\';',
      `import { ${[...this.core, ...this.submodules].sort(byLetter).join(', ')} } from 'cdk8s-aso';`,
      '',
      `const ${app} = new App();`,
      `const chart = new Chart(${app}, '${THEME}', { namespace: '${THEME}' });`,
      '',
      ...this.statements.flatMap((statement) => [statement, '']),
      `${app}.synth();`,
    ].join('\n');
  }

  /** Writes the statement that creates a resource, and returns its variable. */
  private make({ kind, service }: Found, subject: boolean): string {
    const variable = this.variableFor(kind);
    this.variables.set(`${service.submodule}/${kind.className}`, variable);
    const props = new PropsWriter(kind, service, (of) => this.reference(of), (name) => this.core.add(name));
    const owner = this.owner({ kind, service });
    const azureName = subject || needsAzureName(kind) ? azureNameFor(kind) : undefined;
    const members = [
      ...(owner === undefined ? [] : [`owner: ${owner}`]),
      ...(azureName === undefined ? [] : [`azureName: ${literal(azureName)}`]),
      ...props.members,
    ];
    this.submodules.add(service.submodule);
    const head = `${subject ? '' : `const ${variable} = `}new ${service.submodule}.${kind.className}(chart, ${literal(kind.fileName)}`;
    this.statements.push(`${head}${members.length === 0 ? '' : `, ${object(members, head.length)}`});`);
    return variable;
  }

  private owner({ kind, service }: Found): string | undefined {
    if (kind.owner.kind === 'none') return undefined;
    const wanted =
      kind.owner.kind === 'known'
        ? `${kind.owner.submodule}/${kind.owner.className}`
        : (OWNERS[`${service.service}/${kind.className}`] ?? 'resources/ResourceGroup');
    if (this.variables.has(wanted)) return this.reference(wanted);
    const found = this.find(wanted);
    return found ? this.make(found, false) : this.reference(wanted);
  }

  /** Writes a reference to an object of the namespace, of the kind `submodule/Kind`. */
  private reference(kind: string): string {
    const [submodule, className] = partsOf(kind);
    this.submodules.add(submodule);
    const words = wordsOf(className);
    return `${submodule}.${className}.fromName('shared-${elementAt(words, words.length - 1).toLowerCase()}')`;
  }

  private find(wanted: string): Found | undefined {
    const [submodule, className] = partsOf(wanted);
    const service = this.modelOf(submodule);
    const kind = service?.kinds.find((candidate) => candidate.className === className);
    return kind && service && { kind, service };
  }

  private variableFor(kind: KindModel): string {
    const words = wordsOf(kind.className).map((word) => word.toLowerCase());
    return words.slice(-2).map((word, i) => (i === 0 ? word : capitalized(word))).join('');
  }
}

/** Submodule and class of `submodule/Kind`. */
function partsOf(kind: string): [submodule: string, className: string] {
  const parts = kind.split('/');
  return [elementAt(parts, 0), elementAt(parts, 1)];
}

/** Writes the properties of a resource except owner and Azure name: those that the schema or Azure requires. */
class PropsWriter {
  private readonly declared: Map<string, Declared>;
  private readonly more: readonly string[];

  public constructor(
    private readonly kind: KindModel,
    private readonly service: ServiceModel,
    private readonly reference: (kind: string) => string,
    private readonly useCore: (name: string) => void,
  ) {
    this.declared = new Map([...service.shared, ...kind.own].map((one) => [one.name, one]));
    this.more = ASKED_BY_AZURE[`${service.service}/${kind.className}`] ?? [];
  }

  public get members(): string[] {
    return this.struct(this.kind.spec, [], 0);
  }

  private struct(struct: StructModel, path: readonly string[], depth: number): string[] {
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

  private member(property: PropertyModel, path: readonly string[], depth: number): string {
    return `${property.propName}: ${this.value(property.type, { ...property.facts, ...property.elements }, path, depth + 1)}`;
  }

  private value(type: TypeModel, rules: Validations, path: readonly string[], depth: number): string {
    switch (type.is) {
      case 'array':
        return this.list(type.of, rules, path, depth);
      case 'map':
        return object([`${THEME}: ${this.value(type.of, rules, path, depth)}`], depth * 2);
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

  private list(of: TypeModel, rules: Validations, path: readonly string[], depth: number): string {
    const elements = Array.from({ length: Math.max(1, rules.minItems ?? 1) }, () => this.value(of, rules, path, depth));
    return `[${elements.join(', ')}]`;
  }

  private declaredValue(name: string, path: readonly string[], depth: number): string {
    const declared = this.declared.get(name)!;
    if (declared.is === 'struct') return object(this.struct(declared, path, depth), depth * 2 + elementAt(path, path.length - 1).length);
    const values = declared.members.map(({ value }) => value);
    const wanted = this.known(path);
    const value = values.find((one) => one === wanted) ?? USUAL_VALUES.find((usual) => values.includes(String(usual))) ?? values[0];
    return `${this.service.submodule}.${name}.${declared.members.find((member) => member.value === value)!.name}`;
  }

  private coreValue(type: string, path: readonly string[]): string {
    const last = elementAt(path, path.length - 1);
    if (type === 'IAzureResourceRef') {
      if (last === 'roleDefinitionReference') {
        this.useCore('BuiltInRole');
        return 'BuiltInRole.READER';
      }
      return this.reference(this.lookup(REFERENCES, path) ?? 'resources/ResourceGroup');
    }
    this.useCore(type);
    const name = `${THEME}-${wordsOf(last).join('-').toLowerCase()}`;
    if (type === 'SecretMap') return `SecretMap.fromSecret('${name}')`;
    return type === 'SecretValue' ? `SecretValue.fromSecret('${name}', 'password')` : `ConfigMapValue.fromConfigMap('${name}', 'value')`;
  }

  private scalar(type: 'string' | 'number' | 'boolean' | 'any', rules: Validations, path: readonly string[]): string {
    if (type === 'boolean') return 'true';
    if (type === 'any') return '{}';
    const known = this.known(path);
    if (type === 'number') return String(typeof known === 'number' && inRange(known, rules) ? known : numberFor(rules));
    if (path.join('.') === 'location' && GLOBAL_TYPES.has(this.kind.version.facts.arm?.type.toLowerCase() ?? '')) return '\'global\'';
    return literal(typeof known === 'string' && fits(known, rules) ? known : textFor(rules));
  }

  private known(path: readonly string[]): string | number | boolean | undefined {
    return this.lookup(VALUES, path);
  }

  private lookup<T>(table: Readonly<Record<string, T>>, path: readonly string[]): T | undefined {
    const ends = path.map((_, i) => path.slice(i).join('.'));
    const key = [...ends.map((end) => `${this.kind.className}:${end}`), ...ends].find((candidate) => Object.hasOwn(table, candidate));
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

/** An object literal, on one line if it is short and simple. */
function object(members: readonly string[], indent: number): string {
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  if (!line.includes('\n') && line.length + indent <= LONGEST_LINE && members.length <= 3) return line;
  return `{\n${members.map((member) => `${member.replace(/^/gm, '  ')},\n`).join('')}}`;
}

function byLetter(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
