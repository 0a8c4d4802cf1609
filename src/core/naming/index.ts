export * from './azure-name-rules';
export * from './azure-naming';
export * from './azure-naming-strategy';
export * from './cloud-adoption-framework-options';
export * from './role-assignment-naming';
