import type { JsonSchema } from '../../../src/catalog/crd-types';
import { jsonEquals } from '../../../src/util/json-equals';
import type { FieldError } from '../field-error';
import { duplicate, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../field-error';
import { hasFormat } from './formats';
import { isMultiple } from '../../../src/catalog/scalar-fault';
import { toRegExp } from '../../../src/util/go-pattern';
import { isRecord } from '../../../src/util/records';

/**
 * Members of an object that the schema of a CRD refuses, with the texts of `k8s.io/apiextensions-apiserver`. Rules written in
 * CEL (`x-kubernetes-validations`) are not evaluated.
 */
export function validate(schema: JsonSchema, object: unknown): FieldError[] {
  return errorsOf(schema, object, '');
}

function errorsOf(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  if (value === null && schema.nullable) return [];
  // A value of a wrong type breaks the other rules as well, and a server says so.
  return [typeErrors, valueErrors, combinationErrors, enumErrors].flatMap((errors) => errors(schema, value, path));
}

function valueErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  if (typeof value === 'string') return stringErrors(schema, value, path);
  if (typeof value === 'number') return numberErrors(schema, value, path);
  if (Array.isArray(value)) return arrayErrors(schema, value, path);
  if (isRecord(value)) return objectErrors(schema, value, path);
  return [];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  const is = typeName(value);
  if (schema['x-kubernetes-int-or-string']) {
    return is === 'integer' || is === 'string' ? [] : [typeInvalid(path, is, `${path} in body must be of type integer,string: "${is}"`)];
  }
  const wanted = schema.type;
  if (!wanted || wanted === is || (wanted === 'number' && is === 'integer')) return [];
  return [typeInvalid(path, is, `${path || '<nil>'} in body must be of type ${wanted}: "${is}"`)];
}

function enumErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  return schema.enum && !schema.enum.some((one) => jsonEquals(one, value)) ? [notSupported(path, value, schema.enum)] : [];
}

function stringErrors(schema: JsonSchema, value: string, path: string): FieldError[] {
  const errors = textErrors(schema, value, path);
  if (schema.format === undefined || hasFormat(schema.format, value)) return errors;
  return [...errors, typeInvalid(path, value, `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`)];
}

/** The first of the rules that is broken: a server says no more. */
function textErrors({ maxLength, minLength, pattern }: JsonSchema, value: string, path: string): FieldError[] {
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(path, maxLength)];
  if (minLength !== undefined && length < minLength) {
    return [invalid(path, value, `${path} in body should be at least ${minLength} chars long`)];
  }
  if (pattern !== undefined && toRegExp(pattern)?.test(value) === false) {
    return [invalid(path, value, `${path} in body should match '${pattern}'`)];
  }
  return [];
}

function numberErrors(schema: JsonSchema, value: number, path: string): FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors: FieldError[] = [];
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(invalid(path, value, `${path} in body should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(invalid(path, value, `${path} in body should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    errors.push(invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  return errors;
}

function arrayErrors(schema: JsonSchema, value: unknown[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(invalid(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) errors.push(tooMany(path, value.length, schema.maxItems));
  if (schema.uniqueItems && duplicates(value).length > 0) errors.push(invalid(path, value, `${path} in body shouldn't contain duplicates`));
  errors.push(...keyedErrors(schema, value, path));
  const { items } = schema;
  return items ? [...errors, ...value.flatMap((item, index) => errorsOf(items, item, `${path}[${index}]`))] : errors;
}

/** Lists that are sets or maps hold no element twice. */
function keyedErrors(schema: JsonSchema, value: unknown[], path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  const keyed =
    schema['x-kubernetes-list-type'] === 'set'
      ? value
      : schema['x-kubernetes-list-type'] === 'map' && keys
        ? value.map((item) => Object.fromEntries(keys.map((key) => [key, isRecord(item) ? item[key] : undefined])))
        : [];
  return duplicates(keyed).map((index) => duplicate(`${path}[${index}]`, keyed[index]));
}

const duplicates = (values: unknown[]): number[] =>
  values.flatMap((value, index) => (values.slice(0, index).some((earlier) => jsonEquals(earlier, value)) ? [index] : []));

function objectErrors(schema: JsonSchema, value: Record<string, unknown>, path: string): FieldError[] {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const errors = (schema.required ?? []).filter((name) => value[name] === undefined).map((name) => required(at(name)));
  if (schema.minProperties !== undefined && names.length < schema.minProperties) {
    errors.push(invalid(path, names.length, `${path} in body should have at least ${schema.minProperties} properties`));
  }
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties) {
    errors.push(tooMany(path, names.length, schema.maxProperties));
  }
  for (const name of names) {
    const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name]
      : isRecord(schema.additionalProperties) ? (schema.additionalProperties as JsonSchema) : undefined;
    if (own) errors.push(...errorsOf(own, value[name], at(name)));
  }
  return errors;
}

function combinationErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  const matches = (one: JsonSchema) => errorsOf(one, value, path).length === 0;
  const errors = (schema.allOf ?? []).flatMap((one) => errorsOf(one, value, path));
  if (schema.anyOf && !schema.anyOf.some(matches)) {
    errors.push(invalid(path, value, `${path} in body must validate at least one schema (anyOf)`));
  }
  if (schema.oneOf) {
    const count = schema.oneOf.filter(matches).length;
    if (count !== 1) {
      errors.push(
        invalid(path, value, `${path} in body must validate one and only one schema (oneOf). Found ${count === 0 ? 'none' : count} valid`),
      );
    }
  }
  if (schema.not && matches(schema.not)) errors.push(invalid(path, value, `${path} in body must not validate the schema (not)`));
  return errors;
}
