import {
  isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression,
} from '../../src/catalog';
import { parsePath, spellPath, validateProperty, validateSpec, type FieldPath } from '../../src/catalog/validate-spec';
import { isDeeperThan, isRecord, type JsonObject, member } from '../../src/util/records';
import { shortened } from '../../src/util/words';

/** A value in Azure that the schema of the kind's version refuses. */
export interface RefusedValue {
  /** The property that the value stands for: `spec.sku.tier`. */
  readonly property: string;
  /** The value in JSON, shortened. */
  readonly value: string;
  /** Why it is refused, and what is allowed. */
  readonly why: string;
  /**
   * The property that the object lacks for it: the property itself, or the nearest one around it that is not required. Undefined where all
   * are required: the object has the value, and the API server refuses the object.
   */
  readonly leftOut?: string;
}

/** A value of an answer that no value of the spec can stand for, by its place in the spec. */
export interface UnfitValue {
  /** Without `spec`. */
  readonly path: FieldPath;
  readonly found: unknown;
  readonly why: string;
}

export interface Fitted {
  readonly spec: JsonObject;
  readonly refused: readonly RefusedValue[];
  /** Whether a place in the spec went with a value that is refused. */
  readonly isLeftOut: (path: FieldPath) => boolean;
}

const MAX_VALUE_LENGTH = 80;
const MAX_SHOWN_DEPTH = 8;

/**
 * The spec without the values that the schema refuses. A value goes with the nearest property around it that is not required; an element
 * of a list or map never goes alone, since the next PUT would take it out of Azure. Required properties that have no value stay missing.
 *
 * @param unfit values that are in the answer, and not in the spec
 */
export function withoutRefused(version: KindVersion, spec: JsonObject, unfit: readonly UnfitValue[]): Fitted {
  const faults = validateSpec(spec, version)
    .filter(({ fatal }) => fatal)
    .map(({ path, message, fix }): UnfitValue => ({ path: path.slice(1), found: valueAt(spec, path.slice(1)), why: `${message}; ${fix}` }))
    .filter(({ found }) => found !== undefined);
  const left = structuredClone(spec);
  const gone: FieldPath[] = [];
  const refused = [...unfit, ...faults].map(({ path, found, why }): RefusedValue => {
    const around = optionalAround(version, path);
    if (around) {
      remove(left, around);
      gone.push(around);
    }
    return { property: spelt(path), value: inJson(found), why, ...(around && { leftOut: spelt(around) }) };
  });
  const isLeftOut = (path: FieldPath) => gone.some((one) => one.every((segment, at) => segment === path[at]));
  return { spec: left, refused, isLeftOut };
}

/** Why the schema refuses the name that the resource has. It cannot be left out: another name is another resource. */
export function refusedName(version: KindVersion, name: string): RefusedValue[] {
  const facts = version.facts.name === 'azureName' ? version.specType.props.azureName : undefined;
  if (!facts) return [];
  return validateProperty(name, facts, ['spec', 'azureName'], version)
    .map(({ message, fix }) => ({ property: 'spec.azureName', value: inJson(name), why: `${message}; ${fix}` }));
}

/** The path of the deepest property on the way to a value that an object of the kind need not have. */
function optionalAround(version: KindVersion, path: FieldPath): FieldPath | undefined {
  let optional: FieldPath | undefined;
  let type: TypeExpression | undefined = { ref: version.facts.spec! };
  for (const [depth, segment] of path.entries()) {
    const facts: PropertyFacts | undefined = type && properties(version, type)?.[segment];
    if (facts && !facts.required) optional = path.slice(0, depth + 1);
    type = facts ? facts.type : type && elementType(type);
  }
  return optional;
}

function properties(version: KindVersion, type: TypeExpression): Readonly<Record<string, PropertyFacts>> | undefined {
  if (isRef(type)) return version.type(type.ref).props;
  return isCommon(type) ? version.commonType(type.common).props : undefined;
}

/** The type of the elements of a list or map. */
function elementType(type: TypeExpression): TypeExpression | undefined {
  if (isConstrained(type)) return elementType(type.type);
  if (isArray(type)) return type.array;
  return isMap(type) ? type.map : undefined;
}

/** Whether a spec has a value for a property that another version refuses. */
export function hasProperty(spec: JsonObject, property: string): boolean {
  return valueAt(spec, parsePath(property).slice(1)) !== undefined;
}

function valueAt(spec: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, segment) => (Array.isArray(value) ? value[Number(segment)] : member(value, String(segment))), spec);
}

function remove(spec: JsonObject, path: FieldPath): void {
  const holder = valueAt(spec, path.slice(0, -1));
  if (isRecord(holder)) delete holder[String(path.at(-1))];
}

function spelt(path: FieldPath): string {
  return spellPath(['spec', ...path]);
}

/** In JSON as far as a message can show it. Answers may nest without limit. */
function inJson(value: unknown): string {
  return isDeeperThan(value, MAX_SHOWN_DEPTH) ? '{…}' : shortened(JSON.stringify(value), MAX_VALUE_LENGTH);
}
