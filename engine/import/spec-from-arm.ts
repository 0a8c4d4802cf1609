import { withoutRefused, type RefusedValue, type UnfitValue } from './refused-values';
import { NOTHING_UNSAID, type Unsaid } from './unsaid';
import { isArmId } from '../../src/azure/arm-id';
import {
  isArray,
  isCommon,
  isConstrained,
  isMap,
  isRef,
  isScalar,
  type KindVersion,
  type PropertyFacts,
  type Scalar,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { SCALARS } from '../../src/catalog/scalar-fault';
import { isDeeperThan, isRecord, type JsonObject, memberIgnoringCase, setMember } from '../../src/util/records';

/** Azure's answers nest some twenty levels deep; recursive types could nest without limit. */
const MAX_DEPTH = 64;
const TOO_DEEP = `it nests deeper than ${MAX_DEPTH} levels`;

/** A secret that the resource has, and that Azure does not show. */
export interface SecretNeeded {
  /** The property of the spec, e.g. `administratorLoginPassword`, or a path: `windowsProfile.adminPassword`. */
  readonly path: readonly (string | number)[];
  /** Whether the schema requires a reference to a Secret there. */
  readonly required: boolean;
  /** Whether all keys of a Secret are meant, not one. */
  readonly map: boolean;
}

/** The values taken over from an answer of Azure. */
export interface ImportedSpec {
  /** The spec, without `owner`, `azureName` and `operatorSpec`. References are ARM ids. */
  readonly spec: JsonObject;
  readonly secrets: readonly SecretNeeded[];
  /** Required properties that the answer has no value for, apart from secrets. */
  readonly missing: readonly string[];
  /** Values of the answer that the schema refuses. */
  readonly refused: readonly RefusedValue[];
}

type Path = readonly (string | number)[];

/** Properties that the importer finds out by itself, and those that take a value from elsewhere. */
const NOT_READ: ReadonlySet<PropertyFacts['role']> = new Set(['owner', 'azureName', 'operatorSpec', 'configMap', 'conditions']);

/**
 * The spec that a resource would have been made from: the inverse of `toArm`, by the same facts. Left out are nulls, empty texts, lists and
 * maps, and everything that no property of the spec stands for; what the schema refuses is in `refused`.
 * @param unsaid values that go without saying; default: none
 */
export function specFromArm(version: KindVersion, answer: unknown, unsaid: Unsaid = NOTHING_UNSAID): ImportedSpec {
  const reading = new Reading(version, unsaid);
  const { spec: name } = version.facts;
  const spec = name === undefined ? undefined : reading.object(version.specType, name, answer, []);
  const { isLeftOut, refused, spec: fitted } = withoutRefused(version, unsaid.computed(version, spec ?? {}, answer), reading.unfit);
  const unfit = new Set(reading.unfit.map(({ path }) => path.join('.')));
  return {
    spec: fitted,
    secrets: reading.secrets.filter(({ path }) => !isLeftOut(path)),
    missing: reading.missing.filter((path) => !isLeftOut(path)).map((path) => path.join('.')).filter((path) => !unfit.has(path)),
    refused,
  };
}

class Reading {
  public readonly secrets: SecretNeeded[] = [];
  public readonly missing: Path[] = [];
  public readonly unfit: UnfitValue[] = [];

  public constructor(private readonly version: KindVersion, private readonly unsaid: Unsaid) {}

  public object(type: TypeFacts, typeName: string, answer: unknown, path: Path): JsonObject | undefined {
    if (!isRecord(answer)) return this.refuse(path, answer, 'an object is needed');
    if (path.length > MAX_DEPTH) return this.refuse(path, answer, TOO_DEEP);
    const result: JsonObject = {};
    const alternative = alternativeOf(type, answer);
    if (alternative === null) this.refuse(path, memberIgnoringCase(answer, type.discriminator!), alternativesOf(type));
    for (const [name, facts] of Object.entries(type.props)) {
      if (facts.arm === null || NOT_READ.has(facts.role) || (type.oneOf && facts.inline && name !== alternative)) continue;
      const value = this.property(name, facts, answer, [...path, name]);
      const isUnsaid = !facts.required && name !== type.discriminator && this.unsaid.property(this.version, typeName, name, value);
      if (value !== undefined && !isUnsaid) setMember(result, name, value);
    }
    // The reference says the same as the plain id beside it.
    for (const [name, { alternativeTo }] of Object.entries(type.props)) {
      if (alternativeTo !== undefined && result[name] !== undefined) delete result[alternativeTo];
    }
    this.noteMissing(type, result, path);
    return result;
  }

  private property(name: string, facts: PropertyFacts, answer: JsonObject, path: Path): unknown {
    const found = facts.inline ? answer : atPath(answer, (facts.arm ?? name).split('/'));
    if (facts.role === 'secret' || facts.role === 'secretMap') {
      const required = facts.required === true;
      if (required || found !== undefined) this.secrets.push({ path, required, map: facts.role === 'secretMap' });
      return undefined;
    }
    if (found === undefined || found === null) return undefined;
    if (facts.mapKeyFromReference !== undefined) return keysAsReferences(found, facts.mapKeyFromReference);
    const value = this.value(facts.type, facts, found, path);
    return isNothing(value) && !facts.required ? undefined : value;
  }

  private value(type: TypeExpression, facts: Pick<PropertyFacts, 'role' | 'enum'>, found: unknown, path: Path): unknown {
    if (isConstrained(type)) return this.value(type.type, { ...facts, ...type }, found, path);
    if (isArray(type)) return this.list(type.array, facts, found, path);
    if (isMap(type)) return this.map(type.map, facts, found, path);
    if (isRef(type)) return this.object(this.version.type(type.ref), type.ref, found, path);
    if (isCommon(type) || !isScalar(type)) return referenceTo(facts.role, found) ?? this.refuse(path, found, 'an ARM id is needed');
    return scalar(type, facts.enum, found) ?? this.refuse(path, found, type === 'json' ? TOO_DEEP : `${SCALARS[type][0]} is needed`);
  }

  /** Notes a value that the spec has no place for. */
  private refuse(path: Path, found: unknown, why: string): undefined {
    if (!isNothing(found) && found !== null) this.unfit.push({ path, found, why });
    return undefined;
  }

  private list(type: TypeExpression, facts: Pick<PropertyFacts, 'role'>, found: unknown, path: Path): unknown {
    if (!Array.isArray(found)) return this.refuse(path, found, 'a list is needed');
    return found.map((item, index) => this.value(type, { ...facts }, item, [...path, index])).filter((item) => item !== undefined);
  }

  private map(type: TypeExpression, facts: Pick<PropertyFacts, 'role'>, found: unknown, path: Path): unknown {
    if (!isRecord(found)) return this.refuse(path, found, 'a map is needed');
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(found)) {
      const value = this.value(type, { ...facts }, item, [...path, key]);
      if (value !== undefined) setMember(result, key, value);
    }
    return result;
  }

  /** Children whose required members are missing are reported by the path of the member: the schema would refuse the object. */
  private noteMissing(type: TypeFacts, result: JsonObject, path: Path): void {
    for (const [name, { required, role }] of Object.entries(type.props)) {
      if (!required || NOT_READ.has(role) || role === 'secret' || role === 'secretMap' || result[name] !== undefined) continue;
      this.missing.push([...path, name]);
    }
  }
}

