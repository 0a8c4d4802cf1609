export * from './types';
export { exportsOf, type ExportOptions } from './exports-of';
export { defaultEngine, fetchSecretValues, secretCallsNeeded, secretsWanted } from './secret-values';
export { inlineExpressions, isolatedExpressions, type ObjectExpressions } from './isolated-expressions';
export { exportWrite, ownedBy, ownerReferenceOf, type ExportWrite } from './ownership';
export { createCelEngine, ExpressionError, type CompiledExpression, type ExpressionEngine } from './cel';
