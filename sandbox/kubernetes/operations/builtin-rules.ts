import { jsonEquals } from '../../../src/util/json-equals';
import { isRecord } from '../../../src/util/records';
import { encodeSecretData } from '../../../src/util/secret-data';
import { ApiError } from '../api-error';
import type { FieldError } from '../field-error';
import { forbidden, invalid } from '../field-error';
import type { StoredObject } from '../objects';
import { without } from '../objects';
import { goKind } from './metadata-rules';
import type { ResourceDefinition } from '../resources/definition';
import { storageName } from '../resources/definition';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The changes that the server makes to objects of its own kinds before it stores them. */
export function defaulted(definition: ResourceDefinition, object: StoredObject): StoredObject {
  switch (storageName(definition)) {
    case 'secrets': return defaultedSecret(object);
    case 'namespaces': return {
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name } },
      spec: { finalizers: ['kubernetes'], ...(object.spec as object | undefined) },
      status: { phase: 'Active', ...(object.status as object | undefined) },
    };
    default: return object;
  }
}

/** `stringData` is for writing only: it becomes part of `data`. */
function defaultedSecret(secret: StoredObject): StoredObject {
  const text = (secret.stringData ?? {}) as Record<string, string>;
  const encoded = encodeSecretData(text);
  const data = { ...(secret.data as object | undefined), ...encoded };
  return { ...without(secret, 'stringData'), ...(Object.keys(data).length > 0 && { data }), type: secret.type ?? 'Opaque' };
}

/**
 * Values that Go's decoder would refuse. Values of Secrets never appear in a message.
 *
 * @throws ApiError 400
 */
export function checkTypes(definition: ResourceDefinition, version: string, object: Record<string, unknown>): void {
  const name = storageName(definition);
  if (name !== 'secrets' && name !== 'configmaps') return;
  const fail = (why: string) => {
    throw ApiError.badRequest(`${definition.kind} in version "${version}" cannot be handled as a ${definition.kind}: ${why}`);
  };
  for (const field of name === 'secrets' ? ['data', 'stringData'] : ['data', 'binaryData']) {
    const map = object[field];
    if (map === undefined || map === null) continue;
    if (!isRecord(map)) {
      return fail(`json: cannot unmarshal ${goKind(map)} into Go struct field ${definition.kind}.${field} of type map[string]string`);
    }
    for (const value of Object.values(map)) {
      if (typeof value !== 'string' && value !== null) {
        return fail(`json: cannot unmarshal ${goKind(value)} into Go struct field ${definition.kind}.${field} of type string`);
      }
      const bytes = (name === 'secrets' && field === 'data') || field === 'binaryData';
      if (bytes && typeof value === 'string' && !BASE64.test(value)) return fail('illegal base64 data at input byte 0');
    }
  }
}

export function builtinErrors(definition: ResourceDefinition, object: StoredObject, previous?: StoredObject): FieldError[] {
  const name = storageName(definition);
  if (name !== 'secrets' && name !== 'configmaps') return [];
  const keys = Object.keys({ ...(object.data as object | undefined), ...(object.binaryData as object | undefined) });
  const errors = keys
    .filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key))
    .map((key) => invalid(`data[${key}]`, key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"));
  const { binaryData = {} } = object as { binaryData?: object };
  for (const key of Object.keys((object.data as object | undefined) ?? {})) {
    if (Object.hasOwn(binaryData, key)) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  if (previous && name === 'secrets' && previous.type !== object.type) errors.push(invalid('type', object.type, 'field is immutable'));
  if (previous?.immutable === true) {
    if (object.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
    if (!jsonEquals(previous.data, object.data)) errors.push(forbidden('data', 'field is immutable when `immutable` is set'));
  }
  return errors;
}