/**
 * The alternative of a union that an answer is of, by the value of its discriminator: undefined where the answer has none, null where no
 * alternative has the value.
 */
function alternativeOf({ oneOf, discriminator, props }: TypeFacts, answer: JsonObject): string | null | undefined {
  if (!oneOf || discriminator === undefined) return undefined;
  const tag = memberIgnoringCase(answer, discriminator);
  if (typeof tag !== 'string') return undefined;
  return Object.keys(props).find((name) => props[name]!.when?.toLowerCase() === tag.toLowerCase()) ?? null;
}

function alternativesOf({ discriminator, props }: TypeFacts): string {
  const allowed = Object.values(props).flatMap(({ when }) => (when === undefined ? [] : [`'${when}'`]));
  return `it is no ${discriminator} that the schema has; allowed: ${allowed.join(', ')}`;
}

function atPath(answer: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, segment) => (isRecord(value) ? memberIgnoringCase(value, segment) : undefined), answer);
}

function referenceTo(role: PropertyFacts['role'], found: unknown): unknown {
  if (typeof found !== 'string' || found === '') return undefined;
  if (isArmId(found)) return { armId: found };
  return role === 'wellKnownReference' ? { wellKnownName: found } : undefined;
}

/** Azure's object whose keys are ids, as the list of references that the spec has. */
function keysAsReferences(found: unknown, property: string): unknown {
  if (!isRecord(found)) return undefined;
  const references = Object.keys(found).filter(isArmId).map((armId) => ({ [property]: { armId } }));
  return references.length > 0 ? references : undefined;
}

function scalar(type: Scalar, allowed: PropertyFacts['enum'], found: unknown): unknown {
  switch (type) {
    case 'string': {
      const text = typeof found === 'number' || typeof found === 'boolean' ? String(found) : found;
      return typeof text === 'string' ? asSpelt(text, allowed) : undefined;
    }
    // Some services answer numbers and booleans as texts.
    case 'integer':
    case 'number': {
      const number = typeof found === 'string' && /^-?\d+(\.\d+)?$/.test(found) ? Number(found) : found;
      const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
    case 'boolean':
      if (typeof found === 'boolean') return found;
      return typeof found === 'string' && /^(true|false)$/i.test(found) ? found.toLowerCase() === 'true' : undefined;
    case 'json':
      return isDeeperThan(found, MAX_DEPTH) ? undefined : found;
  }
}

/** A text as the schema spells it: services answer in a case of their own. */
function asSpelt(text: string, allowed: PropertyFacts['enum']): string {
  const known = allowed?.find((value) => typeof value === 'string' && value.toLowerCase() === text.toLowerCase());
  return (known as string | undefined) ?? text;
}

function isNothing(value: unknown): boolean {
  if (value === '' || value === undefined) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}
