// Bound when the module is loaded: the code of a job may replace the members of `process`.
const cpuUsage = process.cpuUsage.bind(process);
const nanoseconds = process.hrtime.bigint.bind(process.hrtime);

/** A job that waits, on a busy machine or for a lock, may take so many times its deadline. */
const MAX_STRETCH = 5;

export interface ProcessClock {
  nowMs(): number;
  /** Of a processor, by all threads of the process since its start. */
  usedMs(): number;
}

const PROCESS: ProcessClock = {
  nowMs: () => Number(nanoseconds()) / 1e6,
  usedMs: () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * The time that a thread of this process may have worked since a start. The time of the clock alone would count the work of others on a
 * busy machine. The processor time of the whole process is never less than that of one of its threads, which not every version of Node
 * tells.
 */
export class WorkedTime {
  private readonly began: number;
  private readonly usedBefore: number;

  public constructor(private readonly clock: ProcessClock = PROCESS) {
    this.began = clock.nowMs();
    this.usedBefore = clock.usedMs();
  }

  public get milliseconds(): number {
    return Math.min(this.passedMs, this.clock.usedMs() - this.usedBefore);
  }

  /** Milliseconds after which the deadline is over at the earliest; 0: it is. */
  public left(deadlineMs: number): number {
    return Math.max(0, Math.min(deadlineMs - this.milliseconds, MAX_STRETCH * deadlineMs - this.passedMs));
  }

  private get passedMs(): number {
    return this.clock.nowMs() - this.began;
  }
}
