import type { VirtualTime } from './virtual-time';
import { Bucket } from '../../../controller/budget/bucket';
import { operationOf, scopeOf } from '../../../controller/budget/operation';
import type { ArmClient, ArmRequest, ArmResponse } from '../../../engine/arm/types';
import { ARM_REQUEST_LIMITS } from '../../../src/azure/arm-request-limits';

export interface Received extends ArmRequest {
  readonly at: number;
  readonly principal: string;
  readonly status: number;
}

/** Azure Resource Manager's side of the limits: a bucket each subscription, principal and operation, which others drain as well. */
export class ModelArm {
  public readonly received: Received[] = [];
  public latency = 100;
  /** Milliseconds until Azure has got a request. */
  public travel = 0;
  /** Whether the answer tells what is left. */
  public tells = true;
  /** Another client takes each token at once. */
  public isDrained = false;
  /** Seconds that a refusal asks to wait. */
  public retryAfter = 10;
  private readonly buckets = new Map<string, Bucket>();
  public constructor(private readonly time: VirtualTime) {}

  /** Additional headers of an answer; also of refusals. */
  public headers: (remaining: number) => Record<string, string> = () => ({});
  /** In the place of a success; status 0: no answer. */
  public answer: (request: ArmRequest) => Partial<ArmResponse> | undefined = () => undefined;

  public client(principal: string, subscriptionId = 's'): ArmClient {
    return {
      subscriptionId,
      endpoint: 'https://arm',
      send: async (request) => {
        if (this.travel > 0) await this.time.sleep(this.travel);
        const response = this.respond(principal, request);
        this.received.push({ ...request, principal, at: this.time.now(), status: response.status });
        await this.time.sleep(this.latency);
        if (response.status === 0) throw new Error('no answer');
        return response;
      },
    };
  }

  /** Another client uses the principal too. */
  public drain(principal: string, operation: 'reads' | 'writes' | 'deletes', to = 0, subscription = 's'): void {
    this.bucketOf(principal, operation, subscription).clamp(this.time.now(), to);
  }

  private respond(principal: string, request: ArmRequest): ArmResponse {
    const operation = operationOf(request.method);
    const { id, level } = scopeOf(request.url, 't');
    const bucket = this.bucketOf(principal, operation, id);
    const now = this.time.now();
    const left = () => ({
      ...(this.tells ? { [`x-ms-ratelimit-remaining-${level}-${operation}`]: String(Math.max(Math.floor(bucket.level(now)), 0)) } : {}),
      ...this.headers(bucket.level(now)),
    });
    if (this.isDrained) bucket.clamp(now, 0);
    if (bucket.level(now) < 1) {
      const message = `Number of 'x' requests for subscription '${id}' actor 'a' exceeded. Please try again after '${this.retryAfter}' seconds.`;
      const headers = { ...left(), ...(this.retryAfter ? { 'retry-after': String(this.retryAfter) } : {}) };
      return { status: 429, headers, body: { error: { code: 'SubscriptionRequestsThrottled', message } }, text: '' };
    }
    bucket.take(now);
    return { status: 200, body: {}, text: '', ...this.answer(request), headers: { ...left(), ...this.answer(request)?.headers } };
  }

  private bucketOf(principal: string, operation: 'reads' | 'writes' | 'deletes', scope: string): Bucket {
    const key = `${principal} ${operation} ${scope}`;
    const known = this.buckets.get(key) ?? new Bucket(ARM_REQUEST_LIMITS[operation], this.time.now());
    this.buckets.set(key, known);
    return known;
  }
}
