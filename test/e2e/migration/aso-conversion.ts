import type { Catalog, Kind } from '../../../src/catalog';
import { openApiSchema, type JsonSchema } from '../../../src/catalog/crd';

/**
 * Conversion as ASO does it, from its documents and from the schemas of the versions alone: the storage form has the structure of the hub
 * version, `originalVersion`, and in `$propertyBag` of each object the members that the hub does not have, as text.
 */

type Value = any;

export interface AsoObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Value;
  readonly spec?: Value;
  readonly status?: Value;
}

const BAG = '$propertyBag';
const ORIGINAL = 'originalVersion';
const isObject = (value: Value): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isStorage = (version: string): boolean => version.endsWith('storage');

/** The version of the catalog that an ASO storage version has the structure of. */
export function hubOf(kind: Kind): string {
  return kind.facts.storageVersion;
}

export function convertAsAso(catalog: Catalog, object: AsoObject, desiredApiVersion: string): AsoObject {
  const [group = '', from = ''] = object.apiVersion.split('/');
  const to = desiredApiVersion.split('/')[1]!;
  if (from === to) return object;
  const kind = catalog.kind(group, object.kind)!;
  const hub = schemasOf(kind, hubOf(kind));
  const stored = isStorage(from)
    ? object
    : {
      ...object,
      spec: object.spec && { ...toHub(object.spec, hub.spec), [ORIGINAL]: from },
      status: object.status && toHub(object.status, hub.status),
    };
  const result = { ...stored, apiVersion: desiredApiVersion };
  if (!isStorage(to)) {
    const target = schemasOf(kind, to);
    if (stored.spec) Object.assign(result, { spec: fromHub(stored.spec, target.spec) });
    if (stored.status) Object.assign(result, { status: fromHub(stored.status, target.status) });
  }
  return JSON.parse(JSON.stringify(result)) as AsoObject;
}

const known = new Map<string, { spec: JsonSchema; status: JsonSchema }>();

function schemasOf(kind: Kind, version: string): { spec: JsonSchema; status: JsonSchema } {
  const key = `${kind.crdName} ${version}`;
  let found = known.get(key);
  if (!found) {
    const { properties } = openApiSchema(kind.version(version)!);
    known.set(key, (found = { spec: properties!.spec!, status: properties!.status! }));
  }
  return found;
}

function fits(value: Value, schema: JsonSchema): boolean {
  if (schema.type === undefined) return true;
  if (schema.type === 'array') return Array.isArray(value);
  if (schema.type === 'object') return isObject(value);
  return schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
}

function toHub(value: Value, schema: JsonSchema): Value {
  if (Array.isArray(value)) return value.map((item) => toHub(item, schema.items ?? {}));
  if (!isObject(value)) return value;
  if (typeof schema.additionalProperties === 'object') {
    const items = schema.additionalProperties;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toHub(item, items)]));
  }
  if (!schema.properties) return value;
  const result: Record<string, Value> = {};
  const bag: Record<string, string> = {};
  for (const [key, item] of Object.entries<Value>(value)) {
    const property = schema.properties[key];
    if (property && fits(item, property)) result[key] = toHub(item, property);
    else bag[key] = typeof item === 'string' ? item : JSON.stringify(item);
  }
  return Object.keys(bag).length > 0 ? { ...result, [BAG]: bag } : result;
}

function fromHub(value: Value, schema: JsonSchema): Value {
  if (Array.isArray(value)) return value.map((item) => fromHub(item, schema.items ?? {}));
  if (!isObject(value)) return value;
  if (typeof schema.additionalProperties === 'object') {
    const items = schema.additionalProperties;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromHub(item, items)]));
  }
  if (!schema.properties) return value;
  const result: Record<string, Value> = {};
  for (const [key, property] of Object.entries(schema.properties)) {
    const kept = value[BAG]?.[key];
    if (value[key] !== undefined && fits(value[key], property)) result[key] = fromHub(value[key], property);
    else if (kept !== undefined) result[key] = property.type === 'string' ? kept : JSON.parse(kept);
  }
  return result;
}
