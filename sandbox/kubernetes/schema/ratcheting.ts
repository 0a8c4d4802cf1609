import { validate } from './validate';
import type { JsonSchema } from '../../../src/catalog/crd-types';
import { jsonEquals } from '../../../src/util/json-equals';
import { isRecord } from '../../../src/util/records';
import type { FieldError } from '../field-error';

/**
 * The errors of an update: without those of values that the stored object has already, and that the update does not change. Elements of
 * lists have no identity, so that a list counts as a whole.
 *
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting
 */
export function updateErrors(schema: JsonSchema, object: unknown, previous: unknown): FieldError[] {
  const errors = validate(schema, object);
  if (errors.length === 0) return errors;
  const stored = new Set(validate(schema, previous).map(({ field, text }) => `${field} ${text}`));
  return errors.filter(({ field, text }) => !(stored.has(`${field} ${text}`) && isUnchanged(field, object, previous)));
}

function isUnchanged(field: string, object: unknown, previous: unknown): boolean {
  const path = field.split('[')[0]!.split('.').filter((name) => name !== '');
  // A member that is missing is a mistake of the object that should have it.
  const place = valueAt(object, path) === undefined ? path.slice(0, -1) : path;
  return place.length > 0 && jsonEquals(valueAt(object, place), valueAt(previous, place));
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), object);
}
