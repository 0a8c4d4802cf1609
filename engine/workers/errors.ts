/** The reason why a job was stopped. */
export type StopReason =
  /** The job exceeded its deadline. */
  | 'deadline'
  /** The job needed more memory than a worker thread has. */
  | 'memory'
  /** The thread ended. */
  | 'crash';

const TEXTS: Readonly<Record<StopReason, string>> = {
  deadline: 'took longer than it may',
  memory: 'took more memory than it may',
  crash: 'ended its thread',
};

/** The job was stopped because of its input: a retry with the same input would end in the same way. */
export class JobStoppedError extends Error {
  /** @param phase the phase that the job reported last */
  public constructor(public readonly reason: StopReason, public readonly deadlineMs: number, public readonly phase?: string) {
    super(reason === 'deadline' ? `${TEXTS.deadline} (${deadlineMs / 1000} s)` : TEXTS[reason]);
    this.name = 'JobStoppedError';
  }
}

/** The namespace already has the maximum number of waiting jobs. */
export class QueueFullError extends Error {
  public constructor(namespace: string, waiting: number) {
    super(`${waiting} jobs of namespace ${namespace} wait for a thread already; tried again later`);
    this.name = 'QueueFullError';
  }
}
