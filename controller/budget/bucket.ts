import type { RequestBucket } from '../../src/azure/arm-request-limits';

/**
 * A bucket of tokens as Azure has it, kept on our side: full at first, a token a request, refilled evenly. Whatever Azure tells it only ever
 * takes tokens away; so in any span of time no more than its size and what came back in that span is given out.
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

  /** There is no more than this left. */
  public clamp(now: number, most: number): void {
    this.refill(now);
    this.tokens = Math.min(this.tokens, Math.max(most, 0));
  }

  /** Milliseconds until it holds so many; 0 where it does. Infinite where it never will. */
  public timeUntil(now: number, tokens: number): number {
    const missing = tokens - this.level(now);
    if (missing <= 0) return 0;
    return tokens > this.limit.size ? Infinity : Math.ceil((missing / this.limit.refillPerSecond) * 1000);
  }

  /** A clock that is set back fills nothing, and one that is set forward no more than the bucket holds. */
  private refill(now: number): void {
    const seconds = Math.max(now - this.filledAt, 0) / 1000;
    this.tokens = Math.min(this.limit.size, this.tokens + seconds * this.limit.refillPerSecond);
    this.filledAt = now;
  }
}
