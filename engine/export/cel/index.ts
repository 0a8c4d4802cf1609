export * from './engine';
export { Budget, BudgetError } from './budget';
export type { UntypedExpression } from './cel-js-engine';
export { compileUntyped, createCelEngine } from './lazy-engine';
export { longestExpressionError } from './messages';
