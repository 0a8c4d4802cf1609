export * from './engine';
export { Budget, BudgetError } from './budget';
export { createCelEngine } from './cel-js-engine';
export { parseResourceId } from './resource-id';
