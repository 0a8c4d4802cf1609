/** True milliseconds of one millisecond, while there are faults. */
export const DISTURBED_SCALE = 4;

/**
 * The time of the protocol of shards, which goes on more slowly than true time: Leases that are renewed every two seconds for a day would
 * be all that a simulation does. Once nothing is disturbed any more it goes on more slowly still.
 */
export class ProtocolTime {
  /** True milliseconds of one millisecond. */
  public scale = DISTURBED_SCALE;
  private before = 0;
  private since = 0;

  /** @param trueTime in milliseconds */
  public constructor(private readonly trueTime: () => number) {}

  public now(): number {
    return this.before + (this.trueTime() - this.since) / this.scale;
  }

  public slowDown(scale: number): void {
    [this.before, this.since] = [this.now(), this.trueTime()];
    this.scale = scale;
  }
}
