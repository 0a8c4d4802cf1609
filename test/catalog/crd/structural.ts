import type { CustomResourceDefinition, JsonSchema } from '../../../src/catalog/crd-types';
import { isRecord } from '../../../src/util/records';

/**
 * The rules that a kube-apiserver has for CRDs, as far as ours can break them: a list of violations.
 *
 * See https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function violations(crd: CustomResourceDefinition): string[] {
  const { group, names, versions } = crd.spec;
  const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
  const problems: string[] = [];
  const need = (holds: boolean, what: string) => holds || problems.push(what);
  need(crd.metadata.name === `${names.plural}.${group}`, 'metadata.name is plural and group');
  need(label.test(names.plural) && label.test(names.singular!), 'plural and singular are DNS labels');
  need(label.test(names.kind.toLowerCase()), 'kind in lower case is a DNS label');
  need(
    [...(names.shortNames ?? []), ...(names.categories ?? [])].every((name) => label.test(name)),
    'short names and categories are DNS labels',
  );
  need(versions.filter((version) => version.storage).length === 1, 'one version is stored');
  need(new Set(versions.map((version) => version.name)).size === versions.length, 'version names are unique');
  for (const version of versions) {
    const root = version.schema!.openAPIV3Schema!;
    need(label.test(version.name), `${version.name} is a DNS label`);
    need(root.type === 'object', `${version.name}: the root is an object`);
    need(Object.keys(root.properties!.metadata!).join() === 'type', `${version.name}: metadata is not specified`);
    need(version.additionalPrinterColumns!.every((column) => column.jsonPath.startsWith('.')), 'json paths begin with a dot');
    problems.push(...schemaViolations(root, version.name));
  }
  return problems;
}

const KNOWN = new Set([
  'type',
  'format',
  'default',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'x-kubernetes-preserve-unknown-fields',
]);

const TYPE_OF: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  object: (value) => isRecord(value),
  array: Array.isArray,
};

function schemaViolations(schema: JsonSchema, path: string): string[] {
  const problems: string[] = [];
  const need = (holds: boolean, what: string) => holds || problems.push(`${path}: ${what}`);
  need(
    Object.keys(schema).every((key) => KNOWN.has(key)),
    `only known keywords, not ${Object.keys(schema)
      .filter((key) => !KNOWN.has(key))
      .join()}`,
  );
  need(schema.type !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true, 'has a type');
  need(!(schema.properties && schema.additionalProperties !== undefined), 'properties and additionalProperties exclude each other');
  need((schema.type === 'array') === (schema.items !== undefined), 'arrays and only arrays have items');
  need(schema.additionalProperties === undefined || typeof schema.additionalProperties === 'object', 'additionalProperties is a schema');
  need(!(schema.properties || schema.additionalProperties) || schema.type === 'object', 'only objects have properties');
  need((schema.required ?? []).every((name) => schema.properties?.[name]), 'required names are properties');
  const isOfType = schema.type ? TYPE_OF[schema.type] : () => true;
  need(schema.enum === undefined || (schema.enum.length > 0 && schema.enum.every(isOfType!)), 'enum values have the type');
  need(schema.default === undefined || isOfType!(schema.default), 'the default has the type');
  need(schema.pattern === undefined || !/\(\?[=!<]|\\[1-9]/.test(schema.pattern), 'patterns are RE2: no look-around, no back references');
  for (const text of ['pattern', 'minLength', 'maxLength', 'format'] as const) {
    need(schema[text] === undefined || schema.type === 'string' || schema.format === 'int64', `${text} is for strings`);
  }
  for (const number of ['minimum', 'maximum', 'multipleOf'] as const) {
    need(schema[number] === undefined || schema.type === 'integer' || schema.type === 'number', `${number} is for numbers`);
  }
  for (const list of ['minItems', 'maxItems'] as const) {
    need(schema[list] === undefined || schema.type === 'array', `${list} is for arrays`);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) problems.push(...schemaViolations(property, `${path}.${name}`));
  if (schema.items) problems.push(...schemaViolations(schema.items, `${path}[]`));
  if (typeof schema.additionalProperties === 'object') problems.push(...schemaViolations(schema.additionalProperties, `${path}{}`));
  return problems;
}
