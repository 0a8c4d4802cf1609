export * from './facts';
export * from './type-expression';
export { Kind, KindVersion } from './kind';
export { Catalog, importedKind } from './catalog';
export * from './fragment';
export * from './version-order';
export * from './spec-references';
