import type { PropertyFacts } from '../../src/catalog';
import type { JsonSchema } from '../../src/catalog/crd';

/** A type that all groups share, and what a property of that type means. */
export interface SharedType {
  readonly common: string;
  readonly role?: PropertyFacts['role'];
}

const ARM_REFERENCE = ['armId', 'group', 'kind', 'name'];

/**
 * The type of an object's schema, where it is one that the operator's code has for all groups; recognized by its members and their
 * descriptions.
 */
export function sharedTypeOf(schema: JsonSchema, property: string, inOperatorSpec: boolean): SharedType | undefined {
  const members = Object.keys(schema.properties ?? {}).sort();
  const is = (...names: string[]) => members.length === names.length && names.every((name, index) => members[index] === name);
  const about = Object.values(schema.properties ?? {})
    .map(({ description }) => description ?? '')
    .join(' ');
  if (is('annotations', 'key', 'labels', 'name', 'value')) {
    return textual(schema, ['key', 'name', 'value']) ? { common: 'DestinationExpression' } : undefined;
  }
  if (inOperatorSpec && (is('annotations', 'key', 'labels', 'name') || is('key', 'name'))) {
    return textual(schema, ['key', 'name']) ? { common: 'Destination' } : undefined;
  }
  if (is(...ARM_REFERENCE)) return textual(schema, members) ? { common: 'ResourceReference', role: 'armReference' } : undefined;
  if (is(...ARM_REFERENCE, 'wellKnownName')) {
    return textual(schema, members) ? { common: 'WellKnownResourceReference', role: 'wellKnownReference' } : undefined;
  }
  if (is('key', 'name') && requires(schema, members) && textual(schema, members)) {
    const configMap = /kubernetes\s+config\s?map/i.test(about) || (!/kubernetes\s+secret/i.test(about) && /FromConfig$/.test(property));
    return configMap ? { common: 'ConfigMapReference', role: 'configMap' } : { common: 'SecretReference', role: 'secret' };
  }
  // A struct with nothing but a name is nothing special, unless it says so.
  if (is('name') && requires(schema, members) && /kubernetes\s+secret/i.test(about)) {
    return { common: 'SecretMapReference', role: 'secretMap' };
  }
  return undefined;
}

/** The type of `spec.owner`. */
export function ownerTypeOf(schema: JsonSchema): string | undefined {
  const members = Object.keys(schema.properties ?? {}).sort().join();
  if (!textual(schema, Object.keys(schema.properties ?? {}))) return undefined;
  return (
    {
      'armId,group,kind,name': 'ArbitraryOwnerReference',
      'armId,name': 'KnownResourceReference',
      'group,kind,name': 'ArbitraryOwnerReference',
      'name': 'KubernetesOwnerReference',
    } as Record<string, string>
  )[members];
}

function textual(schema: JsonSchema, names: readonly string[]): boolean {
  return names.every((name) => schema.properties?.[name]?.type === 'string');
}

function requires(schema: JsonSchema, names: readonly string[]): boolean {
  return names.every((name) => schema.required?.includes(name));
}
