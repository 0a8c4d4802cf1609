export * from './informer-set';
export * from './informer-set-options';
export * from './resource-informer';
export * from './telemetry';
export { DEFAULT_TIMING, type ReflectorTiming } from './reflector-timing';
