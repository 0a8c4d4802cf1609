/** Milliseconds of a monotonic clock that all threads of the process share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

const [HEARTBEAT, TERM_END] = [0, 1];

/** State that the main thread and the supervisor share without messages. Times are those of `monotonicMs`. */
export class SharedState {
  private readonly times: BigInt64Array;

  /** @param memory of another thread's state; default: a new one */
  public constructor(public readonly memory: SharedArrayBuffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.times = new BigInt64Array(memory);
  }

  /** When the event loop of the main thread last turned. */
  public get heartbeatMs(): number {
    return this.read(HEARTBEAT);
  }

  public set heartbeatMs(time: number) {
    this.write(HEARTBEAT, time);
  }

  /** When this process' term as the leader ends; 0: it does not lead. */
  public get termEndMs(): number {
    return this.read(TERM_END);
  }

  public set termEndMs(time: number) {
    this.write(TERM_END, time);
  }

  private read(index: number): number {
    return Number(Atomics.load(this.times, index));
  }

  private write(index: number, time: number): void {
    // Rounded down: a term never ends later than it was given for.
    Atomics.store(this.times, index, BigInt(Number.isFinite(time) ? Math.max(Math.floor(time), 0) : 0));
  }
}
