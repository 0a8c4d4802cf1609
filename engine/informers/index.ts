export { compactMetadata, compactObject } from './compact-object';
export * from './informer-set';
export * from './informer-set-options';
export * from './resource-informer';
export type { NamespaceFilter } from './namespace-filter';
export * from './telemetry';
export type { ReflectorTiming } from './reflector-timing';
