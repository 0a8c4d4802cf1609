/** After this time, a request that waits for its client gives its bytes to others. */
const SLOW_AFTER_MS = 1_000;

/** Bytes shared by several requests. Requests with slow clients, while sending the body or reading the answer, make room for others. */
export class ByteBudget {
  private held = 0;
  private readonly holders = new Set<ByteReservation>();

  public constructor(private readonly limit: number) {}

  /** False if there is no room for more bytes. */
  public take(bytes: number, by: ByteReservation): boolean {
    while (this.held + bytes > this.limit) {
      const slow = [...this.holders].find((holder) => holder !== by && holder.isSlow);
      if (!slow) return false;
      slow.giveUp();
    }
    this.held += bytes;
    this.holders.add(by);
    return true;
  }

  public give(bytes: number, by: ByteReservation): void {
    this.held -= bytes;
    this.holders.delete(by);
  }
}

/** The bytes that one request holds of a budget. They are freed at its end, for whatever reason. */
export class ByteReservation {
  private bytes = 0;
  private waiting: { readonly since: number; readonly end: () => void } | undefined;
  private isGivenUp = false;

  public constructor(private readonly budget: ByteBudget) {}

  public grow(bytes: number): boolean {
    if (this.isGivenUp || !this.budget.take(bytes, this)) return false;
    this.bytes += bytes;
    return true;
  }

  /** The request waits for its client from now on; `end` ends it when others need its room. */
  public waitsForClient(end: () => void): void {
    this.waiting = { since: performance.now(), end };
  }

  /** The request is being processed: it keeps its room. */
  public isWorkedOn(): void {
    this.waiting = undefined;
  }

  public get isSlow(): boolean {
    return this.waiting !== undefined && performance.now() - this.waiting.since >= SLOW_AFTER_MS;
  }

  public giveUp(): void {
    const { waiting } = this;
    this.isGivenUp = true;
    this.isWorkedOn();
    this.release();
    waiting?.end();
  }

  public release(): void {
    this.budget.give(this.bytes, this);
    this.bytes = 0;
  }
}
