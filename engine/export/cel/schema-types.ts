import { spendConverting } from './budget';
import { escapedName } from './escape';
import type { TypedConstructor, TypedFields } from './typed-object';
import { typedClass } from './typed-object';
import { isArray, isCommon, isConstrained, isMap, isRef } from '../../../src/catalog';
import type { KindVersion, TypeExpression, TypeFacts } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';

/** A schema type in the form that the engine registers. */
export interface SchemaType {
  readonly name: string;
  readonly ctor: TypedConstructor;
  /** Escaped field name → CEL type. */
  readonly fields: Readonly<Record<string, string>>;
}

type Origin = 'spec' | 'status' | 'common';

const OBJECT_META: Readonly<Record<string, TypeExpression>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'integer',
  creationTimestamp: 'string',
  deletionTimestamp: 'string',
  labels: { map: 'string' },
  annotations: { map: 'string' },
  finalizers: { array: 'string' },
};

/** The types of a kind's objects: `self` and all types that it refers to, from the catalog. */
export class SchemaTypes {
  private readonly known = new Map<string, SchemaType>();

  public constructor(private readonly version: KindVersion) {}

  /** Every type that `self` refers to, each once. */
  public all(): SchemaType[] {
    this.self();
    return [...this.known.values()];
  }

  /** The type of `self`. */
  public self(): SchemaType {
    const { spec, status } = this.version.facts;
    return this.type('Object', () => ({
      apiVersion: this.member('string', 'spec'),
      kind: this.member('string', 'spec'),
      metadata: this.typed(this.type('ObjectMeta', () => this.members(OBJECT_META, 'common'))),
      ...(spec ? { spec: this.member({ ref: spec }, 'spec') } : {}),
      ...(status ? { status: this.member({ ref: status }, 'status') } : {}),
    }));
  }

  private named(origin: Origin, name: string): SchemaType {
    return this.type(`${origin}.${name}`, () => {
      const { props } = this.facts(origin, name);
      return this.members(Object.fromEntries(Object.entries(props).map(([property, { type }]) => [property, type])), origin);
    });
  }

  private facts(origin: Origin, name: string): TypeFacts {
    if (origin === 'common') return this.version.commonType(name);
    return origin === 'status' ? this.version.statusTypeNamed(name) : this.version.type(name);
  }

  private type(name: string, describe: () => Readonly<Record<string, Member>>): SchemaType {
    const known = this.known.get(name);
    if (known) return known;
    const fields: Record<string, string> = {};
    const converters: Record<string, TypedFields[string]> = {};
    // The type is registered before its members, because the members may refer to it.
    const type: { name: string; ctor: TypedConstructor; fields: Record<string, string> } = { name, ctor: undefined as never, fields };
    this.known.set(name, type);
    for (const [jsonName, { celType, convert }] of Object.entries(describe())) {
      const field = escapedName(jsonName);
      fields[field] = celType;
      converters[field] = { jsonName, convert };
    }
    type.ctor = typedClass(Object.keys(fields), () => converters);
    return type;
  }

  private members(types: Readonly<Record<string, TypeExpression>>, origin: Origin): Record<string, Member> {
    return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, this.member(type, origin)]));
  }

  private typed(type: SchemaType): Member {
    return { celType: type.name, convert: (raw) => new type.ctor(raw) };
  }

  private member(type: TypeExpression, origin: Origin): Member {
    if (isConstrained(type)) return this.member(type.type, origin);
    if (isRef(type)) return this.typed(this.named(origin, type.ref));
    if (isCommon(type)) return this.typed(this.named('common', type.common));
    if (isArray(type)) {
      const { celType, convert } = this.member(type.array, origin);
      return { celType: `list<${celType}>`, convert: (raw) => (Array.isArray(raw) ? converted(raw, convert) : []) };
    }
    if (isMap(type)) {
      const { celType, convert } = this.member(type.map, origin);
      return {
        celType: `map<string, ${celType}>`,
        convert: (raw) => new Map(converted(Object.entries(objectOf(raw)), ([key, value]) => [key, convert(value)])),
      };
    }
    return SCALARS[type as keyof typeof SCALARS];
  }
}

interface Member {
  readonly celType: string;
  readonly convert: (raw: unknown) => unknown;
}

const SCALARS: Readonly<Record<'string' | 'integer' | 'number' | 'boolean' | 'json', Member>> = {
  string: { celType: 'string', convert: (raw) => (raw === undefined ? '' : String(raw)) },
  integer: { celType: 'int', convert: (raw) => (typeof raw === 'number' && Number.isFinite(raw) ? BigInt(Math.trunc(raw)) : 0n) },
  number: { celType: 'double', convert: (raw) => (typeof raw === 'number' ? raw : 0) },
  boolean: { celType: 'bool', convert: (raw) => raw === true },
  json: { celType: 'dyn', convert: (raw) => raw ?? null },
};

function converted<From, To>(all: readonly From[], convert: (one: From) => To): To[] {
  spendConverting(all.length);
  return all.map((one) => convert(one));
}

function objectOf(raw: unknown): Record<string, unknown> {
  return isRecord(raw) ? raw : {};
}
