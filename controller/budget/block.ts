/** Wait after a refusal without `Retry-After`, doubled with each refusal in a row. Milliseconds. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/** Up to this fraction is added to the wait at random, so that several controllers do not retry at the same moment. */
const JITTER = 0.1;
const LONGEST_JITTER = 5_000;
/** A probe without an answer for this time hangs: another request goes ahead. Milliseconds. */
export const LONGEST_PROBE_MS = 2_000;

/**
 * Blocks all requests for a while. Then one request goes ahead as a probe; the others follow unless Azure refuses the probe. Where it gets
 * no answer for two seconds, the next one goes ahead beside it: requests of one tenant may hang.
 *
 *     open ──refused──► blocked ──time is over──► probing ──answered──► open
 *                          ▲────────────────────────┘ refused
 */
export class Block {
  private state: 'open' | 'blocked' | 'probing' = 'open';
  private from = 0;
  private wait = 0;
  private since = 0;
  private refusals = 0;
  private total = 0;

  public get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Whether the last known answer is a refusal. */
  public get isBlocked(): boolean {
    return this.state === 'blocked';
  }

  /** Whether a request may be sent. */
  public allows(now: number): boolean {
    return this.remaining(now) === 0;
  }

  /** Milliseconds until a request may be sent, as far as known: the answer to a probe may come before. */
  public remaining(now: number): number {
    if (this.state === 'open') return 0;
    // A clock that was set back must not make the wait longer.
    if (now < this.from) this.from = now;
    return Math.max(this.from + this.wait - now, 0);
  }

  /** Records a refusal by Azure. Returns true when it begins the block. `random`: uniform in [0, 1). */
  public refuse(now: number, milliseconds: number | undefined, random: number): boolean {
    const begins = this.state === 'open';
    // Requests that were under way at the first refusal are refused as well; they do not lengthen the wait.
    if (this.state !== 'blocked') this.refusals += 1;
    const asked = milliseconds ?? Math.min(FIRST_WAIT * 2 ** Math.min(this.refusals - 1, 10), LONGEST_WAIT);
    const wait = asked + Math.min(asked * JITTER, LONGEST_JITTER) * random;
    this.wait = this.state === 'blocked' ? Math.max(this.remaining(now), wait) : wait;
    this.from = now;
    this.state = 'blocked';
    if (begins) this.since = now;
    return begins;
  }

  /** Records that a request is sent; returns true when it is a probe. */
  public begin(now: number): boolean {
    if (this.state === 'open') return false;
    this.state = 'probing';
    this.from = now;
    this.wait = LONGEST_PROBE_MS;
    return true;
  }

  /** Records that a probe was answered and not refused. Returns true when this ends the block. */
  public open(now: number): boolean {
    if (this.state !== 'probing') return false;
    this.state = 'open';
    this.refusals = 0;
    this.total += Math.max(now - this.since, 0);
    return true;
  }

  /** Records that a probe got no answer: another one may be sent. */
  public again(now: number): void {
    if (this.state !== 'probing') return;
    this.state = 'blocked';
    this.from = now;
    this.wait = 0;
  }

  /** Total time blocked. Milliseconds. */
  public blockedFor(now: number): number {
    return this.state === 'open' ? this.total : this.total + Math.max(now - this.since, 0);
  }
}
