/** Where Azure refuses without saying for how long: this, doubled with each refusal in a row. Milliseconds. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/** The wait gets this much longer at random, so that several controllers do not come back in the same moment. */
const JITTER = 0.1;
const LONGEST_JITTER = 5_000;

/**
 * Nothing may be sent for a while. After it one request goes ahead to see; the others follow when it was not refused.
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

  /** Whether the last that is known is a refusal. */
  public get isBlocked(): boolean {
    return this.state === 'blocked';
  }

  /** Whether a request may be sent. */
  public allows(now: number): boolean {
    return this.remaining(now) === 0;
  }

  /** Milliseconds until one may be sent; infinite as long as another one is ahead to see. */
  public remaining(now: number): number {
    if (this.state !== 'blocked') return this.state === 'open' ? 0 : Infinity;
    // A clock that was set back must not make the wait longer.
    if (now < this.from) this.from = now;
    return Math.max(this.from + this.wait - now, 0);
  }

  /** Azure refuses. True when it did not do so before. `random`: uniform in [0, 1). */
  public refuse(now: number, milliseconds: number | undefined, random: number): boolean {
    const begins = this.state === 'open';
    // Those that were under way at the first refusal are refused as well: no reason to wait longer with each.
    if (this.state !== 'blocked') this.refusals += 1;
    const asked = milliseconds ?? Math.min(FIRST_WAIT * 2 ** Math.min(this.refusals - 1, 10), LONGEST_WAIT);
    const wait = asked + Math.min(asked * JITTER, LONGEST_JITTER) * random;
    this.wait = this.state === 'blocked' ? Math.max(this.remaining(now), wait) : wait;
    this.from = now;
    this.state = 'blocked';
    if (begins) this.since = now;
    return begins;
  }

  /** A request is sent; true when it is the one that goes ahead. */
  public begin(): boolean {
    if (this.state !== 'blocked') return false;
    this.state = 'probing';
    return true;
  }

  /** The one that went ahead was answered, and not refused. True when the block ends with it. */
  public open(now: number): boolean {
    if (this.state !== 'probing') return false;
    this.state = 'open';
    this.refusals = 0;
    this.total += Math.max(now - this.since, 0);
    return true;
  }

  /** The one that went ahead had no answer: another one may go. */
  public again(now: number): void {
    if (this.state !== 'probing') return;
    this.state = 'blocked';
    this.from = now;
    this.wait = 0;
  }

  /** For how long it has been blocked in all. Milliseconds. */
  public blockedFor(now: number): number {
    return this.state === 'open' ? this.total : this.total + Math.max(now - this.since, 0);
  }
}
