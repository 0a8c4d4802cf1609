import type { Code, Entry, Expression } from './expression';
import { literal, nullsIn } from './expression';
import type { Item } from './item';
import type { KindClass } from './kind-class';
import { Misfit } from './misfit';
import type { Texts } from './parameters/texts';
import { configMapValue, ownerReference, resourceReference, secretMap, secretValue, type Surroundings } from './references';
import type { PropertyModel, StructModel, TypeModel } from '../../codegen/model';
import type { FieldPath } from '../../src/catalog/validate-spec';
import type { ConfigMapDestination, DestinationExpression, SecretDestination } from '../../src/core/destinations';
import { isRecord } from '../../src/util/records';
import { oneLine } from '../output/problem';

/** A prop that can move to `additionalSpec`. */
export interface Movable {
  /** The path in core's messages: `properties.rules`. */
  readonly where: string;
  /** The path in the spec, as in `item.demoted`. */
  readonly key: string;
}

/** A spec as props, and the properties that did not fit into them. */
export interface TypedSpec {
  readonly entries: Entry[];
  readonly additional: Record<string, unknown>;
  readonly movable: Movable[];
  /** Nulls in values without a schema, where null may have a meaning. */
  readonly nulls: FieldPath[];
  /** Notes for the user. */
  readonly notes: string[];
}

/** The fields of the core structs that are written as plain objects. */
const CORE_STRUCTS: Record<string, readonly (keyof ConfigMapDestination | keyof SecretDestination | keyof DestinationExpression)[]> = {
  ConfigMapDestination: ['name', 'key', 'annotations', 'labels'],
  SecretDestination: ['name', 'key', 'annotations', 'labels'],
  DestinationExpression: ['name', 'key', 'value', 'annotations', 'labels'],
};

/**
 * Writes a spec as the props of its class. Properties that the class does not have go to `additionalSpec`.
 * @throws Misfit when the class cannot hold it at all
 */
export function typedSpec(item: Item, around: Surroundings): TypedSpec {
  const writer = new SpecWriter(item, item.kindClass!, around);
  const spec = item.object.spec ?? {};
  const entries = writer.struct(spec, item.kindClass!.model.spec, { spec: [], props: '', movable: true });
  return { entries, additional: writer.additional, movable: writer.movable, nulls: writer.nulls, notes: writer.notes };
}

/** The key of a path in `item.demoted`. */
export function demotionKey(path: FieldPath): string {
  return JSON.stringify(path);
}

interface Place {
  readonly spec: FieldPath;
  /** The path in core's messages. */
  readonly props: string;
  /** Whether a property that does not fit can go to `additionalSpec`; false inside lists and maps. */
  readonly movable: boolean;
}

class SpecWriter {
  public additional: Record<string, unknown> = {};
  public readonly movable: Movable[] = [];
  public readonly nulls: FieldPath[] = [];
  public readonly notes: string[] = [];

  public constructor(private readonly item: Item, private readonly kindClass: KindClass, private readonly around: Surroundings) {}

  public struct(value: unknown, model: StructModel, place: Place): Entry[] {
    if (!isRecord(value)) throw new Misfit('is not an object', place.spec);
    const entries: Entry[] = [];
    for (const [specName, own] of Object.entries(value)) {
      const spec = [...place.spec, specName];
      if (own === null) {
        this.notes.push(`${formatPath(spec)} is null, which Kubernetes takes for left out; it is left out`);
        continue;
      }
      const property = model.properties.find((candidate) => candidate.specName === specName);
      const movable = place.movable && !property?.facts.required;
      try {
        if (!property) throw new Misfit(`is not a property of ${model.name}`);
        entries.push(this.property(own, property, { ...place, spec, props: joined(place.props, property.propName) }));
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        error.at ??= spec;
        if (!movable) throw error;
        this.add(spec, own);
        this.notes.push(`${formatPath(error.at)} ${error.message}; ${formatPath(spec)} is in additionalSpec`);
      }
    }
    const missing = model.properties.find(({ facts, specName }) => facts.required && (value[specName] ?? undefined) === undefined);
    if (missing) throw new Misfit(`has no '${missing.specName}', which ${model.name} requires`, place.spec);
    return entries;
  }

  private property(value: unknown, property: PropertyModel, place: Place): Entry {
    const key = demotionKey(place.spec);
    const refused = this.item.demoted.get(key);
    if (refused !== undefined) throw new Misfit(`is refused (${refused})`);
    const expression = this.value(value, property.type, place);
    if (place.movable && !property.facts.required) this.movable.push({ where: place.props, key });
    return { key: property.propName, value: expression, at: ['spec', ...place.spec] };
  }

