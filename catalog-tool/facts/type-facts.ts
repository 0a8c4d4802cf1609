import { validationsIn } from './markers';
import type { TypeExpression, Validations } from '../../src/catalog';
import type { GoType } from '../go/syntax';
import { pointed } from '../go/types';
import type { GoPackage } from '../source/go-package';

const SCALARS: Readonly<Record<string, TypeExpression>> = {
  string: 'string',
  bool: 'boolean',
  float32: 'number',
  float64: 'number',
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  uint32: 'integer',
  uint64: 'integer',
};

/** Types of other packages that are scalars in JSON. */
const FOREIGN: Readonly<Record<string, TypeExpression>> = {
  'v1.JSON': 'json', 'apiextensionsv1.JSON': 'json', 'metav1.Time': 'string', 'metav1.ConditionStatus': 'string',
};

/** The type of a property, with the validations of its Go type. */
export interface PropertyType extends Validations {
  readonly type: TypeExpression;
}

/**
 * The catalog's type of a Go type.
 * @param types the package that mentions the type
 * @throws when the tool does not know the type
 */
export function propertyType(goType: GoType, types: GoPackage): PropertyType {
  const bare = pointed(goType);
  switch (bare.is) {
    case 'slice':
      return { type: { array: elementType(bare.of, types) } };
    case 'map':
      return { type: { map: elementType(bare.of, types) } };
    case 'name':
      return named(bare, types);
    default:
      throw new Error(`a property of the Go type ${bare.is === 'other' ? bare.text : bare.is}`);
  }
}

function named({ package: from, name }: { readonly package?: string; readonly name: string }, types: GoPackage): PropertyType {
  if (from !== undefined) return { type: FOREIGN[`${from}.${name}`] ?? { common: name } };
  const scalar = Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined;
  if (scalar !== undefined) return { type: scalar };
  if (types.structs.has(name)) return { type: { ref: name } };
  const alias = types.namedTypes.get(name);
  if (!alias) throw new Error(`the Go type ${name} is not declared`);
  // CRDs have defaults only for properties, not for types.
  const { default: _, ...validations } = validationsIn(alias.comment);
  return { ...propertyType(alias.type, types), ...validations };
}

function elementType(goType: GoType, types: GoPackage): TypeExpression {
  const { type, ...validations } = propertyType(goType, types);
  return Object.keys(validations).length === 0 ? type : { type, ...validations };
}
