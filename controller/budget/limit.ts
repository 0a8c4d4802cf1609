import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit';
import { Block } from './block';
import { Bucket } from './bucket';
import type { RequestBucket } from '../../src/azure/arm-request-limits';

/** A request that counts against a limit. */
export interface Issue {
  readonly number: number;
  readonly at: number;
  /** Whether the request is the probe after a block. */
  readonly probes: boolean;
}

/** Assumed longest way of a request to Azure: if it takes longer, the level is too high. Milliseconds. */
const LONGEST_WAY = 200;

/** One of Azure's limits: the remaining tokens as far as known, and whether Azure refuses requests at the moment. */
export class Limit {
  public readonly block = new Block();
  /** Bucket of Azure's documented size; absent for a provider's limit. */
  public readonly bucket?: Bucket;
  /** Used where there is no bucket. */
  public readonly concurrency = new AdaptiveConcurrencyLimit();
  /** Refusals that have begun a block, and the code of the last one. */
  public code = '';
  private issued = 0;
  /** The newest request whose answer has shown the remaining count. */
  private newest: Pick<Issue, 'number' | 'at'> = { number: 0, at: -Infinity };

  public constructor(bucket: RequestBucket | undefined, now: number) {
    if (bucket) this.bucket = new Bucket(bucket, now);
  }

  /** Milliseconds until a request may be sent that leaves `reserve` tokens, unless an answer comes first. */
  public timeUntil(now: number, reserve = 0): number {
    return Math.max(
      this.block.remaining(now),
      this.bucket ? this.bucket.timeUntil(now, 1 + reserve) : this.concurrency.timeUntil(now),
    );
  }

  public issue(now: number): Issue {
    this.bucket?.take(now);
    this.concurrency.begin(now);
    this.issued += 1;
    return { number: this.issued, at: now, probes: this.block.begin(now) };
  }

  /** The request was answered, or its outcome stays unknown. `isTaken`: it was answered and no limit refused it. */
  public end({ at }: Issue, isTaken: boolean, now: number): void {
    this.concurrency.end(at);
    if (isTaken) this.concurrency.accepted(now);
  }

  /** Whether a provider's limit holds no state worth keeping. */
  public get isForgettable(): boolean {
    return !this.bucket && this.block.isOpen && this.concurrency.isFree;
  }

  /** Records a refusal by Azure; returns true when it begins a block. `random`: uniform in [0, 1). */
  public refuse(now: number, milliseconds: number | undefined, random: number): boolean {
    // Requests that were under way at the first refusal are refused as well.
    if (!this.block.isBlocked) this.concurrency.refused(now);
    return this.block.refuse(now, milliseconds, random);
  }

  /**
   * Azure counts the remaining requests when the request arrives, at most `LONGEST_WAY` after it was sent. Requests sent later are
   * subtracted, and the refill since then is added. Of answers that come out of order, the answer to the newest request counts; of requests
   * that were sent at almost the same time, Azure may have counted any last, so the lowest count holds.
   */
  public observe(issue: Issue, remaining: number | undefined, now: number): void {
    if (remaining === undefined || !this.bucket) return;
    if (issue.number > this.newest.number) this.newest = issue;
    else if (this.newest.at - issue.at > LONGEST_WAY) return;
    const refilled = (Math.max(now - issue.at - LONGEST_WAY, 0) / 1000) * this.bucket.limit.refillPerSecond;
    this.bucket.clamp(now, remaining + refilled - (this.issued - this.newest.number));
  }
}
