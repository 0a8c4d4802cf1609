import type { FromArm } from './types';
import {
  isArray,
  isCommon,
  isConstrained,
  isMap,
  isRef,
  isScalar,
  type KindVersion,
  type Scalar,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { isDeeperThan, isRecord, type JsonObject, memberIgnoringCase, setMember } from '../../src/util/records';

/** Azure's answers nest some twenty levels deep; recursive types could nest without limit. */
const MAX_DEPTH = 64;

/** Reads a value; undefined when it is absent, empty, or not of the type: the status then omits it. */
type Read = (value: unknown, depth: number) => unknown;

interface CompiledType {
  readonly fields: readonly { readonly name: string; readonly path: readonly string[]; readonly read: Read }[];
  readonly discriminator?: string | undefined;
  /** Discriminator value → the alternative. */
  readonly alternatives: ReadonlyMap<string, { readonly name: string; readonly read: Read }>;
}

const compiledTypes = new WeakMap<KindVersion, Map<string, CompiledType>>();

/**
 * The status of an object from Azure's answer, without conditions (catalog/README.md, "From response to status"). Never throws: a member of
 * the wrong type is omitted, because the API server would reject the whole status with it.
 */
export const fromArm: FromArm = (version, arm) => {
  const status = version.facts.status && isRecord(arm) ? readObject(version, version.facts.status, arm, 0) : undefined;
  return (status as JsonObject | undefined) ?? {};
};

function readObject(version: KindVersion, name: string, value: unknown, depth: number): JsonObject | undefined {
  if (!isRecord(value) || depth > MAX_DEPTH) return undefined;
  const type = compiled(version, name);
  const result: JsonObject = {};
  const tag = type.discriminator === undefined ? undefined : memberIgnoringCase(value, type.discriminator);
  const alternative = typeof tag === 'string' ? type.alternatives.get(tag) : undefined;
  if (alternative) {
    const read = alternative.read(value, depth + 1);
    if (read !== undefined) setMember(result, alternative.name, read);
  }
  for (const field of type.fields) {
    const read = field.read(atPath(value, field.path), depth + 1);
    if (read !== undefined) setMember(result, field.name, read);
  }
  return result;
}

function atPath(value: JsonObject, path: readonly string[]): unknown {
  let current: unknown = value;
  for (const segment of path) {
    if (!isRecord(current)) return undefined;
    current = memberIgnoringCase(current, segment);
  }
  return current;
}

function compiled(version: KindVersion, name: string): CompiledType {
  let types = compiledTypes.get(version);
  if (!types) compiledTypes.set(version, (types = new Map()));
  let type = types.get(name);
  if (!type) types.set(name, (type = compile(version, version.statusTypeNamed(name))));
  return type;
}

function compile(version: KindVersion, facts: TypeFacts): CompiledType {
  const alternatives = new Map<string, { name: string; read: Read }>();
  const fields: { name: string; path: string[]; read: Read }[] = [];
  for (const [name, property] of Object.entries(facts.props)) {
    if (property.arm === null || property.role === 'conditions') continue;
    const read = readerOf(version, property.type);
    if (facts.oneOf && property.inline) {
      if (property.when !== undefined) alternatives.set(property.when, { name, read });
    } else {
      fields.push({ name, path: (property.arm ?? name).split('/'), read });
    }
  }
  return { fields, discriminator: facts.discriminator, alternatives };
}

function readerOf(version: KindVersion, type: TypeExpression): Read {
  if (isConstrained(type)) return readerOf(version, type.type);
  if (isArray(type)) {
    const element = readerOf(version, type.array);
    return (value, depth) => {
      if (!Array.isArray(value)) return undefined;
      const items = value.map((item) => element(item, depth + 1)).filter((item) => item !== undefined);
      return items.length > 0 ? items : undefined;
    };
  }
  if (isMap(type)) {
    const element = readerOf(version, type.map);
    return (value, depth) => {
      if (!isRecord(value)) return undefined;
      const result: JsonObject = {};
      for (const [key, item] of Object.entries(value)) {
        const read = element(item, depth + 1);
        if (read !== undefined) setMember(result, key, read);
      }
      return Object.keys(result).length > 0 ? result : undefined;
    };
  }
  if (isRef(type)) return (value, depth) => readObject(version, type.ref, value, depth);
  if (isCommon(type) || !isScalar(type)) return () => undefined;
  return scalarReader(type);
}

function scalarReader(type: Scalar): Read {
  switch (type) {
    case 'string':
      return (value) => (typeof value === 'string' ? value : undefined);
    case 'integer':
      return (value) => (Number.isInteger(value) ? value : undefined);
    case 'number':
      return (value) => (typeof value === 'number' ? value : undefined);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : undefined);
    case 'json':
      return (value) => (value === null || isDeeperThan(value, MAX_DEPTH) ? undefined : value);
  }
}
