import { isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression, type TypeFacts } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

/** The body of a request with the members and names of the spec; a reference is an ARM id. Members that the spec lacks are left out. */
export function specView(body: Json, version: KindVersion): Json {
  return membersOf(body, version.specType, version);
}

function membersOf(body: Json, type: TypeFacts, version: KindVersion): Json {
  const view: Json = {};
  for (const [name, facts] of Object.entries(type.props)) {
    const value = memberOf(body, name, facts, type);
    if (value !== undefined && value !== null) view[name] = valueOf(value, facts, facts.type, version);
  }
  return view;
}

function memberOf(body: Json, name: string, facts: PropertyFacts, { oneOf, discriminator }: TypeFacts): unknown {
  const { arm, inline, when, role, alternativeTo } = facts;
  // A body has the value itself, and not where it comes from.
  if (arm === null || (alternativeTo !== undefined && (role === 'configMap' || role === 'secret'))) return undefined;
  if (!oneOf || !inline) return at(body, (arm ?? name).split('/'));
  // The members of an alternative lie in the body itself, which has a word for the alternative.
  const word = discriminator === undefined ? undefined : body[discriminator];
  return typeof word === 'string' && word.toLowerCase() === when?.toLowerCase() ? body : undefined;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined), value);
}

function valueOf(value: unknown, facts: PropertyFacts, type: TypeExpression, version: KindVersion): unknown {
  if (isConstrained(type)) return valueOf(value, facts, type.type, version);
  if (isArray(type)) {
    if (Array.isArray(value)) return value.map((item) => valueOf(item, facts, type.array, version));
    // Identities are a map by ARM id in a body, and a list of references in a spec.
    const key = facts.mapKeyFromReference;
    return key !== undefined && isRecord(value) ? Object.keys(value).map((armId) => ({ [key]: { armId } })) : value;
  }
  if (isMap(type)) {
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueOf(item, facts, type.map, version)]));
  }
  if (isCommon(type)) return facts.role?.startsWith('secret') ? {} : typeof value === 'string' ? { armId: value } : value;
  return isRef(type) && isRecord(value) ? membersOf(value, version.type(type.ref), version) : value;
}
