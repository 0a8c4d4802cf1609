export * from './source';
export * from './page-server';
export * from './local-server';
export * from './informer-source';
export type { WirePlan } from './wire';
export { withoutSecrets } from './object-yaml';
