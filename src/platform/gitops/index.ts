export * from './model-service-values';
export * from './service-reconciliation';
export * from './team-reconciliation';
