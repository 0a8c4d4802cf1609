export type { Priority, WorkQueueObserver, WorkQueueOptions } from './options';
export { WorkQueue } from './work-queue';
