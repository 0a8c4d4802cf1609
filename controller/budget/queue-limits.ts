import { Limit, type Issue } from './limit';
import type { RateLimitQueueName } from './operation';
import { queryQuotaOf, remainingOf, type Throttling } from './throttling';
import type { RawAnswer } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { RequestBucket } from '../../src/azure/arm-request-limits';

export interface QueueLimitsOptions {
  readonly name: RateLimitQueueName;
  readonly clock: Clock;
  readonly bucket: RequestBucket;
  /** The limit of all principals together, shared with their queues. */
  readonly shared: Limit;
}

/** A request that was let through; its sender reports the outcome with it. */
export interface Ticket {
  readonly type: string;
  readonly limits: readonly (readonly [Limit, Issue])[];
}

/** Called when Azure has reached a limit, or the block of a limit has ended; `type`: it is the limit of one type. */
export type BlockListener = (type: string | undefined, limit: Limit, begins: boolean) => void;

/** Azure's limits for the requests of one queue: of the principal, of all principals of the scope, and of single types. */
export class QueueLimits {
  public readonly own: Limit;
  /** Limits of single types while Azure refuses them; the limit of Resource Graph stays. */
  public readonly types = new Map<string, Limit>();

  public constructor(private readonly options: QueueLimitsOptions, private readonly onBlock: BlockListener) {
    this.own = new Limit(options.bucket, options.clock.now());
  }

  public get shared(): Limit {
    return this.options.shared;
  }

  /** The limits against which a request for the type counts. */
  public of(type: string | undefined): readonly Limit[] {
    const ofType = type === undefined ? undefined : this.types.get(type);
    return ofType ? [this.own, this.shared, ofType] : [this.own, this.shared];
  }

  public issue(type: string, now: number): Ticket {
    return { type, limits: this.of(type).map((limit) => [limit, limit.issue(now)] as const) };
  }

  /** Takes what the answer shows of the limits: the remaining requests, a refusal, the end of a block. */
  public answered(ticket: Ticket, response: RawAnswer, throttling: Throttling | undefined): void {
    const { clock, name: { scope, operation } } = this.options;
    const now = clock.now();
    const left = remainingOf(response.headers, scope, operation);
    const quota = queryQuotaOf(response.headers);
    const refused = throttling && this.refusedBy(throttling, ticket.type);
    for (const [limit, issue] of ticket.limits) {
      limit.end(issue, !throttling, now);
      limit.observe(issue, limit === this.own ? left.principal : limit === this.shared ? left.scope : quota?.remaining, now);
      const isUsedUp = this.isOfType(limit) && limit.bucket && quota?.remaining === 0;
      if (isUsedUp && refused !== limit && limit.block.isOpen) limit.block.refuse(now, quota.resetsAfter, clock.random());
      if (limit === refused || !issue.probes) continue;
      // A request that one limit refused says nothing about the limits after it.
      if (throttling && throttling.by !== 'provider') limit.block.again(now);
      else if (limit.block.open(now)) this.onBlock(this.isOfType(limit) ? ticket.type : undefined, limit, false);
    }
    if (refused) {
      refused.code = throttling.code;
      // The answer may have no header with the remaining count.
      if (throttling.by !== 'provider') refused.bucket?.clamp(now, 0);
      const wait = throttling.milliseconds ?? (refused.bucket && quota ? quota.resetsAfter || undefined : undefined);
      if (refused.refuse(now, wait, clock.random())) this.onBlock(this.typeOf(refused), refused, true);
    }
    if (this.types.get(ticket.type)?.isForgettable) this.types.delete(ticket.type);
  }

  public unanswered(ticket: Ticket): void {
    const now = this.options.clock.now();
    for (const [limit, issue] of ticket.limits) {
      limit.end(issue, false, now);
      if (issue.probes) limit.block.again(now);
    }
  }

  private refusedBy({ by }: Throttling, type: string): Limit {
    if (by !== 'provider') return by === 'scope' ? this.shared : this.own;
    const known = this.types.get(type) ?? new Limit(undefined, this.options.clock.now());
    this.types.set(type, known);
    return known;
  }

  private isOfType(limit: Limit): boolean {
    return limit !== this.own && limit !== this.shared;
  }

  private typeOf(limit: Limit): string | undefined {
    return [...this.types].find(([, other]) => other === limit)?.[0];
  }
}
