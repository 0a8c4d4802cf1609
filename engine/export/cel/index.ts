export * from './engine';
export { Budget, BudgetError } from './budget';
export { createCelEngine, longestExpressionError } from './cel-js-engine';
