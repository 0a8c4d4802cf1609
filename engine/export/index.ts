export * from './types';
export { exportsOf } from './exports-of';
export { defaultEngine, fetchSecretValues, secretCallsNeeded, secretsWanted } from './secret-values';
export { inlineExpressions, isolatedExpressions, type ObjectExpressions } from './isolated-expressions';
export { showsExports } from './shown-exports';
export { exportWrite } from './export-write';
export { ownedBy, ownerReferenceOf } from './ownership';
export { createCelEngine, type ExpressionEngine } from './cel';
