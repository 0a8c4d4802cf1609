export * from './catalogue-entry';
export * from './model-platform-policy-props';
export * from './self-service-guard-rails';
export * from './self-service-options';
export * from './self-service-policy';
