/** Assumed concurrency limit as long as no refusal has shown the real one. */
const FIRST_GUESS = 32;
/** Without a refusal for this time, the limit is lifted. Milliseconds. */
const QUIET = 600_000;
/** A request without an answer for this time hangs, and keeps no other one waiting. Milliseconds. */
const LONGEST_ANSWER_MS = 2_000;

/**
 * Limits the concurrent requests to a provider after it has refused some. Providers do not publish their limits, so the requests sent
 * before the first refusal cannot be counted; a token bucket would start full each time the provider opens again.
 *
 * The limit is 1 after a refusal. It doubles with each round of answers up to half of the refused concurrency, and then grows by one a
 * round (as in TCP, RFC 5681).
 */
export class AdaptiveConcurrencyLimit {
  private most = Infinity;
  private enough = FIRST_GUESS;
  /** When the requests without an answer were sent, in that order. */
  private readonly underWay: number[] = [];
  private refusedAt = 0;

  /** Milliseconds until a request may be sent, unless an answer comes first. */
  public timeUntil(now: number): number {
    const excess = this.underWay.length - Math.floor(this.most);
    return excess < 0 ? 0 : Math.max(this.underWay[excess]! + LONGEST_ANSWER_MS - now, 0);
  }

  /** No request is throttled, and no limit is known. */
  public get isFree(): boolean {
    return this.most === Infinity;
  }

  public begin(now: number): void {
    this.underWay.push(now);
  }

  /** @param at when the request was sent */
  public end(at: number): void {
    this.underWay.splice(this.underWay.indexOf(at), 1);
  }

  /** Records the first refusal among too many concurrent requests. */
  public refused(now: number): void {
    // A refused probe shows that it was sent too early, not that the concurrency was too high.
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
