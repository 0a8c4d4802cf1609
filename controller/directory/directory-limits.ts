import { retryAfterSeconds } from '../../engine/arm/retry-after';
import type { ArmClient, ArmRequest, ArmResponse, RawAnswer } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import { Limit } from '../budget/limit';

/** The principal for which Microsoft Graph counts requests: an application in a tenant. */
export interface DirectoryPrincipal {
  readonly tenantId: string;
  readonly clientId: string;
}

/**
 * Delays requests to Microsoft Graph after a refusal, for all requests of an application in a tenant: Graph counts refused requests too,
 * so requests during the block prolong it. Graph does not publish its limits, so there is no token bucket.
 * @see https://learn.microsoft.com/graph/throttling
 */
export class DirectoryLimits {
  /** Only for principals that were refused lately. */
  private readonly limits = new Map<string, Limit>();

  public constructor(private readonly clock: Clock) {}

  /** The client; a request that Graph would refuse is answered here, with the time to wait, in Graph's form. */
  public clientFor(client: ArmClient, { tenantId, clientId }: DirectoryPrincipal): ArmClient {
    const key = `${client.endpoint} ${tenantId} ${clientId}`.toLowerCase();
    const { subscriptionId, endpoint } = client;
    return { subscriptionId, endpoint, send: (request, signal) => this.send(key, client, request, signal) };
  }

  private async send(key: string, client: ArmClient, request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer> {
    const limit = this.limits.get(key);
    const wait = limit?.timeUntil(this.clock.now()) ?? 0;
    if (wait > 0) return notSent(Math.ceil(wait / 1000));
    const issue = limit?.issue(this.clock.now());
    let response: RawAnswer;
    try {
      response = await client.send(request, signal);
    } catch (error) {
      if (issue) limit?.end(issue, false, this.clock.now());
      if (issue?.probes) limit?.block.again(this.clock.now());
      throw error;
    }
    const now = this.clock.now();
    const asked = retryAfterSeconds(response.headers, now);
    const isRefused = response.status === 429 || (response.status === 503 && asked !== undefined);
    if (issue) limit?.end(issue, !isRefused, now);
    if (isRefused) this.limitOf(key).refuse(now, asked === undefined ? undefined : asked * 1000, this.clock.random());
    else if (issue?.probes) limit?.block.open(now);
    if (limit?.isForgettable && this.limits.get(key) === limit) this.limits.delete(key);
    return response;
  }

  private limitOf(key: string): Limit {
    const known = this.limits.get(key) ?? new Limit(undefined, this.clock.now());
    this.limits.set(key, known);
    return known;
  }
}

function notSent(seconds: number): ArmResponse {
  const message = 'Microsoft Graph has refused requests of this application and asked to wait; until then none is sent';
  return { status: 429, headers: { 'retry-after': String(seconds) }, body: { error: { code: 'TooManyRequests', message } }, text: '' };
}
