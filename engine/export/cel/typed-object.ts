import { spendReading } from './budget';
import { struct } from '../../../src/util/records';

/** A value of a schema type in the form that an expression sees. */

export interface TypedField {
  /** Name in the JSON, before escaping. */
  readonly jsonName: string;
  /** Converts a raw value, or undefined for an unset one (which gives the zero value), to the engine's form. */
  readonly convert: (raw: unknown) => unknown;
}

/** The fields of a type by their escaped names. */
export type TypedFields = Readonly<Record<string, TypedField>>;

/**
 * Reads members lazily. An unset member reads as the zero value of its type, so that `self.status.a.b` never fails on a typed path; `isSet`
 * reports whether it is set. Each type has its own subclass, because engines identify types by their constructors.
 */
export abstract class TypedObject {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #fields: TypedFields;
  readonly #values = new Map<string, unknown>();

  protected constructor(raw: unknown, fields: TypedFields) {
    this.#raw = struct(raw) ?? {};
    this.#fields = fields;
  }

  /** Whether the object has the member; `''`, `0` and `false` count as set. */
  public isSet(name: string): boolean {
    const field = this.#field(name);
    return field !== undefined && this.#own(field.jsonName) !== undefined;
  }

  /** The member or its zero value; undefined when the type has no member of that name. */
  public read(name: string): unknown {
    const field = this.#field(name);
    if (field === undefined) return undefined;
    if (!this.#values.has(name)) {
      const value = field.convert(this.#own(field.jsonName));
      spendReading(value);
      this.#values.set(name, value);
    }
    return this.#values.get(name);
  }

  /** Null counts as unset, and inherited properties of JavaScript objects are not members. */
  #own(jsonName: string): unknown {
    return Object.hasOwn(this.#raw, jsonName) ? (this.#raw[jsonName] ?? undefined) : undefined;
  }

  #field(name: string): TypedField | undefined {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }
}

export type TypedConstructor = new (raw: unknown) => TypedObject;

/** Creates the class of one type. The fields are resolved at the first instance, because types may be recursive. */
export function typedClass(fieldNames: readonly string[], fields: () => TypedFields): TypedConstructor {
  let known: TypedFields | undefined;
  const type = class extends TypedObject {
    public constructor(raw: unknown) {
      super(raw, (known ??= fields()));
    }
  };
  for (const name of fieldNames) {
    Object.defineProperty(type.prototype, name, {
      get(this: TypedObject) {
        return this.read(name);
      },
    });
  }
  return type;
}
