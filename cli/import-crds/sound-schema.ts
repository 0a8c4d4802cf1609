import { SchemaError } from './schema-error';
import type { JsonSchema } from '../../src/catalog/crd';
import { isRecord } from '../../src/util/records';

/** So that no schema exhausts the stack; what is too deep for a class is refused where classes are made. */
const MAX_DEPTH = 200;

type Check = readonly [expected: string, isSound: (value: unknown) => boolean];

const TEXT: Check = ['a text', (value) => typeof value === 'string'];
const NUMBER: Check = ['a number', (value) => typeof value === 'number'];
const BOOLEAN: Check = ['true or false', (value) => typeof value === 'boolean'];
const TEXTS: Check = ['a list of texts', (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')];
const LIST: Check = ['a list', Array.isArray];

/** https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#JSONSchemaProps */
const MEMBERS: Readonly<Record<string, Check>> = {
  type: TEXT,
  format: TEXT,
  description: TEXT,
  pattern: TEXT,
  nullable: BOOLEAN,
  exclusiveMinimum: BOOLEAN,
  exclusiveMaximum: BOOLEAN,
  minLength: NUMBER,
  maxLength: NUMBER,
  minimum: NUMBER,
  maximum: NUMBER,
  multipleOf: NUMBER,
  minItems: NUMBER,
  maxItems: NUMBER,
  enum: LIST,
  required: TEXTS,
};

/**
 * A schema whose members are what their types say, down to the innermost.
 *
 * @throws SchemaError with the path of the first that is not
 */
export function soundSchema(value: unknown, path: string, depth = 0): JsonSchema {
  if (!isRecord(value)) throw unsound(path, 'an object');
  if (depth > MAX_DEPTH) {
    throw new SchemaError(path, `the schema nests more than ${MAX_DEPTH} levels deep`, "take the CRD from the operator's release");
  }
  for (const [name, [expected, isSound]] of Object.entries(MEMBERS)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined && !isSound(member)) throw unsound(`${path}.${name}`, expected);
  }
  const { properties, items, additionalProperties } = value;
  if (properties !== undefined) {
    if (!isRecord(properties)) throw unsound(`${path}.properties`, 'an object');
    for (const [name, property] of Object.entries(properties)) soundSchema(property, `${path}.${name}`, depth + 1);
  }
  if (items !== undefined) soundSchema(items, `${path}[]`, depth + 1);
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') {
    soundSchema(additionalProperties, `${path}{}`, depth + 1);
  }
  return value as JsonSchema;
}

function unsound(path: string, expected: string): SchemaError {
  return new SchemaError(path, `is not ${expected}, as the schema of a CRD has it`, 'take the CRD from the operator\'s release');
}
