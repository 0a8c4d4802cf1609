import type { Field } from './field';
import { formatValue } from '../../core/schema/conversion';
import type { ClaimSchema, SchemaIssue, SchemaResult } from '../../platform-api';
import { suggestion } from '../../util/nearest';
import { isRecord, struct, type Struct } from '../../util/records';

/** The fields that a platform adds to a kind: any schema of an object with named members. */
export type OwnFields = ClaimSchema<unknown> | undefined;

/** Names of the fields that a platform adds to a kind. */
export function namesOf(own: OwnFields): string[] {
  return own ? Object.keys(propertiesOf(own)) : [];
}

/**
 * A kind's fields with those that a platform adds.
 * @param title the property of `platformKinds` that has them, for errors
 * @throws when they are no object with named members, or have a name of the kind's own fields
 */
export function extended(base: Field, own: OwnFields, title: string): Field {
  if (!own) return base;
  const known = struct(base.schema.properties) ?? {};
  const added = propertiesOf(own);
  const twice = Object.keys(added).find((name) => Object.hasOwn(known, name));
  if (Object.keys(added).length === 0) throw new Error(`platformKinds: ${title}: has no named fields. Give the schema of an object, e.g. z.object({ … }).`);
  if (twice !== undefined) throw new Error(`platformKinds: ${title}.${twice}: the kind has a field of this name. Choose another name, or set the kind's own field.`);
  const names = [...Object.keys(known), ...Object.keys(added)];
  const required = [...listOf(base.schema.required), ...listOf(jsonOf(own).required)];
  return {
    schema: { ...base.schema, properties: { ...known, ...added } as Struct, ...(required.length > 0 && { required }) },
    read: (value, path, issues) => {
      if (!isRecord(value)) return base.read(value, path, issues);
      const parts = { base: {} as Record<string, unknown>, own: {} as Record<string, unknown> };
      for (const [name, each] of Object.entries(value)) {
        if (Object.hasOwn(added, name)) parts.own[name] = each;
        else if (Object.hasOwn(known, name)) parts.base[name] = each;
        else issues.push({ path: [...path, name], message: `there is no such field.${suggestion(name, names)} There are: ${names.join(', ')}.` });
      }
      return { ...base.read(parts.base, path, issues) as object, ...checked(own, parts.own, path, issues) };
    },
  };
}

/** A spec without the fields that a platform added: what the constructs take. */
export function withoutOwn<Spec extends object>(spec: Spec, own: OwnFields): Spec {
  const names = namesOf(own);
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name))) as Spec;
}

function checked(own: ClaimSchema<unknown>, value: object, path: readonly (string | number)[], issues: SchemaIssue[]): object {
  const result = own['~standard'].validate(value) as SchemaResult<unknown> | Promise<unknown>;
  if (result instanceof Promise) throw new Error('the schema of own fields is asynchronous: leave out asynchronous checks');
  if (result.issues) {
    issues.push(...result.issues.map(({ message, path: below = [] }) => ({ message, path: [...path, ...below] as SchemaIssue['path'] })));
    return {};
  }
  if (isRecord(result.value)) return result.value;
  issues.push({ path, message: `own fields give ${formatValue(result.value)}, but have to give an object.` });
  return {};
}

function propertiesOf(own: ClaimSchema<unknown>): Readonly<Record<string, unknown>> {
  return struct(jsonOf(own).properties) ?? {};
}

function jsonOf(own: ClaimSchema<unknown>): Record<string, unknown> {
  return own['~standard'].jsonSchema.input({ target: 'openapi-3.0' });
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
