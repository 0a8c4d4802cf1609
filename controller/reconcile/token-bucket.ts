/** `RATE_LIMIT_MODE=bucket`: limits the requeues of all kinds together (docs/spec/errors.md#rate-limit). */
export class TokenBucket {
  private tokens: number;
  private filledAt?: number;

  public constructor(private readonly perSecond: number, private readonly capacity: number) {
    this.tokens = capacity;
  }

  /** Takes a token; returns the milliseconds until it may be used. */
  public reserve(now: number): number {
    const refill = this.filledAt === undefined ? 0 : ((now - this.filledAt) / 1000) * this.perSecond;
    this.tokens = Math.min(this.capacity, this.tokens + Math.max(refill, 0)) - 1;
    this.filledAt = now;
    return this.tokens >= 0 ? 0 : Math.ceil((-this.tokens / this.perSecond) * 1000);
  }
}
