import type { PropertyFacts, Scalar, TypeExpression, TypeFacts, Validations } from './facts';
import type { KindVersion } from './kind';
import { scalarFault, SCALARS } from './scalar-fault';
import { isArray, isCommon, isConstrained, isMap, isRef, isScalar } from './type-expression';
import { unknownFields } from './unknown-fields';
import { isRecord, member } from '../util/records';

/** The path of a field: names of members, indexes of lists. */
export type FieldPath = readonly (string | number)[];

/** A field of a spec that its kind's schema does not allow. */
export interface Violation {
  readonly path: FieldPath;
  readonly message: string;
  readonly fix: string;
  /** Whether the API server refuses the object. Otherwise it drops the field. */
  readonly fatal: boolean;
  /** Whether the type has no such field. Fatal only where a required field is missing because of it. */
  readonly unknown?: boolean;
}

const MAX_DEPTH = 64;
const MISSING = 'is missing';

/**
 * Validates a spec against the catalog's schema of its kind. Messages name types and allowed values, but never a value that could be a
 * secret.
 */
export function validateSpec(spec: unknown, version: KindVersion): Violation[] {
  if (!version.facts.spec) return [];
  return checkObject(spec ?? {}, version.specType, ['spec'], version);
}

/** Validates the value of one property against the catalog. */
export function validateProperty(value: unknown, facts: PropertyFacts, path: FieldPath, version: KindVersion): Violation[] {
  return checkValue(value, facts.type, facts, path, version);
}

function checkObject(value: unknown, type: TypeFacts, path: FieldPath, version: KindVersion): Violation[] {
  if (!isRecord(value)) return [wrongType(path, 'an object', value)];
  if (path.length > MAX_DEPTH) {
    return [{ path, message: `nests deeper than ${MAX_DEPTH} levels`, fix: 'remove the inner levels', fatal: true }];
  }
  const present = value as Record<string, unknown>;
  const found: Violation[] = [];
  const meant = new Set<string>();
  const meantBelow = new Set<string>();
  for (const name of Object.keys(present)) {
    if (Object.hasOwn(type.props, name)) continue;
    for (const field of unknownFields(name, present, type, version, spellPath(path))) {
      const at = [...path, ...field.path];
      const required = type.props[field.meant ?? '']?.required === true && member(present, field.meant ?? '') === undefined;
      found.push({ path: at, message: field.message, fix: field.fix, fatal: required, unknown: true });
      if (field.meant !== undefined) meant.add(field.meant);
      if (field.below) meantBelow.add(spellPath([...path, ...field.below]));
      if (field.meant !== undefined && field.correct && field.isGuess !== true) {
        found.push(...checkMoved(field.correct.value, field.meant, type, at, version));
      }
    }
  }
  for (const [name, facts] of Object.entries(type.props)) {
    const own = Object.hasOwn(present, name) ? present[name] : undefined;
    if (own === undefined || own === null) {
      // A field that stands elsewhere, or under another name, is one mistake.
      if (facts.required && !meant.has(name)) found.push(missingField([...path, name], facts, version));
    } else {
      const literal = literalInPlaceOfKey(own, facts, [...path, name]);
      found.push(...(literal ? [literal] : checkValue(own, facts.type, facts, [...path, name], version)));
    }
  }
  // A field that stands above its place is one mistake, too.
  return meantBelow.size === 0 ? found : found.filter((one) => one.message !== MISSING || !meantBelow.has(spellPath(one.path)));
}

/** A value, or the form of another API, where the name and the key of a Secret or ConfigMap belong: one mistake. */
function literalInPlaceOfKey(value: unknown, { role }: PropertyFacts, path: FieldPath): Violation | undefined {
  if (role !== 'secret' && role !== 'configMap') return undefined;
  const isLiteral = ['string', 'number', 'boolean'].includes(typeof value);
  const isOtherForm = isRecord(value) && Object.keys(value).length > 0 && !Object.hasOwn(value, 'name') && !Object.hasOwn(value, 'key');
  if (!isLiteral && !isOtherForm) return undefined;
  const holder = role === 'secret' ? 'Secret' : 'ConfigMap';
  return { path, message: `names no key of a ${holder}`, fix: `write name and key of a ${holder} that has the value`, fatal: true };
}

function checkValue(value: unknown, type: TypeExpression, rules: Validations, path: FieldPath, version: KindVersion): Violation[] {
  if (isConstrained(type)) return checkValue(value, type.type, type, path, version);
  if (isArray(type)) {
    if (!Array.isArray(value)) return [wrongType(path, 'an array', value)];
    const elements = value.flatMap((item, index) => checkValue(item, type.array, {}, [...path, index], version));
    return [...checkLength(value.length, rules, path), ...elements];
  }
  if (isMap(type)) {
    if (!isRecord(value)) return [wrongType(path, 'an object', value)];
    return Object.entries(value).flatMap(([key, item]) => checkValue(item, type.map, {}, [...path, key], version));
  }
  if (isRef(type)) return checkObject(value, version.type(type.ref), path, version);
  if (isCommon(type)) return checkObject(value, version.commonType(type.common), path, version);
  return isScalar(type) ? checkScalar(value, type, rules, path) : [];
}

function checkScalar(value: unknown, type: Scalar, rules: Validations, path: FieldPath): Violation[] {
  const [expected, fits] = SCALARS[type];
  if (!fits(value)) return [wrongType(path, expected, value)];
  const fault = scalarFault(value, rules);
  return fault ? [{ path, message: fault.message, fix: fault.fix ?? 'correct it', fatal: true }] : [];
}

function checkLength(length: number, rules: Validations, path: FieldPath): Violation[] {
  if (rules.minItems !== undefined && length < rules.minItems) {
    return [{ path, message: `has ${length} elements`, fix: `give at least ${rules.minItems}`, fatal: true }];
  }
  if (rules.maxItems !== undefined && length > rules.maxItems) {
    return [{ path, message: `has ${length} elements`, fix: `give at most ${rules.maxItems}`, fatal: true }];
  }
  return [];
}

function checkMoved(value: unknown, name: string, { props }: TypeFacts, path: FieldPath, version: KindVersion): Violation[] {
  const facts = props[name];
  return facts ? checkValue(value, facts.type, facts, path, version) : [];
}

function missingField(path: FieldPath, facts: PropertyFacts, version: KindVersion): Violation {
  return { path, message: MISSING, fix: facts.role === 'owner' ? ownerFix(version) : 'add it', fatal: true };
}

function ownerFix(version: KindVersion): string {
  const owner = version.facts.owner;
  if (owner && owner !== 'any') return `add the name of a ${owner.kind} (name: …) or its ARM id (armId: …)`;
  return 'add the owner (group, kind and name) or its ARM id (armId: …)';
}

function wrongType(path: FieldPath, expected: string, value: unknown): Violation {
  const got =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : ({ object: 'an object', string: 'a text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? typeof value);
  return {
    path,
    message: `is ${got}`,
    fix: expected === 'a string' && got !== 'an object' ? 'put it in quotes' : `write ${expected}`,
    fatal: true,
  };
}

/** The path as text, e.g. `spec.identity.userAssignedIdentities[0].reference` */
export function spellPath(path: FieldPath): string {
  return path.map((segment, index) => (typeof segment === 'number' ? `[${segment}]` : `${index === 0 ? '' : '.'}${segment}`)).join('');
}

/** Parses `spec.a[0].b` into its segments, as far as a message's path allows. */
export function parsePath(path: string): FieldPath {
  return path.split(/\.|(?=\[)/).map((part) => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part));
}
