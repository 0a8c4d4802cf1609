export * from './catalogue-entry';
export * from './component-policies';
export * from './deputies/deputy';
export * from './self-service-guard-rails';
export * from './self-service-options';
export * from './self-service-policy';
