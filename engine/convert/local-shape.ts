import { ConversionError, spellPlace, type Place } from './conversion-error';
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
import { isRecord, ownMember, typeName } from '../../src/util/records';

/** Roles of properties that the controller reads and does not send to Azure. (Owners have rules of their own.) */
const LOCAL_ROLES: ReadonlySet<string | undefined> = new Set(['azureName', 'operatorSpec', 'configMap']);

/**
 * Checks the shape of properties that are not sent, as `toArm` checks those that are sent: without a schema in between, a numeric name
 * would count as absent, and so would a misspelt export.
 *
 * @throws ConversionError
 */
export function checkLocalShape(version: KindVersion, spec: Readonly<Record<string, unknown>> | undefined): void {
  if (!isRecord(spec)) return; // toArm reports it
  for (const [name, type] of localProperties(version)) check(version, type, ownMember(spec, name), { up: { at: 'spec' }, at: name });
}

const known = new WeakMap<KindVersion, readonly (readonly [name: string, type: TypeExpression])[]>();

function localProperties(version: KindVersion) {
  let properties = known.get(version);
  if (!properties) {
    const local = Object.entries(version.specType.props).filter(([, facts]) => facts.arm === null && LOCAL_ROLES.has(facts.role));
    known.set(version, (properties = local.map(([name, { type }]) => [name, type] as const)));
  }
  return properties;
}

/** Absent and null are the same in Kubernetes and need no check. Types of local properties are not recursive. */
function check(version: KindVersion, type: TypeExpression, value: unknown, place: Place): void {
  if (value === undefined || value === null) return;
  if (isConstrained(type)) return check(version, type.type, value, place);
  if (isArray(type)) {
    if (!Array.isArray(value)) throw wrongType(place, 'an array', value);
    return value.forEach((item, at) => check(version, type.array, item, { up: place, at }));
  }
  if (isMap(type)) return members(value, place).forEach(([at, item]) => check(version, type.map, item, { up: place, at }));
  if (isRef(type)) return checkObject(version, version.type(type.ref), value, place);
  if (isCommon(type)) return checkObject(version, version.commonType(type.common), value, place);
  if (isScalar(type)) checkScalar(type, value, place);
}

function checkObject(version: KindVersion, { props }: TypeFacts, value: unknown, place: Place): void {
  const present = new Map(members(value, place));
  for (const [at, { type, required }] of Object.entries(props)) {
    const own = present.get(at);
    if (required && (own === undefined || own === null)) throw new ConversionError(spellPlace({ up: place, at }), 'is missing');
    check(version, type, own, { up: place, at });
  }
}

function members(value: unknown, place: Place): [string, unknown][] {
  if (!isRecord(value)) throw wrongType(place, 'an object', value);
  return Object.entries(value);
}

const SCALARS: Readonly<Record<Scalar, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  string: ['a text', (value) => typeof value === 'string'],
  integer: ['an integer', (value) => Number.isInteger(value)],
  number: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  json: ['', () => true],
};

function checkScalar(type: Scalar, value: unknown, place: Place): void {
  const [expected, fits] = SCALARS[type];
  if (!fits(value)) throw wrongType(place, expected, value);
}

function wrongType(place: Place, expected: string, value: unknown): ConversionError {
  return new ConversionError(spellPlace(place), `expected ${expected}, got ${typeName(value)}`);
}
