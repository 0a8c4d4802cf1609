import type { RequestBucket } from '../../src/azure/arm-request-limits';

/**
 * Client-side copy of Azure's token bucket: full at first, one token a request, refilled evenly. Azure's answers only ever take tokens
 * away, so within any span of time the bucket gives out at most its size plus the refill of that span.
 */
export class Bucket {
  private tokens: number;
  private filledAt: number;

  public constructor(public readonly limit: RequestBucket, now: number) {
    this.tokens = limit.size;
    this.filledAt = now;
  }

  public level(now: number): number {
    this.refill(now);
    return this.tokens;
  }

  public take(now: number): void {
    this.refill(now);
    this.tokens -= 1;
  }

  /** Lowers the level to `most` if it is higher. */
  public clamp(now: number, most: number): void {
    this.refill(now);
    this.tokens = Math.min(this.tokens, Math.max(most, 0));
  }

  /** Milliseconds until the bucket holds this many tokens: 0 if it does now, infinite if it never will. */
  public timeUntil(now: number, tokens: number): number {
    const missing = tokens - this.level(now);
    if (missing <= 0) return 0;
    return tokens > this.limit.size ? Infinity : Math.ceil((missing / this.limit.refillPerSecond) * 1000);
  }

  /** A clock that is set back refills nothing; one that is set forward refills at most to the bucket's size. */
  private refill(now: number): void {
    const seconds = Math.max(now - this.filledAt, 0) / 1000;
    this.tokens = Math.min(this.limit.size, this.tokens + seconds * this.limit.refillPerSecond);
    this.filledAt = now;
  }
}
