import type { TypeExpression, TypeFacts } from '../../src/catalog';
import { isArray, isConstrained, isMap, isRef } from '../../src/catalog';

/** A type and all types that it reaches, each created once. */
export function reachableTypes(root: string, made: (name: string) => TypeFacts): Record<string, TypeFacts> {
  const found: Record<string, TypeFacts> = {};
  const visit = (name: string): void => {
    if (Object.hasOwn(found, name)) return;
    found[name] = made(name);
    for (const { type } of Object.values(found[name].props)) namesIn(type).forEach(visit);
  };
  visit(root);
  return found;
}

function namesIn(type: TypeExpression): string[] {
  if (isRef(type)) return [type.ref];
  if (isArray(type)) return namesIn(type.array);
  if (isMap(type)) return namesIn(type.map);
  return isConstrained(type) ? namesIn(type.type) : [];
}
