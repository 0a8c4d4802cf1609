import { apiVersionOf } from '../../../src/object-id';
import { ApiError } from '../api-error';
import type { FieldError } from '../field-error';
import { invalid } from '../field-error';
import type { Metadata, StoredObject } from '../objects';
import { builtinErrors, checkTypes, defaulted } from './builtin-rules';
import { crdErrors } from './crd-rules';
import { checkMetadataTypes, metadataErrors } from './metadata-rules';
import type { Target } from './request';
import type { JsonSchema } from '../../../src/catalog/crd-types';
import { isEmptyObject, isRecord } from '../../../src/util/records';
import { prune, withDefaults } from '../schema/fields';
import { updateErrors } from '../schema/ratcheting';
import { validate } from '../schema/validate';

export interface Decoded {
  readonly object: StoredObject;
  /** Paths of fields that the schema does not have; they are not in the object any more. */
  readonly unknown: readonly string[];
}

/**
 * From a request's body to an object as it is stored: kind and version checked, unknown fields taken out, defaults
 * filled in.
 *
 * @throws ApiError 400 where a real server's decoder gives up.
 */
export function decode({ definition, version, namespace, name }: Target, body: unknown): Decoded {
  const { kind, group } = definition;
  const apiVersion = apiVersionOf({ group, version: version.name });
  if (!isRecord(body)) {
    throw ApiError.badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof body} into Go value of type struct`,
    );
  }
  if (definition.custom && !body.kind) throw ApiError.badRequest("Object 'Kind' is missing in the body of the request");
  if (body.apiVersion && body.apiVersion !== apiVersion) {
    throw ApiError.badRequest(
      `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (definition.custom && body.kind !== kind) {
    const { name: own } = isRecord(body.metadata) ? body.metadata : {};
    throw ApiError.invalid(group, String(body.kind), typeof own === 'string' ? own : '', [invalid('kind', body.kind, `must be ${kind}`)]);
  }
  if (body.kind && body.kind !== kind) throw ApiError.badRequest(`${String(body.kind)} in version "${version.name}" cannot be handled as a ${kind}: no kind "${String(body.kind)}" is registered for this resource`);
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  checkMetadataTypes(kind, version.name, metadata);
  if (definition.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw ApiError.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (name && metadata.name && metadata.name !== name) {
    throw ApiError.badRequest(`the name of the object (${String(metadata.name)}) does not match the name on the URL (${name})`);
  }
  checkTypes(definition, version.name, body);
  const located = { ...body, apiVersion, kind, metadata: placed(metadata, definition.namespaced ? namespace : '', name) };
  const schema = version.schema?.();
  if (!schema) return { object: defaulted(definition, located as StoredObject), unknown: [] };
  const { value, unknown } = prune(schema, located);
  return { object: withDefaults(schema, value) as StoredObject, unknown };
}

/** Metadata with the place that the URL tells, and without empty entries. */
function placed(metadata: Record<string, unknown>, namespace: string, name: string): Metadata {
  const empty = (value: unknown) => value === null || value === undefined || isEmptyObject(value);
  const entries = Object.entries(metadata).filter(([key, value]) => !empty(value) && key !== 'namespace' && key !== 'selfLink');
  // The types of the members were checked before; a name that is still missing is generated, or refused later.
  return { ...Object.fromEntries(entries), ...(name && { name }), ...(namespace && { namespace }) } as unknown as Metadata;
}

/**
 * All rules for an object that is about to be stored.
 *
 * @throws ApiError 422 with all that is wrong.
 */
export function check(
  { definition, version }: Target,
  object: StoredObject,
  previous?: StoredObject,
  more: readonly FieldError[] = [],
): void {
  const schema = version.schema?.();
  const errors = [
    ...metadataErrors(definition, object.metadata),
    ...more,
    ...(schema ? schemaErrors(schema, object, previous) : builtinErrors(definition, object, previous)),
    ...(definition.kind === 'CustomResourceDefinition' ? crdErrors(object) : []),
  ];
  if (errors.length > 0) throw ApiError.invalid(definition.group, definition.kind, object.metadata.name ?? '', errors);
}

function schemaErrors(schema: JsonSchema, object: StoredObject, previous: StoredObject | undefined): FieldError[] {
  return previous ? updateErrors(schema, object, previous) : validate(schema, object);
}
