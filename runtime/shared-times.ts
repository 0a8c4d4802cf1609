/** Times in memory that the threads of a process share: a thread that was blocked reads them at once, without a message. */
export class SharedTimes {
  public readonly memory: SharedArrayBuffer;
  private readonly times: BigInt64Array;

  /** @param from number of times, all 0; or the memory of another thread's times */
  public constructor(from: number | SharedArrayBuffer) {
    this.memory = typeof from === 'number' ? new SharedArrayBuffer(from * BigInt64Array.BYTES_PER_ELEMENT) : from;
    this.times = new BigInt64Array(this.memory);
  }

  public read(index: number): number {
    return Number(Atomics.load(this.times, index));
  }

  /** Rounds down: a term never ends later than it was given for. A time that is not finite is stored as 0. */
  public write(index: number, time: number): void {
    Atomics.store(this.times, index, BigInt(Number.isFinite(time) ? Math.floor(time) : 0));
  }
}
