import type { PropertyFacts, TypeExpression, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { isArray, isConstrained, isMap, isRef, isScalar } from '../../catalog/type-expression';
import { member, Struct, struct } from '../../util/records';

const MAX_DEPTH = 64;

/** A property of a type that gives the same value as another one. */
export interface Alternative {
  readonly name: string;
  readonly facts: PropertyFacts;
  readonly alternativeTo: string;
}

const NONE: readonly Alternative[] = [];
const known = new WeakMap<TypeFacts, readonly Alternative[]>();

/** The properties of a type that give the same value as another one. */
export function alternativesOf(type: TypeFacts): readonly Alternative[] {
  let found = known.get(type);
  if (!found) {
    const all = Object.entries(type.props)
      .flatMap(([name, facts]) => (facts.alternativeTo === undefined ? [] : [{ name, facts, alternativeTo: facts.alternativeTo }]));
    known.set(type, (found = all.length === 0 ? NONE : all));
  }
  return found;
}

/** The types that a walk is for. */
const SOUGHT = {
  unions: ({ oneOf }: TypeFacts) => oneOf === true,
  alternatives: (type: TypeFacts) => alternativesOf(type).length > 0,
};

/** Whether a type contains, at any depth, a type that is sought; a walk skips all others. */
const worth = { unions: new WeakMap<TypeFacts, boolean>(), alternatives: new WeakMap<TypeFacts, boolean>() };

type Visit = (value: Struct, type: TypeFacts, path: string) => void;

interface Walk {
  readonly version: KindVersion;
  readonly sought: keyof typeof SOUGHT;
  readonly visit: Visit;
}

/** Visits every object of a spec whose type has alternatives, or is a union. */
export function walkStructs(spec: Struct, version: KindVersion, sought: keyof typeof SOUGHT, visit: Visit): void {
  if (version.facts.spec) walkObject(spec, version.specType, 'spec', 0, { version, sought, visit });
}

function walkObject(value: Struct, type: TypeFacts, path: string, depth: number, walk: Walk): void {
  const { version, sought, visit } = walk;
  if (depth > MAX_DEPTH || !isWorth(type, version, sought)) return;
  if (SOUGHT[sought](type)) visit(value, type, path);
  for (const name of Object.keys(value)) {
    const facts = Object.hasOwn(type.props, name) ? type.props[name] : undefined;
    if (facts && !isScalar(facts.type)) walkValue(member(value, name), facts.type, `${path}.${name}`, depth + 1, walk);
  }
}

function walkValue(value: unknown, type: TypeExpression, path: string, depth: number, walk: Walk): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (isConstrained(type)) return walkValue(value, type.type, path, depth, walk);
  if (isArray(type)) {
    if (Array.isArray(value)) value.forEach((item, index) => walkValue(item, type.array, `${path}[${index}]`, depth + 1, walk));
  } else if (isMap(type)) {
    for (const [key, item] of Object.entries(value)) walkValue(item, type.map, `${path}.${key}`, depth + 1, walk);
  } else if (isRef(type)) {
    const object = struct(value);
    if (object) walkObject(object, walk.version.type(type.ref), path, depth + 1, walk);
  }
}

function isWorth(type: TypeFacts, version: KindVersion, sought: keyof typeof SOUGHT): boolean {
  const before = worth[sought].get(type);
  if (before !== undefined) return before;
  const seen = new Set<TypeFacts>();
  const found = search(type);
  worth[sought].set(type, found);
  return found;

  function search(at: TypeFacts): boolean {
    if (seen.has(at)) return false;
    seen.add(at);
    return SOUGHT[sought](at) || Object.values(at.props).some((property) => {
      const inner = innermost(property.type);
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
