export * from './credentials';
export * from './defaults';
export * from './kind-filter';
export * from './reconcile-policies';
export * from './secure-defaults';
export * from './tags';
