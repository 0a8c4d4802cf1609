import type { TypeExpression, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { isArray, isConstrained, isMap, isRef, isScalar } from '../../catalog/type-expression';
import { member, Struct, struct } from '../../util/records';

const MAX_DEPTH = 64;

/** Whether a type contains, at any depth, a type that `walkStructs` visits; the walk skips all others. */
const worth = new WeakMap<TypeFacts, boolean>();

/** Visits every object of a spec whose type has alternatives or is a union. */
export function walkStructs(spec: Struct, version: KindVersion, visit: (value: Struct, type: TypeFacts, path: string) => void): void {
  if (version.facts.spec) walkObject(spec, version.specType, 'spec', 0);

  function walkObject(value: Struct, type: TypeFacts, path: string, depth: number): void {
    if (depth > MAX_DEPTH || !isWorth(type, version)) return;
    visit(value, type, path);
    for (const name of Object.keys(value)) {
      const facts = Object.hasOwn(type.props, name) ? type.props[name] : undefined;
      if (facts && !isScalar(facts.type)) walk(member(value, name), facts.type, `${path}.${name}`, depth + 1);
    }
  }

  function walk(value: unknown, type: TypeExpression, path: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (isConstrained(type)) return walk(value, type.type, path, depth);
    if (isArray(type)) {
      if (Array.isArray(value)) value.forEach((item, index) => walk(item, type.array, `${path}[${index}]`, depth + 1));
    } else if (isMap(type)) {
      for (const [key, item] of Object.entries(value)) walk(item, type.map, `${path}.${key}`, depth + 1);
    } else if (isRef(type)) {
      const object = struct(value);
      if (object) walkObject(object, version.type(type.ref), path, depth + 1);
    }
  }
}

function isWorth(type: TypeFacts, version: KindVersion): boolean {
  const known = worth.get(type);
  if (known !== undefined) return known;
  const seen = new Set<TypeFacts>();
  const found = search(type);
  worth.set(type, found);
  return found;

  function search(at: TypeFacts): boolean {
    if (seen.has(at)) return false;
    seen.add(at);
    if (at.oneOf) return true;
    return Object.values(at.props).some(({ alternativeTo, type: expression }) => {
      if (alternativeTo !== undefined) return true;
      const inner = innermost(expression);
      return typeof inner === 'object' && isRef(inner) && search(version.type(inner.ref));
    });
  }
}

function innermost(type: TypeExpression): TypeExpression {
  if (isScalar(type)) return type;
  if (isConstrained(type)) return innermost(type.type);
  if (isArray(type)) return innermost(type.array);
  if (isMap(type)) return innermost(type.map);
  return type;
}
