export * from './engine';
export { Budget, BudgetError } from './budget';
export { compileUntyped, createCelEngine, longestExpressionError, type UntypedExpression } from './cel-js-engine';
