import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit';
import { Block } from './block';
import { Bucket } from './bucket';
import type { RequestBucket } from '../../src/azure/arm-request-limits';

/** A request that counts against a limit. */
export interface Issue {
  readonly number: number;
  readonly at: number;
  /** Whether it goes ahead after a block. */
  readonly probes: boolean;
}

/** A request that takes longer to Azure lets us think that there is more left than there is. Milliseconds. */
const LONGEST_WAY = 200;

/** One of Azure's limits: what is left as far as we know, and whether Azure refuses at the moment. */
export class Limit {
  public readonly block = new Block();
  /** Of Azure's documented size; absent for a limit of a provider. */
  public readonly bucket?: Bucket;
  /** Where there is no bucket. */
  public readonly concurrency = new AdaptiveConcurrencyLimit();
  /** Refusals that have begun a block, and the code of the last one. */
  public code = '';
  private issued = 0;
  private newest = 0;

  public constructor(bucket: RequestBucket | undefined, now: number) {
    if (bucket) this.bucket = new Bucket(bucket, now);
  }

  /** Milliseconds until a request may be sent that leaves so many tokens; infinite where an answer has to come first. */
  public timeUntil(now: number, reserve = 0): number {
    return Math.max(this.block.remaining(now), this.bucket ? this.bucket.timeUntil(now, 1 + reserve) : this.concurrency.allows ? 0 : Infinity);
  }

  public issue(now: number): Issue {
    this.bucket?.take(now);
    this.concurrency.begin();
    this.issued += 1;
    return { number: this.issued, at: now, probes: this.block.begin() };
  }

  /** The request was answered, or nobody will ever know. `isTaken`: it was answered and not refused by any limit. */
  public end(isTaken: boolean, now: number): void {
    this.concurrency.end();
    if (isTaken) this.concurrency.accepted(now);
  }

  /** Nothing to remember of a limit of a provider. */
  public get isForgettable(): boolean {
    return !this.bucket && this.block.isOpen && this.concurrency.isFree;
  }

  /** Azure refuses; true when it did not do so before. `random`: uniform in [0, 1). */
  public refuse(now: number, milliseconds: number | undefined, random: number): boolean {
    // Those that were under way at the first refusal are refused as well.
    if (!this.block.isBlocked) this.concurrency.refused(now);
    return this.block.refuse(now, milliseconds, random);
  }

  /**
   * What Azure says is left was counted when the request came in, which nobody knows more exactly than `LONGEST_WAY`: those that were sent after
   * it are still to be taken off, and what has come back since counts. Of answers that come out of order the one to the youngest request is right.
   */
  public observe(issue: Issue, remaining: number | undefined, now: number): void {
    if (remaining === undefined || !this.bucket || issue.number < this.newest) return;
    this.newest = issue.number;
    const refilled = (Math.max(now - issue.at - LONGEST_WAY, 0) / 1000) * this.bucket.limit.refillPerSecond;
    this.bucket.clamp(now, remaining + refilled - (this.issued - issue.number));
  }
}
