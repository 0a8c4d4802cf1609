export * from './types';
export { answersPutWithResource, putShowsResource } from './complete-answers';
export { bodyToSend, changeBody, comparableBody, type ChangedBody } from './body-changes';
export { hooksOf } from './hooks-of';
export { membersNeeded } from './members-needed';
