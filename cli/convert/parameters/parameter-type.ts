import type { EnumModel } from '../../../codegen/model';

/** The type of a prop of a chart. */
export type ParameterType = ScalarType | EnumType | ListType;

export interface ScalarType {
  /** `any`: a text, a number or a boolean, where nothing tells which. */
  readonly is: 'string' | 'number' | 'boolean' | 'any';
}

export interface EnumType {
  readonly is: 'enum';
  readonly submodule: string;
  readonly name: string;
  readonly members: EnumModel['members'];
}

export interface ListType {
  readonly is: 'list' | 'map';
  readonly of: ScalarType | EnumType;
}

export const STRING: ScalarType = { is: 'string' };
export const ANY: ScalarType = { is: 'any' };

/** The type that values of a text must be convertible to. */
export function dominantPlace(places: readonly ParameterType[]): ParameterType | undefined {
  return ['number', 'boolean', 'enum'].map((is) => places.find((place) => place.is === is)).find((place) => place !== undefined);
}

export function isSameType(a: ParameterType, b: ParameterType): boolean {
  if (a.is === 'enum') return b.is === 'enum' && a.name === b.name && a.submodule === b.submodule;
  if (a.is === 'list' || a.is === 'map') return a.is === b.is && isSameType(a.of, b.of);
  return a.is === b.is;
}
