export * from './informer-set';
export * from './informer-set-options';
export * from './resource-informer';
export * from './telemetry';
export type { ReflectorTiming } from './reflector-timing';
