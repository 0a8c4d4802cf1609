export * from './credentials';
export * from './kind-filter';
export * from './reconcile-policies';
export * from './tags';
