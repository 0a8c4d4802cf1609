import { formatValue } from '../../core/schema/conversion';
import type { SchemaIssue } from '../../platform-api';
import { suggestion } from '../../util/nearest';
import { isRecord, type Struct } from '../../util/records';

type Path = readonly (string | number)[];

/** A value of a claim: its schema, and its check. */
export interface Field {
  /** OpenAPI 3.0. */
  readonly schema: Struct;
  /** The value for the constructs. Adds an issue where it is none; absent values, null among them, are left to the constructs. */
  readonly read: (value: unknown, path: Path, issues: SchemaIssue[]) => unknown;
}

/** A field for each member of an interface: the compiler reports a missing one. */
export type FieldsOf<T> = { readonly [name in keyof Required<T>]: Field };

function field(schema: Struct, expected: string, accepts: (value: unknown) => boolean): Field {
  return {
    schema,
    read: (value, path, issues) => {
      if (!accepts(value)) issues.push({ path, message: `is ${formatValue(value)}, but has to be ${expected}.` });
      return value;
    },
  };
}

/** A text of at most `most` characters. */
export function text(most = 1024): Field {
  const { schema, read } = field({ type: 'string', maxLength: most }, 'a text', (value) => typeof value === 'string');
  return {
    schema,
    read: (value, path, issues) => {
      if (typeof value === 'string' && value.length > most) issues.push({ path, message: `has ${value.length} characters; ${most} are the most.` });
      return read(value, path, issues);
    },
  };
}

export function integer(): Field {
  return field({ type: 'integer' }, 'a whole number', (value) => Number.isSafeInteger(value));
}

export function flag(): Field {
  return field({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');
}

/** A quantity of Kubernetes: `500m`, or a number, which YAML makes of `2`. */
export function quantity(): Field {
  const schema = { 'anyOf': [{ type: 'integer' }, { type: 'string', maxLength: 64 }], 'x-kubernetes-int-or-string': true };
  const { read } = field(schema, 'a quantity, e.g. 500m', (value) => typeof value === 'string' || Number.isSafeInteger(value));
  return { schema, read: (value, path, issues) => (typeof value === 'number' ? String(read(value, path, issues)) : read(value, path, issues)) };
}

/** One of the values of an enum. */
export function choice(values: Readonly<Record<string, string>> | readonly string[]): Field {
  const known = Object.values(values);
  return {
    schema: { type: 'string', enum: known },
    read: (value, path, issues) => {
      if (!known.includes(value as string)) issues.push({ path, message: `${formatValue(value)} is none of ${known.join(', ')}.` });
      return value;
    },
  };
}

/** Properties of an Azure kind: any object, which the constructs check. */
export function properties(): Field {
  return field({ 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'an object', isRecord);
}

export function list(item: Field, most = 100): Field {
  return {
    schema: { type: 'array', items: item.schema, maxItems: most },
    read: (value, path, issues) => {
      if (!Array.isArray(value)) {
        issues.push({ path, message: `is ${formatValue(value)}, but has to be a list.` });
        return value;
      }
      if (value.length > most) issues.push({ path, message: `has ${value.length} items; ${most} are the most.` });
      return value.slice(0, most).map((each, index) => item.read(each, [...path, index], issues));
    },
  };
}

/** Values by names that the user chooses. */
export function map(value: Field = text(), most = 64): Field {
  return {
    schema: { type: 'object', additionalProperties: value.schema, maxProperties: most },
    read: (given, path, issues) => {
      if (!isRecord(given)) {
        issues.push({ path, message: `is ${formatValue(given)}, but has to be an object.` });
        return given;
      }
      const entries = Object.entries(given);
      if (entries.length > most) issues.push({ path, message: `has ${entries.length} members; ${most} are the most.` });
      return Object.fromEntries(entries.slice(0, most).map(([name, each]) => [name, value.read(each, [...path, name], issues)]));
    },
  };
}

/**
 * An object with these members and no others.
 * @param members a field for each member
 * @param descriptions texts of the members
 * @param required members that the API server asks for; the constructs say what is missing as well
 */
export function struct(
  members: Readonly<Record<string, Field>>, descriptions: Readonly<Record<string, string>>, required: readonly string[] = [],
): Field {
  const schemas = Object.entries(members).map(([name, { schema }]) => [name, described(schema, descriptions[name])]);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(schemas) as Struct,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    read: (value, path, issues) => {
      if (!isRecord(value)) {
        issues.push({ path, message: `is ${formatValue(value)}, but has to be an object.` });
        return value;
      }
      const names = Object.keys(members);
      const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
      return Object.fromEntries(given.map(([name, each]) => {
        const member = Object.hasOwn(members, name) ? members[name] : undefined;
        if (member) return [name, member.read(each, [...path, name], issues)];
        issues.push({ path: [...path, name], message: `there is no such field.${suggestion(name, names)} There are: ${names.join(', ')}.` });
        return [name, each];
      }));
    },
  };
}

function described(schema: Struct, description: string | undefined): Struct {
  return description === undefined ? schema : { ...schema, description };
}
