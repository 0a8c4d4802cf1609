export * from './facts';
export * from './type-expression';
export { Kind, KindVersion } from './kind';
export { Catalog } from './catalog';
export * from './spec-references';
