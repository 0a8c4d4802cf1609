import { SharedTimes } from '../../runtime/shared-times';

/** Milliseconds of a monotonic clock that all threads of the process share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

const [HEARTBEAT, TERM_END, LENGTH] = [0, 1, 2];

/** State that the main thread and the supervisor share without messages. Times are those of `monotonicMs`. */
export class SharedState {
  private readonly times: SharedTimes;

  /** @param memory of another thread's state; default: a new one */
  public constructor(memory?: SharedArrayBuffer) {
    this.times = new SharedTimes(memory ?? LENGTH);
  }

  /** For the state of another thread. */
  public get memory(): SharedArrayBuffer {
    return this.times.memory;
  }

  /** When the event loop of the main thread last turned. */
  public get heartbeatMs(): number {
    return this.times.read(HEARTBEAT);
  }

  public set heartbeatMs(time: number) {
    this.times.write(HEARTBEAT, time);
  }

  /** When this process' term as the leader ends; 0: it does not lead. */
  public get termEndMs(): number {
    return this.times.read(TERM_END);
  }

  public set termEndMs(time: number) {
    this.times.write(TERM_END, time);
  }
}
