import type { Answer } from './azure-model';
import type { LimitTraits } from './traits';
import { ARM_REQUEST_LIMITS } from '../../src/azure/arm-request-limits';

type Operation = keyof typeof ARM_REQUEST_LIMITS;
export type Scope = 'subscription' | 'tenant';

/** 15 queries of Resource Graph in 5 seconds. */
const QUERIES = 15;
const QUERY_WINDOW = 5_000;
/** Azure asks a throttled client to wait until so many requests are available again. */
const BACK_AGAIN = 2;

/** Azure's throttling decision on a request. */
export interface Admission {
  /** Headers with the remaining requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal?: Answer;
}

export const scopeOf = (path: string): Scope => (/^\/subscriptions\//i.test(path) ? 'subscription' : 'tenant');

export function operationOf(method: string): Operation {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}

/** Azure's own buckets, for each principal, scope and operation: nobody knows them but by what answers tell. */
export class LimitsModel {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();
  private readonly queries = new Map<string, readonly number[]>();

  public constructor(private readonly traits: LimitTraits, private readonly now: () => number) {}

  public admit(principal: string, method: string, path: string): Admission {
    if (/^\/providers\/microsoft\.resourcegraph\//i.test(path)) return this.admitQuery(principal);
    const [scope, operation] = [scopeOf(path), operationOf(method)];
    const { size, refillPerSecond } = ARM_REQUEST_LIMITS[operation];
    const [full, refill] = [this.traits.size ?? size, (refillPerSecond * this.traits.timeScale) / 1000];
    const key = `${principal} ${scope} ${operation}`;
    const now = this.now();
    const before = this.buckets.get(key) ?? { tokens: full, at: now };
    const tokens = Math.min(full, before.tokens + (now - before.at) * refill);
    const isTaken = tokens >= 1;
    const left = isTaken ? tokens - 1 : tokens;
    this.buckets.set(key, { tokens: left, at: now });
    const headers = { [`x-ms-ratelimit-remaining-${scope}-${operation}`]: String(Math.floor(left)) };
    if (isTaken) return { headers };
    const wait = String(Math.ceil((BACK_AGAIN - tokens) / refill / 1000));
    return {
      headers,
      refusal: refused(scope === 'tenant' ? 'TenantRequestsThrottled' : 'SubscriptionRequestsThrottled', {
        ...headers,
        'retry-after': wait,
      }),
    };
  }

  private admitQuery(principal: string): Admission {
    const now = this.now();
    const recent = (this.queries.get(principal) ?? []).filter((at) => at > now - QUERY_WINDOW);
    const resets = `00:00:0${Math.ceil(((recent[0] ?? now) + QUERY_WINDOW - now) / 1000)}`;
    const isTaken = recent.length < QUERIES;
    this.queries.set(principal, isTaken ? [...recent, now] : recent);
    const headers = {
      'x-ms-user-quota-remaining': String(Math.max(QUERIES - recent.length - 1, 0)),
      'x-ms-user-quota-resets-after': resets,
    };
    return isTaken ? { headers } : { headers, refusal: refused('RateLimiting', { ...headers, 'retry-after': '5' }) };
  }
}

function refused(code: string, headers: Readonly<Record<string, string>>): Answer {
  return { status: 429, headers, body: { error: { code, message: 'Too many requests.' } } };
}
