export * from './service-reconciliation';
export * from './team-reconciliation';
