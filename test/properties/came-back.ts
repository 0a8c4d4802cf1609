import { isDeepStrictEqual } from 'node:util';
import {
  isArray,
  isConstrained,
  isMap,
  isRef,
  isScalar,
  type KindVersion,
  type PropertyFacts,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** A place of a spec whose value the status should have, too, and has not. */
export interface Lost {
  readonly path: string;
  readonly sent: unknown;
  readonly came: unknown;
}

/** Findings, and the number of compared values: a law that compares nothing always holds. */
export interface Comparison {
  readonly lost: readonly Lost[];
  readonly compared: number;
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => isRecord(value);
const own = (object: unknown, key: string): unknown => (isJson(object) && Object.hasOwn(object, key) ? object[key] : undefined);
const isEmptyCollection = (value: unknown) =>
  Array.isArray(value) ? value.length === 0 : isJson(value) && Object.keys(value).length === 0;

/**
 * Compares a spec with the status of an Azure that echoes, wherever the catalog maps both to the same place of the body with the same type:
 * by the facts alone, without the converters.
 */
export function cameBack(version: KindVersion, spec: Json, status: unknown): Comparison {
  const walk = new Walk(version);
  walk.object(version.specType, version.statusType, spec, status, '');
  return walk;
}

class Walk implements Comparison {
  public readonly lost: Lost[] = [];
  public compared = 0;

  public constructor(private readonly version: KindVersion) {}

  public object(specType: TypeFacts, statusType: TypeFacts, spec: Json, status: unknown, path: string): void {
    if (specType.oneOf || statusType.oneOf) return this.union(specType, statusType, spec, status, path);
    const supplied = new Set(Object.values(specType.props).map(({ alternativeTo }) => alternativeTo));
    const mapped = Object.entries(statusType.props).filter(([, facts]) => isMapped(facts));
    const places = new Map(mapped.map(([name, facts]) => [facts.arm ?? name, [name, facts] as const]));
    for (const [name, facts] of Object.entries(specType.props)) {
      const there = isMapped(facts) && !supplied.has(name) && (facts.arm ?? name) !== 'name' ? places.get(facts.arm ?? name) : undefined;
      const value = own(spec, name);
      if (there === undefined || value === undefined) continue;
      this.value(facts.type, there[1].type, value, own(status, there[0]), `${path}/${name}`);
    }
  }

  private union(specType: TypeFacts, statusType: TypeFacts, spec: Json, status: unknown, path: string): void {
    // The first alternative in the order of the catalog is sent; its discriminator says which one it is.
    const inline = (type: TypeFacts) => Object.entries(type.props).filter(([, facts]) => facts.inline && facts.arm !== null);
    const order = specType.order ?? inline(specType).map(([name]) => name);
    const name = order.find((candidate) => own(spec, candidate) !== undefined && specType.props[candidate]?.inline);
    const facts = name === undefined ? undefined : specType.props[name];
    const there = inline(statusType).find(([, candidate]) => candidate.when !== undefined && candidate.when === facts?.when);
    if (!facts || !there || !isRef(facts.type) || !isRef(there[1].type)) return;
    const { discriminator } = statusType;
    if (discriminator === undefined || !tells(this.version.type(facts.type.ref), own(spec, name!), discriminator, facts.when!)) return;
    this.value(facts.type, there[1].type, own(spec, name!), own(status, there[0]), `${path}/${name}`);
  }

  private value(specType: TypeExpression, statusType: TypeExpression, spec: unknown, status: unknown, path: string): void {
    if (isConstrained(specType)) return this.value(specType.type, statusType, spec, status, path);
    if (isConstrained(statusType)) return this.value(specType, statusType.type, spec, status, path);
    if (isEmptyCollection(spec)) return;
    if (isArray(specType) && isArray(statusType)) {
      const items = (spec as unknown[]).filter((item) => isRef(specType.array) || !isEmptyCollection(item));
      items.forEach((item, index) =>
        this.value(specType.array, statusType.array, item, Array.isArray(status) ? status[index] : undefined, `${path}/${index}`),
      );
    } else if (isMap(specType) && isMap(statusType)) {
      Object.entries(spec as Json).forEach(([key, item]) =>
        this.value(specType.map, statusType.map, item, own(status, key), `${path}/${key}`),
      );
    } else if (isRef(specType) && isRef(statusType)) {
      this.object(this.version.type(specType.ref), this.version.statusTypeNamed(statusType.ref), spec as Json, status, path);
    } else if (isScalar(specType) && specType === statusType) {
      this.compared += 1;
      if (!isDeepStrictEqual(spec, status)) this.lost.push({ path, sent: spec, came: status });
    }
  }
}

/** References and the like have another form in the status. */
function isMapped({ arm, role, inline }: PropertyFacts): boolean {
  return arm !== null && role === undefined && !inline;
}

/** Whether the alternative says by its discriminator that it is the one. */
function tells(type: TypeFacts, value: unknown, discriminator: string, when: string): boolean {
  return Object.entries(type.props).some(([name, facts]) => (facts.arm ?? name) === discriminator && own(value, name) === when);
}
