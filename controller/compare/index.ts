export { compare, type Difference } from './compare';
export { bodyShape, type Shape } from './shape';
