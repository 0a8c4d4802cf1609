import { isRecord } from '../../../src/util/records';
import { ApiError } from '../api-error';
import type { FieldError } from '../field-error';
import { forbidden, invalid, required } from '../field-error';
import type { Metadata } from '../objects';
import type { ResourceDefinition } from '../resources/definition';

const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;

const fits = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`).test(text);

/** Kinds whose names are DNS labels: no dots. */
const LABEL_NAMED = new Set(['namespaces', 'services']);
const ANY_NAMED = 'rbac.authorization.k8s.io';

/** The rules for the metadata of every object. */
export function metadataErrors(definition: ResourceDefinition, metadata: Metadata): FieldError[] {
  return [
    ...nameErrors(definition, metadata.name),
    ...Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => [
      ...keyErrors('metadata.labels', key),
      ...valueErrors('metadata.labels', value),
    ]),
    ...Object.keys(metadata.annotations ?? {}).flatMap((key) => keyErrors('metadata.annotations', key)),
    ...(metadata.finalizers ?? []).flatMap((finalizer) => keyErrors('metadata.finalizers', finalizer)),
    // Without an index, as a real server has it.
    ...(metadata.ownerReferences ?? []).flatMap((owner) =>
      (['apiVersion', 'kind', 'name', 'uid'] as const)
        .filter((field) => !owner[field])
        .map((field) =>
          invalid(
            `metadata.ownerReferences.${field}`,
            owner[field] ?? '',
            field === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
          ),
        ),
    ),
  ];
}

function nameErrors(definition: ResourceDefinition, name: string): FieldError[] {
  if (!name) return [required('metadata.name', 'name or generateName is required')];
  if (definition.group === ANY_NAMED) {
    return /[/%]|^\.{1,2}$/.test(name) ? [invalid('metadata.name', name, "may not contain '/' or '%'")] : [];
  }
  if (LABEL_NAMED.has(definition.plural) && !definition.group) {
    if (name.length > 63) return [invalid('metadata.name', name, 'must be no more than 63 characters')];
    return fits(LABEL, name) ? [] : [invalid('metadata.name', name,
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`)];
  }
  if (name.length > 253) return [invalid('metadata.name', name, 'must be no more than 253 characters')];
  return fits(SUBDOMAIN, name) ? [] : [invalid('metadata.name', name,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`)];
}

function keyErrors(field: string, key: string): FieldError[] {
  const parts = key.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) {
    return [
      invalid(
        field,
        key,
        "a qualified name must consist of alphanumeric characters, '-', '_' or '.', with an optional DNS subdomain prefix and '/'",
      ),
    ];
  }
  if (parts.length === 2 && !fits(SUBDOMAIN, parts[0] ?? '')) {
    return [
      invalid(field, key, "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'"),
    ];
  }
  if (name.length > 63) return [invalid(field, key, 'name part must be no more than 63 characters')];
  return fits(QUALIFIED, name) ? [] : [invalid(field, key,
    `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`)];
}

function valueErrors(field: string, value: string): FieldError[] {
  if (value.length > 63) return [invalid(field, value, 'must be no more than 63 characters')];
  return fits(LABEL_VALUE, value) ? [] : [invalid(field, value,
    `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`)];
}

/** An object under deletion may lose finalizers, not gain any. */
export function finalizerErrors(before: Metadata, after: Metadata): FieldError[] {
  if (!before.deletionTimestamp) return [];
  const added = (after.finalizers ?? []).filter((finalizer) => !before.finalizers?.includes(finalizer));
  if (added.length === 0) return [];
  const listed = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
    ),
  ];
}

const MAPS = ['labels', 'annotations'] as const;

/**
 * Members of the metadata that Go's JSON decoder would refuse.
 *
 * @throws ApiError 400
 */
export function checkMetadataTypes(kind: string, version: string, metadata: Record<string, unknown>): void {
  const fail = (what: string, field: string, type: string) => {
    throw ApiError.badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: json: cannot unmarshal ${what} into Go struct field ObjectMeta.metadata.${field} of type ${type}`);
  };
  for (const field of MAPS) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (!isRecord(map)) return fail(goKind(map), field, 'map[string]string');
    const wrong = Object.values(map).find((value) => typeof value !== 'string');
    if (wrong !== undefined) return fail(goKind(wrong), field, 'string');
  }
  for (const field of ['finalizers', 'ownerReferences']) {
    const list = metadata[field];
    if (list !== undefined && list !== null && !Array.isArray(list)) return fail(goKind(list), field, '[]string');
  }
}

/** A value as Go's decoder names it. */
export function goKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
