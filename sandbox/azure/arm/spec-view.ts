import { isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

/** The body of a request with the members and names of the spec; a reference is an ARM id. Members that the spec lacks are left out. */
export function specView(body: Json, version: KindVersion): Json {
  return membersOf(body, version.specType.props, version);
}

function membersOf(body: Json, props: Readonly<Record<string, PropertyFacts>>, version: KindVersion): Json {
  const view: Json = {};
  for (const [name, { arm, type, inline }] of Object.entries(props)) {
    if (arm === null || inline) continue;
    const value = at(body, (arm ?? name).split('/'));
    if (value !== undefined && value !== null) view[name] = valueOf(value, type, version);
  }
  return view;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined), value);
}

function valueOf(value: unknown, type: TypeExpression, version: KindVersion): unknown {
  if (isConstrained(type)) return valueOf(value, type.type, version);
  if (isArray(type)) {
    if (Array.isArray(value)) return value.map((item) => valueOf(item, type.array, version));
    // Identities are a map by ARM id in a body, and a list of references in a spec.
    return isRecord(value) ? Object.keys(value).map((armId) => ({ reference: { armId } })) : value;
  }
  if (isMap(type)) return value;
  if (isCommon(type)) return typeof value === 'string' ? { armId: value } : value;
  return isRef(type) && isRecord(value) ? membersOf(value, version.type(type.ref).props, version) : value;
}
