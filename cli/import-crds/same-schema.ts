import type { KindVersion } from '../../src/catalog';
import { openApiSchema, type JsonSchema } from '../../src/catalog/crd';

/** The part of a schema that constrains the objects that users write. */
const COUNTS = [
  'type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems', 'default',
  'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string',
] as const;

/** Whether the library's own class for this version takes just the specs that the schema takes. */
export function isBuiltIn(schema: JsonSchema, version: KindVersion): boolean {
  const own = openApiSchema(version).properties!;
  const sameSpec = canonical(schema.properties?.spec) === canonical(own.spec);
  return sameSpec && (schema.properties?.status === undefined || canonical(schema.properties.status) === canonical(own.status));
}

function canonical(schema: JsonSchema | undefined): string {
  return JSON.stringify(essence(schema));
}

function essence(schema: JsonSchema | boolean | undefined): unknown {
  if (typeof schema !== 'object' || schema === null) return schema ?? null;
  const free = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return [
    COUNTS.filter((name) => schema[name] !== undefined && !(free && name === 'type')).map((name) => [name, schema[name]]),
    [...(schema.required ?? [])].sort(),
    Object.entries(schema.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, property]) => [name, essence(property)]),
    essence(schema.items),
    essence(schema.additionalProperties),
  ];
}
