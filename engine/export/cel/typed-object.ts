import { spendReading } from './budget';
import { struct } from '../../../src/util/records';

/** A value of a schema type, as an expression sees it. */

export interface TypedField {
  /** Name in the JSON, before escaping. */
  readonly jsonName: string;
  /** A raw value, or undefined for an unset one (which answers the zero value), as the engine needs it. */
  readonly convert: (raw: unknown) => unknown;
}

/** The fields of a type by their escaped names. */
export type TypedFields = Readonly<Record<string, TypedField>>;

/**
 * Reads members lazily: unset ones as the zero value of their type, so that `self.status.a.b` never fails on a typed path, while `isSet`
 * tells what is really there. One subclass a type, because engines know types by their constructors.
 */
export abstract class TypedObject {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #fields: TypedFields;
  readonly #values = new Map<string, unknown>();

  protected constructor(raw: unknown, fields: TypedFields) {
    this.#raw = struct(raw) ?? {};
    this.#fields = fields;
  }

  /** Whether the object has the member at all; `''`, `0` and `false` count as there. */
  public isSet(name: string): boolean {
    const field = this.#field(name);
    return field !== undefined && this.#own(field.jsonName) !== undefined;
  }

  /** The member or its zero value; undefined where the type has none of that name. */
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

  /** Null counts as unset, and what JavaScript objects inherit is no member. */
  #own(jsonName: string): unknown {
    return Object.hasOwn(this.#raw, jsonName) ? (this.#raw[jsonName] ?? undefined) : undefined;
  }

  #field(name: string): TypedField | undefined {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }
}

export type TypedConstructor = new (raw: unknown) => TypedObject;

/** A class for one type. The fields are asked for at the first instance: types may contain themselves. */
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
