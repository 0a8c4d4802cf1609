export type { Priority, Worker, WorkQueueObserver, WorkQueueOptions } from './options';
export { WorkQueue } from './work-queue';
