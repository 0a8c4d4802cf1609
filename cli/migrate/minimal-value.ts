import type { JsonSchema } from '../../src/catalog/crd';

/**
 * The smallest value that a schema takes: what it requires, and nothing else. Patterns are not looked at: the properties that ASO's storage
 * versions require have none.
 */
export function minimalValue(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined && schema.enum.length > 0) return schema.enum[0];
  switch (schema.type) {
    case 'array': return Array.from({ length: schema.minItems ?? 0 }, () => minimalValue(schema.items ?? {}));
    case 'string': return 'x'.repeat(schema.minLength ?? 1);
    case 'boolean': return false;
    case 'integer':
    case 'number': return schema.minimum ?? 0;
    default: return Object.fromEntries((schema.required ?? []).map((name) => [name, minimalValue(schema.properties?.[name] ?? {})]));
  }
}
