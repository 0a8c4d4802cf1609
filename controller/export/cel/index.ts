export * from './engine';
export { createCelEngine } from './cel-js-engine';
export { parseResourceId } from './resource-id';
