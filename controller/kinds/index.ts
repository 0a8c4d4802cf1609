export * from './types';
export { changeBody, comparableBody } from './body-changes';
export { hooksOf } from './registry';
export { membersNeeded } from './members-needed';
