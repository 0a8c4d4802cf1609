export * from './alerts';
export * from './diagnostics';
export * from './private-endpoints';
