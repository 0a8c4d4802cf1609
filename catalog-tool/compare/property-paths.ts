import type { KindVersion, PropertyFacts, TypeExpression, TypeFacts } from '../../src/catalog';
import { isArray, isCommon, isConstrained, isMap, isRef } from '../../src/catalog';

/** Path of a property (`spec.sku.name`, `spec.rules[].port`) → its facts. */
export type PropertyPaths = ReadonlyMap<string, PropertyFacts>;

/** All properties of a version's spec and status, by their paths in a manifest. */
export function propertyPaths(version: KindVersion): PropertyPaths {
  const found = new Map<string, PropertyFacts>();
  walk(version.specType, 'spec', [], (name) => version.type(name), found);
  walk(version.statusType, 'status', [], (name) => version.statusTypeNamed(name), found);
  return found;
}

type TypeNamed = (name: string) => TypeFacts;

function walk(type: TypeFacts, at: string, above: readonly TypeFacts[], typeNamed: TypeNamed, found: Map<string, PropertyFacts>): void {
  // A recursive type is visited once.
  if (above.includes(type)) return;
  for (const [name, facts] of Object.entries(type.props)) {
    const path = `${at}.${name}`;
    found.set(path, facts);
    const [inner, suffix] = innerType(facts.type);
    if (inner !== undefined) walk(typeNamed(inner), path + suffix, [...above, type], typeNamed, found);
  }
}

function innerType(type: TypeExpression): [ref: string | undefined, suffix: string] {
  if (isRef(type)) return [type.ref, ''];
  if (isConstrained(type)) return innerType(type.type);
  if (isArray(type) || isMap(type)) {
    const [ref, suffix] = innerType(isArray(type) ? type.array : type.map);
    return [ref, `${isArray(type) ? '[]' : '[*]'}${suffix}`];
  }
  return [undefined, ''];
}

/** The facts of a property without type names: types of different names may have the same properties. */
export function comparable({ type, ...facts }: PropertyFacts): Record<string, unknown> {
  return { ...facts, type: shape(type) };
}

function shape(type: TypeExpression): unknown {
  if (isRef(type)) return 'object';
  if (isCommon(type)) return type.common;
  if (isArray(type)) return { array: shape(type.array) };
  if (isMap(type)) return { map: shape(type.map) };
  return isConstrained(type) ? { ...type, type: shape(type.type) } : type;
}
