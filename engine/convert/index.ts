export * from './types';
export { ConversionError } from './conversion-error';
export { toArm } from './to-arm';
export { fromArm } from './from-arm';
