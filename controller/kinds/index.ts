export * from './types';
export { changeBody } from './body-changes';
export { hooksOf } from './registry';
