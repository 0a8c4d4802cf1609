export { compare, type Difference } from './compare';
export { driftOf, type Drift } from './drift';
export { bodyShape, type Shape } from './shape';
