export * from '../src/core/rules/validate-spec';
