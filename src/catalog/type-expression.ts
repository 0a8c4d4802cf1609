import type { ConstrainedType, Scalar, TypeExpression } from './facts';

/** Narrowing functions for the union that a property's type is. */
export const isScalar = (type: TypeExpression): type is Scalar => typeof type === 'string';
export const isArray = (type: TypeExpression): type is { array: TypeExpression } => typeof type === 'object' && 'array' in type;
export const isMap = (type: TypeExpression): type is { map: TypeExpression } => typeof type === 'object' && 'map' in type;
export const isRef = (type: TypeExpression): type is { ref: string } => typeof type === 'object' && 'ref' in type;
export const isCommon = (type: TypeExpression): type is { common: string } => typeof type === 'object' && 'common' in type;
export const isConstrained = (type: TypeExpression): type is ConstrainedType => typeof type === 'object' && 'type' in type;
