import { ConversionError, spellPlace, type Place } from './conversion-error';
import type { ToArm, ValueSource } from './types';
import {
  isArray,
  isCommon,
  isConstrained,
  isMap,
  isRef,
  isScalar,
  type KindVersion,
  type PropertyFacts,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { isDeeperThan, isRecord, type JsonObject, ownMember, setMember, typeName } from '../../src/util/records';

/** Real specs nest some fifteen levels deep; recursive types could nest without limit. */
const MAX_DEPTH = 64;

interface Conversion {
  readonly values: ValueSource;
  readonly depth: number;
}

type Convert = (value: unknown, place: Place, conversion: Conversion) => unknown;

/** Maps one property to the ARM object of its type. */
interface Field {
  readonly name: string;
  /** Segments of the path inside the ARM object. */
  readonly path: readonly string[];
  readonly convert: Convert;
  /** Set for collections: an empty one is left out, or emitted in the form that the catalog gives. */
  readonly collection?: 'array' | 'map' | undefined;
  readonly emit?: PropertyFacts['emit'];
}

/** A compiled type: its alternatives and the ARM paths of its properties. */
interface CompiledType {
  readonly fields: readonly Field[];
  readonly emitted: readonly Field[];
  /** Alternatives of a union, in order of precedence. */
  readonly alternatives: readonly { readonly name: string; readonly convert: Convert }[];
}

const compiledTypes = new WeakMap<KindVersion, Map<string, CompiledType>>();

/**
 * The request body of an object: its spec in ARM's shape, by the catalog alone (catalog/README.md, "From spec to request body"). Throws
 * ConversionError for a spec that does not have the shape of its kind, and any error of the value source.
 */
export const toArm: ToArm = (version, spec, azureName, values) => {
  if (!version.facts.spec || !version.isArm) {
    throw new ConversionError('spec', `${version.kind.kind} is not an ARM resource and has no request body`);
  }
  const body = convertObject(version, version.facts.spec, spec, { at: 'spec' }, { values, depth: 0 });
  if (azureName !== undefined && version.facts.nameInBody !== false) setMember(body, 'name', azureName);
  return body;
};

function convertObject(version: KindVersion, name: string, value: unknown, place: Place, conversion: Conversion): JsonObject {
  if (!isRecord(value)) throw wrongType(place, 'an object', value);
  if (conversion.depth > MAX_DEPTH) throw new ConversionError(spellPlace(place), `nests deeper than ${MAX_DEPTH} levels`);
  const type = compiled(version, name);
  const inner = { values: conversion.values, depth: conversion.depth + 1 };
  const alternative = type.alternatives.find((candidate) => isPresent(ownMember(value, candidate.name)));
  const result: JsonObject = alternative
    ? (alternative.convert(ownMember(value, alternative.name), { up: place, at: alternative.name }, inner) as JsonObject)
    : {};
  for (const field of type.fields) {
    const own = ownMember(value, field.name);
    if (isPresent(own)) write(result, field, field.convert(own, { up: place, at: field.name }, inner));
  }
  for (const field of type.emitted) emitAbsent(result, field);
  return result;
}

function write(result: JsonObject, field: Field, converted: unknown): void {
  let target = result;
  for (const segment of field.path.slice(0, -1)) {
    const next = ownMember(target, segment);
    if (isRecord(next)) {
      target = next;
    } else {
      const created: JsonObject = {};
      setMember(target, segment, created);
      target = created;
    }
  }
  const key = field.path.at(-1)!;
  if (field.collection && isEmpty(converted)) {
    if (field.emit === 'empty') setMember(target, key, field.collection === 'array' ? [] : {});
    else if (field.emit === 'null') setMember(target, key, field.collection === 'array' ? null : {});
    return;
  }
  const existing = ownMember(target, key);
  // Another property may already have set a member below this one.
  if (isRecord(existing) && isRecord(converted)) Object.entries(converted).forEach(([k, v]) => setMember(existing, k, v));
  else setMember(target, key, converted);
}

/** Emits a property with `emit` if its parent object is sent. */
function emitAbsent(result: JsonObject, field: Field): void {
  let target: unknown = result;
  for (const segment of field.path.slice(0, -1)) target = isRecord(target) ? ownMember(target, segment) : undefined;
  const key = field.path.at(-1)!;
  if (!isRecord(target) || Object.hasOwn(target, key)) return;
  setMember(target, key, field.emit === 'null' ? null : field.collection === 'array' ? [] : {});
}

function compiled(version: KindVersion, name: string): CompiledType {
  let types = compiledTypes.get(version);
  if (!types) compiledTypes.set(version, (types = new Map()));
  let type = types.get(name);
  if (!type) types.set(name, (type = compile(version, version.type(name))));
  return type;
}

function compile(version: KindVersion, facts: TypeFacts): CompiledType {
  const sent = Object.entries(facts.props).filter(([, property]) => property.arm !== null);
  const inline = new Map(sent.filter(([, property]) => property.inline && facts.oneOf));
  const fields = sent
    .filter(([name]) => !inline.has(name))
    // A reference takes precedence over its plain alternative.
    .sort(([, a], [, b]) => Number(a.alternativeTo !== undefined) - Number(b.alternativeTo !== undefined))
    .map(([name, property]) => compileField(version, name, property));
  const order = facts.order ?? [...inline.keys()];
  return {
    fields,
    emitted: fields.filter((field) => field.emit),
    alternatives: order
      .filter((name) => inline.has(name))
      .map((name) => ({ name, convert: converterOf(version, inline.get(name)!.type, undefined) })),
  };
}

function compileField(version: KindVersion, name: string, property: PropertyFacts): Field {
  const path = (property.arm ?? name).split('/');
  if (property.mapKeyFromReference) {
    return { name, path, emit: property.emit, collection: 'map', convert: keyedByReference(property.mapKeyFromReference) };
  }
  return {
    name,
    path,
    emit: property.emit,
    collection: isArray(property.type) ? 'array' : isMap(property.type) ? 'map' : undefined,
    convert: converterOf(version, property.type, property.role),
  };
}

/** A text that comes later, in a plan, may become a value of any type. */
function converterOf(version: KindVersion, type: TypeExpression, role: PropertyFacts['role']): Convert {
  const convert = typedConverterOf(version, type, role);
  return (value, place, conversion) => {
    const comesLater = typeof value === 'string' && conversion.values.comesLater?.(value) === true;
    return comesLater ? value : convert(value, place, conversion);
  };
}

function typedConverterOf(version: KindVersion, type: TypeExpression, role: PropertyFacts['role']): Convert {
  if (isConstrained(type)) return converterOf(version, type.type, role);
  if (isArray(type)) {
    const element = converterOf(version, type.array, role);
    return (value, place, conversion) => {
      if (!Array.isArray(value)) throw wrongType(place, 'an array', value);
      return value.map((item, index) => element(item, { up: place, at: index }, conversion));
    };
  }
  if (isMap(type)) {
    const element = converterOf(version, type.map, role);
    return (value, place, conversion) => {
      if (!isRecord(value)) throw wrongType(place, 'an object', value);
      const result: JsonObject = {};
      for (const [key, item] of Object.entries(value)) setMember(result, key, element(item, { up: place, at: key }, conversion));
      return result;
    };
  }
  if (isRef(type)) return (value, place, conversion) => convertObject(version, type.ref, value, place, conversion);
  if (isCommon(type) || !isScalar(type)) return referenceConverter(role);
  return scalarConverter(type);
}

function scalarConverter(type: 'string' | 'integer' | 'number' | 'boolean' | 'json'): Convert {
  const check = (expected: string, fits: (value: unknown) => boolean): Convert => (value, place) => {
    if (!fits(value)) throw wrongType(place, expected, value);
    return value;
  };
  switch (type) {
    case 'string':
      return check('a text', (value) => typeof value === 'string');
    case 'integer':
      return check('an integer', (value) => Number.isInteger(value));
    case 'number':
      return check('a number', (value) => typeof value === 'number' && Number.isFinite(value));
    case 'boolean':
      return check('true or false', (value) => typeof value === 'boolean');
    case 'json':
      return (value, place) => {
        if (isDeeperThan(value, MAX_DEPTH)) throw new ConversionError(spellPlace(place), `nests deeper than ${MAX_DEPTH} levels`);
        return value;
      };
  }
}

function referenceConverter(role: PropertyFacts['role']): Convert {
  return (value, place, { values }) => {
    if (!isRecord(value)) throw wrongType(place, 'an object', value);
    const text = (key: string): string | undefined => {
      const part = ownMember(value, key);
      if (part === undefined || part === null || part === '') return undefined;
      if (typeof part !== 'string') throw wrongType({ up: place, at: key }, 'a text', part);
      return part;
    };
    const required = (key: string): string => {
      const part = text(key);
      if (part === undefined) throw new ConversionError(spellPlace({ up: place, at: key }), 'is missing');
      return part;
    };
    switch (role) {
      case 'secret':
        return values.secret(required('name'), required('key'));
      case 'secretMap':
        return values.secretMap(required('name'));
      case 'configMap':
        return values.configMap(required('name'), required('key'));
      case 'wellKnownReference': {
        const name = text('wellKnownName');
        if (name === undefined) break;
        if (text('armId') ?? text('group') ?? text('kind') ?? text('name')) {
          throw new ConversionError(spellPlace(place), 'gives wellKnownName together with another form of reference');
        }
        return name;
      }
      default:
    }
    return values.reference({ group: text('group'), kind: text('kind'), name: text('name'), armId: text('armId') });
  };
}

/** Converts an array in the spec to an ARM object whose keys are ids. */
function keyedByReference(property: string): Convert {
  const reference = referenceConverter('armReference');
  return (value, place, conversion) => {
    if (!Array.isArray(value)) throw wrongType(place, 'an array', value);
    const result: JsonObject = {};
    value.forEach((item, index) => {
      const at: Place = { up: place, at: index };
      if (!isRecord(item)) throw wrongType(at, 'an object', item);
      const target = ownMember(item, property);
      // Skips elements without a reference: they name no identity.
      if (isPresent(target)) setMember(result, reference(target, { up: at, at: property }, conversion) as string, {});
    });
    return result;
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function wrongType(place: Place, expected: string, value: unknown): ConversionError {
  return new ConversionError(spellPlace(place), `expected ${expected}, got ${typeName(value)}`);
}
