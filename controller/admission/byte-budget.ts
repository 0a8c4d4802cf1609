/** Bytes that several requests hold together. */
export class ByteBudget {
  private held = 0;

  public constructor(private readonly limit: number) {}

  /** False where there is no room for so many more. */
  public take(bytes: number): boolean {
    if (this.held + bytes > this.limit) return false;
    this.held += bytes;
    return true;
  }

  public give(bytes: number): void {
    this.held -= bytes;
  }
}

/** What one request holds of a budget. Gives all back at its end, however that comes. */
export class ByteReservation {
  private bytes = 0;

  public constructor(private readonly budget: ByteBudget) {}

  public grow(bytes: number): boolean {
    if (!this.budget.take(bytes)) return false;
    this.bytes += bytes;
    return true;
  }

  public release(): void {
    this.budget.give(this.bytes);
    this.bytes = 0;
  }
}
