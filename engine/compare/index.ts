export { compare, type Difference } from './compare';
export { driftOf, isMarkOf, type Drift, type MarkSecrecy } from './drift';
export { bodyShape, type Shape } from './shape';
