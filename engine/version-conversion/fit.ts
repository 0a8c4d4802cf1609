import {
  isArray,
  isCommon,
  isConstrained,
  isMap,
  isRef,
  type KindVersion,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { ownValue } from '../../src/util/elements';
import { isRecord, type JsonObject, setMember } from '../../src/util/records';

/** Real specs nest some fifteen levels deep; types that contain themselves could go on for ever. */
const MAX_DEPTH = 64;

/** Of a member its name; of an element of a list its index, and its `name` where it has one: elements may move. */
export type Segment = string | readonly [index: number, name?: string];
export type Path = readonly Segment[];

/** A value that a version has no place for, and where it stood. */
export type Kept = readonly [path: Path, value: unknown];

/** The part of a version's objects that a conversion works on. */
export interface TypeTree {
  readonly root: TypeExpression;
  /** The type behind a `{ref}` or `{common}`. */
  resolve(type: TypeExpression): TypeFacts | undefined;
}

export function specTree(version: KindVersion): TypeTree {
  return { root: { ref: version.facts.spec! }, resolve: (type) => resolved(version, type, (name) => version.type(name)) };
}

export function statusTree(version: KindVersion): TypeTree {
  return { root: { ref: version.facts.status! }, resolve: (type) => resolved(version, type, (name) => version.statusTypeNamed(name)) };
}

/** The part of a value that a type tree has a place for, and the rest. */
export interface Fitted {
  readonly value: unknown;
  readonly left: readonly Kept[];
}

/** Takes a value apart by a type; undefined where the type has no place for any of it. */
export function fit(tree: TypeTree, type: TypeExpression, value: unknown, path: Path): Fitted | undefined {
  if (!takes(tree, type, value) || path.length > MAX_DEPTH) return undefined;
  if (value === null || type === 'json') return { value, left: [] };
  if (isConstrained(type)) return fit(tree, type.type, value, path);
  if (isArray(type)) return fitList(tree, type.array, value as unknown[], path);
  if (typeof type === 'string') return { value, left: [] };
  return fitObject(tree, type, value as JsonObject, path);
}

/** Whether a value has the shape that a type asks for, as far as one sees without looking into it. */
export function takes(tree: TypeTree, type: TypeExpression, value: unknown): boolean {
  if (type === 'json' || value === null) return true;
  if (isConstrained(type)) return takes(tree, type.type, value);
  if (isArray(type)) return Array.isArray(value) && value.every((element) => takes(tree, type.array, element));
  if (isMap(type)) return isRecord(value) && Object.values(value).every((element) => takes(tree, type.map, element));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    default:
      return isRecord(value);
  }
}

/** The type of a member; undefined where the type of the object has none of that name. */
export function memberType(tree: TypeTree, type: TypeExpression, name: string): TypeExpression | undefined {
  if (isConstrained(type)) return memberType(tree, type.type, name);
  if (isMap(type)) return type.map;
  const props = tree.resolve(type)?.props;
  return props && ownValue(props, name)?.type;
}

export function elementType(type: TypeExpression): TypeExpression | undefined {
  if (isConstrained(type)) return elementType(type.type);
  return isArray(type) ? type.array : undefined;
}

/** The `name` of an element, if it has one that tells it from others. */
export function nameOf(element: unknown): string | undefined {
  return isRecord(element) && Object.hasOwn(element, 'name') && typeof element.name === 'string' ? element.name : undefined;
}

function fitObject(tree: TypeTree, type: TypeExpression, value: JsonObject, path: Path): Fitted {
  const result: JsonObject = {};
  const left: Kept[] = [];
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, name];
    const known = memberType(tree, type, name);
    const fitted = known === undefined ? undefined : fit(tree, known, member, at);
    if (!fitted) {
      left.push([at, member]);
    } else {
      setMember(result, name, fitted.value);
      left.push(...fitted.left);
    }
  }
  return { value: result, left };
}

function fitList(tree: TypeTree, type: TypeExpression, value: readonly unknown[], path: Path): Fitted | undefined {
  // A version without names cannot tell its elements apart by them.
  const named = memberType(tree, type, 'name') !== undefined;
  const elements = value.map((element, index) => {
    const name = named ? nameOf(element) : undefined;
    return fit(tree, type, element, [...path, name === undefined ? [index] : [index, name]]);
  });
  if (elements.some((element) => !element)) return undefined;
  return { value: elements.map((element) => element!.value), left: elements.flatMap((element) => element!.left) };
}

function resolved(version: KindVersion, type: TypeExpression, typeNamed: (name: string) => TypeFacts): TypeFacts | undefined {
  if (isRef(type)) return typeNamed(type.ref);
  return isCommon(type) ? version.commonType(type.common) : undefined;
}
