export * from './api-definition';
export * from './claim';
export * from './claim-error';
export * from './claim-schema';
export * from './composition';
export * from './define-api';
export * from './older-version';
export * from './read-object';
