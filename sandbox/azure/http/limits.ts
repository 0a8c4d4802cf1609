import { ALL_PRINCIPALS_FACTOR, ARM_REQUEST_LIMITS } from '../../../src/azure/arm-request-limits';
import { isRecord } from '../../../src/util/records';
import type { Answer } from '../model/answer';
import type { SandboxClock } from '../model/clock';

type Operation = keyof typeof ARM_REQUEST_LIMITS;

/** Requests that another client uses up. A member that is absent means all. */
export interface Drain {
  readonly subscription?: string;
  /** Client id of the principal. */
  readonly client?: string;
  readonly operation?: Operation;
  /** For so many of Azure's seconds nothing comes back; 0 by default. */
  readonly seconds?: number;
}

/** The remaining requests of a bucket. */
export interface LimitState {
  /** Subscription, or tenant. */
  readonly scope: string;
  /** Absent: all principals together. */
  readonly client?: string | undefined;
  readonly operation: Operation;
  readonly remaining: number;
}

interface Bucket {
  readonly size: number;
  readonly perSecond: number;
  tokens: number;
  at: number;
  /** Until then, another client uses up the tokens that are refilled. */
  drainedUntil: number;
}

interface Place {
  readonly level: 'subscription' | 'tenant';
  readonly scope: string;
  readonly operation: Operation;
}

/** The error in a drain that a client has sent, or undefined. */
export function invalidDrain(value: unknown): string | undefined {
  if (!isRecord(value)) return 'a drain is a JSON object';
  const { subscription, client, operation, seconds } = value as Record<string, unknown>;
  if (subscription !== undefined && typeof subscription !== 'string') return 'subscription is a text';
  if (client !== undefined && typeof client !== 'string') return 'client is a text';
  if (operation !== undefined && !Object.hasOwn(ARM_REQUEST_LIMITS, String(operation))) {
    return `operation is one of ${Object.keys(ARM_REQUEST_LIMITS).join(', ')}`;
  }
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds >= 0)) return 'seconds is a number';
  return undefined;
}

/**
 * Azure Resource Manager's request limits: a bucket for each subscription (or the tenant), principal and operation, and one for all
 * principals of a subscription together. Answers always tell what is left; requests are refused only where the limits are enforced.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class RequestLimits {
  private readonly buckets = new Map<string, Bucket & Omit<LimitState, 'remaining'>>();
  private drains: (Drain & { readonly until: number })[] = [];

  public constructor(
    private readonly clock: SandboxClock,
    private readonly timeScale: number,
    private readonly enforced: boolean,
    private readonly tenantId: string,
  ) {}

  /** Counts a request; answers what the response says of it, and the refusal where there is one. */
  public count(client: string, method: string, path: string): { readonly headers: Record<string, string>; readonly refused?: Answer } {
    const place = this.placeOf(method, path);
    const [own, all] = [this.bucketOf(place, client), this.bucketOf(place)];
    const refused = this.enforced ? [all, own].find((bucket) => this.level(bucket) < 1) : undefined;
    if (!refused) for (const bucket of [own, all]) bucket.tokens = Math.max(this.level(bucket) - 1, 0);
    const headers = {
      [`x-ms-ratelimit-remaining-${place.level}-${place.operation}`]: String(Math.floor(this.level(own))),
      [`x-ms-ratelimit-remaining-${place.level}-global-${place.operation}`]: String(Math.floor(this.level(all))),
    };
    return refused ? { headers, refused: this.refusal(refused, place, client) } : { headers };
  }

  /** Simulates another client that uses up all requests, now and for a while. */
  public drain(drain: Drain): void {
    const wrong = invalidDrain(drain);
    if (wrong) throw new Error(`invalid drain: ${wrong}`);
    const until = this.clock.now() + ((drain.seconds ?? 0) * 1000) / this.timeScale;
    this.drains = [...this.drains.filter((other) => other.until > this.clock.now()), { ...drain, until }];
    for (const bucket of this.buckets.values()) if (concerns(drain, bucket)) this.empty(bucket, until);
  }

  public list(): LimitState[] {
    return [...this.buckets.values()].map((bucket) => {
      const { scope, client, operation } = bucket;
      return { scope, ...(client === undefined ? {} : { client }), operation, remaining: Math.floor(this.level(bucket)) };
    });
  }

  private refusal(bucket: Bucket, { scope, operation, level }: Place, client: string): Answer {
    const now = this.clock.now();
    const milliseconds = Math.max(bucket.drainedUntil - now, 0) + ((1 - Math.min(this.level(bucket), 1)) / bucket.perSecond) * 1000;
    const seconds = Math.max(Math.ceil(milliseconds / 1000), 1);
    const what = operation.slice(0, -1);
    const message = `Number of '${what}' requests for ${level} '${scope}' actor '${client}' exceeded. Please try again after '${seconds}' seconds.`;
    const code = level === 'tenant' ? 'TenantRequestsThrottled' : 'SubscriptionRequestsThrottled';
    return {
      status: 429,
      headers: { 'Retry-After': String(seconds), 'x-ms-failure-cause': 'gateway' },
      body: { error: { code, message } },
    };
  }

  private bucketOf({ scope, operation }: Place, client?: string): Bucket {
    const key = `${scope} ${operation} ${client ?? ''}`;
    const known = this.buckets.get(key);
    if (known) return known;
    const { size, refillPerSecond } = ARM_REQUEST_LIMITS[operation];
    const factor = client === undefined ? ALL_PRINCIPALS_FACTOR : 1;
    const now = this.clock.now();
    const bucket = {
      scope,
      operation,
      client,
      size: size * factor,
      perSecond: refillPerSecond * factor * this.timeScale,
      tokens: size * factor,
      at: now,
      drainedUntil: now,
    };
    this.buckets.set(key, bucket);
    // Requests that another client has used up are used up for later clients too.
    for (const drain of this.drains) if (drain.until > now && concerns(drain, bucket)) this.empty(bucket, drain.until);
    return bucket;
  }

  private empty(bucket: Bucket, until: number): void {
    this.level(bucket);
    bucket.tokens = 0;
    bucket.drainedUntil = Math.max(bucket.drainedUntil, until);
  }

  private level(bucket: Bucket): number {
    const now = this.clock.now();
    const since = Math.max(bucket.at, Math.min(bucket.drainedUntil, now));
    bucket.tokens = Math.min(bucket.size, bucket.tokens + (Math.max(now - since, 0) / 1000) * bucket.perSecond);
    bucket.at = now;
    return bucket.tokens;
  }

  private placeOf(method: string, path: string): Place {
    const operation: Operation = method === 'GET' || method === 'HEAD' ? 'reads' : method === 'DELETE' ? 'deletes' : 'writes';
    const subscription = /^\/subscriptions\/([^/]+)/i.exec(path)?.[1];
    return subscription
      ? { level: 'subscription', scope: subscription.toLowerCase(), operation }
      : { level: 'tenant', scope: this.tenantId, operation };
  }
}

/** The bucket of all principals together is too large for one of them to use up. */
function concerns(drain: Drain, bucket: Omit<LimitState, 'remaining'>): boolean {
  const { subscription, client, operation } = drain;
  if (bucket.client === undefined) return false;
  return (subscription === undefined || subscription.toLowerCase() === bucket.scope)
    && (client === undefined || client === bucket.client) && (operation === undefined || operation === bucket.operation);
}
