import type { JsonSchema } from '../../../src/catalog/crd-types';
import { isRecord } from '../../../src/util/records';

/** The fields that every object has besides those of its own schema. */
const METADATA_FIELDS = new Set([
  'name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp',
  'deletionGracePeriodSeconds', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields',
]);

export interface Pruned {
  readonly value: unknown;
  /** Paths of what was taken out, e.g. `spec.foo` or `spec.items[0].bar`. */
  readonly unknown: readonly string[];
}

/** Takes out the fields that the schema does not have, as a server does before it stores an object. */
export function prune(schema: JsonSchema, object: unknown): Pruned {
  const unknown: string[] = [];
  const value = pruneResource(schema, object, '', unknown);
  return { value, unknown: unknown.sort() };
}

function pruneResource(schema: JsonSchema, value: unknown, path: string, unknown: string[]): unknown {
  if (!isRecord(value)) return value;
  const { apiVersion, kind, metadata, ...own } = value;
  const pruned = pruneValue(schema, own, path, unknown) as Record<string, unknown>;
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    ...(metadata !== undefined && { metadata: pruneMetadata(metadata, path ? `${path}.metadata` : 'metadata', unknown) }),
    ...pruned,
  };
}

function pruneMetadata(metadata: unknown, path: string, unknown: string[]): unknown {
  if (!isRecord(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => METADATA_FIELDS.has(name) || !unknown.push(`${path}.${name}`)));
}

function pruneValue(schema: JsonSchema, value: unknown, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, index) => pruneNested(items, item, `${path}[${index}]`, unknown)) : value;
  }
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name;
    const own = schemaOfField(schema, name);
    if (own) kept.push([name, pruneNested(own, field, at, unknown)]);
    else if (keepsUnknown(schema)) kept.push([name, field]);
    else unknown.push(at);
  }
  return Object.fromEntries(kept);
}

const pruneNested = (schema: JsonSchema, value: unknown, path: string, unknown: string[]): unknown =>
  schema['x-kubernetes-embedded-resource'] ? pruneResource(schema, value, path, unknown) : pruneValue(schema, value, path, unknown);

function schemaOfField(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  return isRecord(schema.additionalProperties) ? (schema.additionalProperties as JsonSchema) : undefined;
}

const keepsUnknown = (schema: JsonSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;

/** Fills in the defaults of absent fields. A null where null is not allowed counts as absent, whether there is a default or not. */
export function withDefaults(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => withDefaults(items, item)) : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const own = schemaOfField(schema, name);
    if (!own) return [[name, field]];
    if (field !== null || own.nullable) return [[name, withDefaults(own, field)]];
    return own.default === undefined ? [] : [[name, withDefaults(own, own.default)]];
  });
  const added = Object.entries(schema.properties ?? {})
    .filter(([name, own]) => own.default !== undefined && value[name] === undefined)
    .map(([name, own]): [string, unknown] => [name, withDefaults(own, own.default)]);
  return Object.fromEntries([...entries, ...added]);
}
