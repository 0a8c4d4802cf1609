export * from './removal-policies';
export * from './removal-policy';