  private value(value: unknown, type: TypeModel, place: Place): Expression {
    const at = ['spec', ...place.spec];
    switch (type.is) {
      case 'scalar':
        if (type.text !== 'any' && typeof value !== type.text) return this.parametric(value, at) ?? misfit(`is not a ${type.text}`);
        if (type.text === 'any') this.nulls.push(...nullsIn(value, at));
        return literal(value, at, this.item.texts);
      case 'array':
        if (!Array.isArray(value)) return this.parametric(value, at) ?? misfit('is not a list');
        return {
          is: 'list',
          at,
          items: value.map((item, i) => ({ value: this.element(item, type.of, inside(place, i)), at: [...at, i] })),
        };
      case 'map':
        if (!isRecord(value)) return this.parametric(value, at) ?? misfit('is not a map');
        return {
          is: 'object',
          at,
          entries: Object.entries(value).map(([key, item]) => ({
            key,
            keyCode: this.item.texts.keyCode(key, [...at, key]),
            value: this.element(item, type.of, inside(place, key)),
            at: [...at, key],
          })),
        };
      case 'declared':
        return this.declared(value, type.name, place);
      case 'owner': {
        const owner = this.kindClass.model.version.facts.owner;
        return ownerReference(value, typeof owner === 'object' && owner !== null ? owner : undefined, this.around);
      }
      case 'core':
        return this.core(value, type.name, at);
    }
  }

  /** A text with parameters at a place of another type than text. */
  private parametric(value: unknown, at: FieldPath): Expression | undefined {
    const { texts } = this.item;
    return texts.fitsAt(value, at) ? texts.code(value, at) : undefined;
  }

  private element(value: unknown, type: TypeModel, place: Place): Expression {
    try {
      return this.value(value, type, place);
    } catch (error) {
      if (error instanceof Misfit) error.at ??= place.spec;
      throw error;
    }
  }

  private declared(value: unknown, name: string, place: Place): Expression {
    const struct = this.kindClass.struct(name);
    if (struct) return { is: 'object', at: ['spec', ...place.spec], entries: this.whole(() => this.struct(value, struct, place)) };
    const model = this.kindClass.enumeration(name)!;
    const parametric = this.parametric(value, ['spec', ...place.spec]);
    if (parametric) return parametric;
    const member = model.members.find((candidate) => candidate.value === value);
    if (!member) throw new Misfit(`is ${typeof value === 'string' ? `'${oneLine(value)}'` : 'a value'} that ${name} does not have`);
    const { submodule } = this.kindClass;
    const code: Code = { is: 'code', uses: [], value: () => value, text: (names) => `${names.service(submodule, name)}.${member.name}` };
    return code;
  }

  /** When a struct goes to `additionalSpec`, the properties that were taken out of it go with it. */
  private whole<T>(write: () => T): T {
    const before = structuredClone(this.additional);
    const [movable, notes] = [this.movable.length, this.notes.length];
    try {
      return write();
    } catch (error) {
      this.additional = before;
      this.movable.length = movable;
      this.notes.length = notes;
      throw error;
    }
  }

  private core(value: unknown, type: string, at: FieldPath): Expression {
    switch (type) {
      case 'IAzureResourceRef':
        return resourceReference(value, this.around);
      case 'ConfigMapValue':
        return configMapValue(value, this.around);
      case 'SecretValue':
        return secretValue(value, this.around);
      case 'SecretMap':
        return secretMap(value, this.around);
      default:
        return coreStruct(value, CORE_STRUCTS[type] ?? [], at, this.item.texts);
    }
  }

  private add(path: FieldPath, value: unknown): void {
    let into = this.additional;
    for (const step of path.slice(0, -1)) into = (into[step] ??= {}) as Record<string, unknown>;
    const last = path.at(-1);
    if (last !== undefined) into[last] = value;
  }
}

function coreStruct(value: unknown, fields: readonly string[], at: FieldPath, texts: Texts): Expression {
  if (!isRecord(value)) throw new Misfit('is not an object');
  for (const [name, field] of Object.entries(value)) {
    const text = typeof field === 'string' || field === null;
    const isTextMap = isRecord(field) && Object.values(field).every((entry) => typeof entry === 'string');
    if (!fields.includes(name) || !(name === 'annotations' || name === 'labels' ? isTextMap : text)) {
      throw new Misfit(`has '${name}', which is not understood`);
    }
  }
  for (const name of ['name', ...(fields.includes('value') ? ['value'] : ['key'])]) {
    if (typeof value[name] !== 'string') throw new Misfit(`has no '${name}'`);
  }
  return literal(value, at, texts);
}

function misfit(message: string): never {
  throw new Misfit(message);
}

function inside(place: Place, step: string | number): Place {
  return {
    spec: [...place.spec, step],
    props: typeof step === 'number' ? `${place.props}[${step}]` : joined(place.props, step),
    movable: false,
  };
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `spec.rules[2].name` */
export function formatPath(spec: FieldPath): string {
  return spec.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${oneLine(String(step))}`), 'spec');
}
