export * from './flux-tenant-labels';
export * from './platform-preset';
export * from './platform-preset-props';
export * from './prefixed-platform-naming';
export * from './prefixed-service-naming';
