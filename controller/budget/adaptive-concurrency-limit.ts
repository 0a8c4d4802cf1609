/** So many may be under way when it is not known how many are too much. */
const FIRST_GUESS = 32;
/** After so long without a refusal nothing is throttled any more. Milliseconds. */
const QUIET = 600_000;

/**
 * How many requests may be under way at once where a provider has refused some. A provider's limit cannot be read anywhere, so what went out
 * before the first refusal comes too late; without a pace that would be a full bucket, each time that the provider opens again.
 *
 * One after a refusal; with each round of answers twice as many, up to half of what was too much; from there one more a round (as TCP does
 * it, RFC 5681).
 */
export class AdaptiveConcurrencyLimit {
  private most = Infinity;
  private enough = FIRST_GUESS;
  private underWay = 0;
  private refusedAt = 0;

  public get allows(): boolean {
    return this.underWay < Math.floor(this.most);
  }

  /** Nothing is throttled, and nothing is known. */
  public get isFree(): boolean {
    return this.most === Infinity;
  }

  public begin(): void {
    this.underWay += 1;
  }

  public end(): void {
    this.underWay -= 1;
  }

  /** Of those that were sent too much, the first was refused. */
  public refused(now: number): void {
    // Who goes ahead alone and is refused shows that it was too early, not that it was too many.
    if (this.most !== Infinity && this.most > 1) this.enough = Math.max(this.most / 2, 1);
    this.most = 1;
    this.refusedAt = now;
  }

  public accepted(now: number): void {
    if (this.isFree) return;
    if (now - this.refusedAt >= QUIET || now < this.refusedAt) this.most = Infinity;
    else this.most += this.most < this.enough ? 1 : 1 / this.most;
  }
}
