export { compare, type Difference } from './compare';
export { driftOf, isMarkOf, type Drift, type MarkSecrecy } from './drift';
export { isShowable } from './element-names';
export { bodyShape, memberShape, type Shape } from './shape';
