export * from './types';
export { bodyToSend, changeBody, comparableBody, type ChangedBody } from './body-changes';
export { hooksOf } from './registry';
export { membersNeeded } from './members-needed';
