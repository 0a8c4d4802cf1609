import type { TypeExpression, TypeFacts } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';
import { unknownFields } from './unknown-fields';
import { spellPath, type FieldPath } from './validate-spec';
import { isRecord } from '../util/records';

/** A field that stands in the wrong place or under a wrong name, and where it belongs. */
export interface CorrectedField {
  readonly belongs: FieldPath;
  readonly written: FieldPath;
  /** Whether another field may be meant. */
  readonly isGuess: boolean;
}

export interface CorrectedSpec {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly fields: readonly CorrectedField[];
}

interface Place {
  readonly belongs: FieldPath;
  readonly written: FieldPath;
}

const MAX_DEPTH = 64;

/**
 * A spec with its misspelt and misplaced fields as they are meant, so that one mistake is told once: what follows from it is gone when it
 * is corrected. Undefined if there are none.
 */
export function correctedSpec(spec: Readonly<Record<string, unknown>>, version: KindVersion): CorrectedSpec | undefined {
  // Nearly all specs have none: to see that takes a tenth of the time.
  if (!version.facts.spec || !hasStranger(spec, version.specType, version, 0)) return undefined;
  const fields: CorrectedField[] = [];
  const root = { belongs: ['spec'], written: ['spec'] };
  const corrected = inStruct(spec, version.specType, root);
  return fields.length === 0 ? undefined : { spec: corrected, fields };

  function inStruct(value: Readonly<Record<string, unknown>>, type: TypeFacts, at: Place): Readonly<Record<string, unknown>> {
    if (at.belongs.length > MAX_DEPTH) return value;
    const result: Record<string, unknown> = {};
    const take = (name: string, member: unknown, written: FieldPath) => {
      const facts = type.props[name];
      result[name] = facts ? inValue(member, facts.type, { belongs: [...at.belongs, name], written }) : member;
    };
    const isOwn = (name: string) => Object.hasOwn(type.props, name);
    for (const name of Object.keys(value).filter(isOwn)) take(name, value[name], [...at.written, name]);
    for (const name of Object.keys(value).filter((one) => !isOwn(one))) {
      for (const { meant, correct, path, isGuess } of unknownFields(name, value, type, version, spellPath(at.belongs))) {
        if (meant === undefined || correct === undefined || Object.hasOwn(result, meant)) continue;
        const written = [...at.written, ...path];
        fields.push({ belongs: [...at.belongs, meant], written, isGuess: isGuess === true });
        take(meant, correct.value, written);
      }
      if (name !== 'properties') result[name] = value[name];
    }
    return result;
  }

  function inValue(value: unknown, type: TypeExpression, at: Place): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isConstrained(type)) return inValue(value, type.type, at);
    const below = (step: string | number) => ({ belongs: [...at.belongs, step], written: [...at.written, step] });
    if (isArray(type)) return Array.isArray(value) ? value.map((item: unknown, index) => inValue(item, type.array, below(index))) : value;
    if (!isRecord(value)) return value;
    if (isMap(type)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inValue(item, type.map, below(key))]));
    if (isCommon(type)) return inStruct(value, version.commonType(type.common), at);
    return isRef(type) ? inStruct(value, version.type(type.ref), at) : value;
  }
}

/** Whether a struct has a member, at any depth, that its type does not have. */
function hasStranger(value: Readonly<Record<string, unknown>>, type: TypeFacts, version: KindVersion, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return Object.keys(value).some((name) => {
    const facts = Object.hasOwn(type.props, name) ? type.props[name] : undefined;
    return facts === undefined || hasStrangerWithin(value[name], facts.type, version, depth + 1);
  });
}

function hasStrangerWithin(value: unknown, type: TypeExpression, version: KindVersion, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (isConstrained(type)) return hasStrangerWithin(value, type.type, version, depth);
  if (isArray(type)) return Array.isArray(value) && value.some((item: unknown) => hasStrangerWithin(item, type.array, version, depth + 1));
  if (!isRecord(value)) return false;
  if (isMap(type)) return Object.values(value).some((item) => hasStrangerWithin(item, type.map, version, depth + 1));
  if (isCommon(type)) return hasStranger(value, version.commonType(type.common), version, depth);
  return isRef(type) && hasStranger(value, version.type(type.ref), version, depth);
}

/** The correction that a field is a part of. */
export function correctionAt(path: FieldPath, fields: readonly CorrectedField[]): CorrectedField | undefined {
  const around = fields.filter(({ belongs }) => belongs.every((step, index) => path[index] === step));
  return around.sort((a, b) => b.belongs.length - a.belongs.length)[0];
}

/** The path of a field as it is written, by that where it belongs. */
export function writtenPath(path: FieldPath, fields: readonly CorrectedField[]): FieldPath {
  const found = correctionAt(path, fields);
  return found ? [...found.written, ...path.slice(found.belongs.length)] : path;
}
