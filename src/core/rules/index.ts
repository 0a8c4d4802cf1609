export * from './rule-finding';
export * from './rules';
export * from './rule-validation';
