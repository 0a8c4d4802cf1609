import { STRING, type EnumType, type ParameterType, type ScalarType } from './parameter-type';
import { placeKey } from './texts';
import type { StructModel, TypeModel } from '../../../codegen/model';
import type { Validations } from '../../../src/catalog/facts';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';
import type { Item } from '../item';
import type { KindClass } from '../kind-class';

/** A place of a spec at which a text stands. */
export interface Place {
  readonly type: ParameterType;
  readonly rules: Validations;
}

type Places = Map<string, Place>;

/** The places of the texts of a spec, as far as its class has them. */
export function placesOf({ kindClass: own, otherVersions, object: { spec } }: Item): Places {
  const kindClass = own ?? otherVersions;
  const places: Places = new Map();
  if (kindClass) addStruct(spec, kindClass.model.spec, ['spec'], kindClass, places);
  return places;
}

function addStruct(
  value: unknown, { properties }: StructModel, at: FieldPath, kindClass: KindClass, places: Places,
): void {
  if (!isRecord(value)) return;
  for (const [name, own] of Object.entries(value)) {
    const property = properties.find(({ specName }) => specName === name);
    if (!property) continue;
    const { type, facts, elements } = property;
    addValue(own, type, { at: [...at, name], rules: facts, elements }, kindClass, places);
  }
}

interface Position {
  readonly at: FieldPath;
  readonly rules: Validations;
  /** Rules of the elements of a list or map. */
  readonly elements?: Validations | undefined;
}

function addValue(value: unknown, type: TypeModel, { at, rules, elements }: Position, kindClass: KindClass, places: Places): void {
  const inner = (step: string | number): Position => ({ at: [...at, step], rules: elements ?? {}, elements });
  if (typeof value === 'string') {
    const place = placeType(type, kindClass);
    if (place) places.set(placeKey(at), { type: place, rules });
    return;
  }
  switch (type.is) {
    case 'array':
      if (Array.isArray(value)) value.forEach((item, index) => addValue(item, type.of, inner(index), kindClass, places));
      return;
    case 'map':
      if (isRecord(value)) for (const [key, item] of Object.entries(value)) addValue(item, type.of, inner(key), kindClass, places);
      return;
    case 'declared': {
      const struct = kindClass.struct(type.name);
      if (struct) addStruct(value, struct, at, kindClass, places);
      return;
    }
    case 'owner':
    case 'core':
      // References, and the places of exports, are made of texts.
      addTexts(value, at, places);
      return;
    case 'scalar':
  }
}

function addTexts(value: unknown, at: FieldPath, places: Places): void {
  if (typeof value === 'string') places.set(placeKey(at), { type: STRING, rules: {} });
  if (isRecord(value)) for (const [key, item] of Object.entries(value)) addTexts(item, [...at, key], places);
}

/** The type of a value, if a text can stand for it. */
function placeType(type: TypeModel, kindClass: KindClass): ParameterType | undefined {
  if (type.is === 'array' || type.is === 'map') {
    const of = elementType(type.of, kindClass);
    return of && { is: type.is === 'array' ? 'list' : 'map', of };
  }
  return elementType(type, kindClass);
}

function elementType(type: TypeModel, kindClass: KindClass): ScalarType | EnumType | undefined {
  if (type.is === 'scalar') return { is: type.text };
  if (type.is !== 'declared') return undefined;
  const enumeration = kindClass.enumeration(type.name);
  return enumeration && { is: 'enum', submodule: kindClass.submodule, name: enumeration.name, members: enumeration.members };
}
