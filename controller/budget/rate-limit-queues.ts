import type { BudgetOptions } from './budget-options';
import { Limit } from './limit';
import { isResourceGraph, type RateLimitQueueName } from './operation';
import { RateLimitQueue, type RateLimitQueueOptions } from './rate-limit-queue';
import type { ArmRequest } from '../../engine/arm/types';
import { ALL_PRINCIPALS_FACTOR, ARM_REQUEST_LIMITS, PROVIDER_WRITE_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';
import { ownValue } from '../../src/util/elements';
import { textBefore } from '../../src/util/text-before';

/**
 * 15 queries in any 5 s: a bucket that lets no more through than its size and five times its refill.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests
 */
const RESOURCE_GRAPH_QUOTA: RequestBucket = { size: 5, refillPerSecond: 2 };
/** Idle queues to keep: credentials come and go. */
const MOST_IDLE = 500;

/** State shared by all principals of a scope. */
interface Shared {
  readonly limit: Limit;
  readonly queues: Set<RateLimitQueue>;
  /** Documented limits of providers, by provider. */
  readonly providers: Map<string, Limit>;
}

type Inherited = Pick<BudgetOptions, 'clock' | 'timeScale'> & Pick<RateLimitQueueOptions, 'onBlock' | 'onRoom' | 'mustLeave'>;

export interface RateLimitQueuesOptions extends Inherited {
  /** Queues to which objects come back: they are kept, even if they are idle. */
  readonly used: () => ReadonlySet<RateLimitQueue>;
}

/** The queues of all principals, with the limits that Azure documents. */
export class RateLimitQueues {
  private readonly queues = new Map<string, RateLimitQueue>();
  /** Queues in which requests wait: the gate goes through them for each object. */
  private readonly waiting = new Set<RateLimitQueue>();
  private readonly shared = new Map<string, Shared>();

  public constructor(private readonly options: RateLimitQueuesOptions) {}

  public get all(): readonly RateLimitQueue[] {
    return [...this.queues.values()];
  }

  /** Whether a request may wait without blocking others, whatever queue it will come to. */
  public haveRoom(...request: Parameters<RateLimitQueue['hasRoom']>): boolean {
    for (const queue of this.waiting) if (!queue.hasRoom(...request)) return false;
    return true;
  }

  /** The queue of a name; created if absent. */
  public of(name: RateLimitQueueName): RateLimitQueue {
    const key = `${sharedKey(name)} ${name.principal}`;
    const known = this.queues.get(key);
    if (known) return known;
    if (this.queues.size >= MOST_IDLE) this.dropIdle();
    const { clock, onRoom, onBlock, mustLeave } = this.options;
    const bucket = this.scaled(ARM_REQUEST_LIMITS[name.operation]);
    const all = timesAsMuch(bucket, ALL_PRINCIPALS_FACTOR);
    const shared = this.shared.get(sharedKey(name)) ?? { limit: new Limit(all, clock.now()), queues: new Set(), providers: new Map() };
    this.shared.set(sharedKey(name), shared);
    const onWaiting: RateLimitQueueOptions['onWaiting'] = (of, isWaiting) => void this.waiting[isWaiting ? 'add' : 'delete'](of);
    const queue = new RateLimitQueue({ name, clock, bucket, shared: shared.limit, onRoom, onBlock, mustLeave, onWaiting });
    shared.queues.add(queue);
    this.queues.set(key, queue);
    return queue;
  }

  /** Requests of other principals wait for the same limit of the scope. */
  public wakeOthers(queue: RateLimitQueue): void {
    for (const other of this.shared.get(sharedKey(queue.name))?.queues ?? []) if (other !== queue) other.pump();
  }

  /**
   * Limits the type of the request where a limit of it is documented, apart from Azure Resource Manager's own, before Azure has refused
   * any request.
   */
  public limitType(queue: RateLimitQueue, request: ArmRequest, type: string): void {
    const { types } = queue.limits;
    const documented = types.has(type) ? undefined : this.documentedLimit(queue, request, type);
    if (documented) types.set(type, documented);
  }

  private documentedLimit({ name }: RateLimitQueue, { method, url }: ArmRequest, type: string): Limit | undefined {
    const now = this.options.clock.now();
    if (isResourceGraph(url)) return new Limit(this.scaled(RESOURCE_GRAPH_QUOTA), now);
    const provider = textBefore(type, '/');
    const quota = ownValue(PROVIDER_WRITE_LIMITS, provider);
    // Actions count as reads.
    if (method === 'GET' || method === 'POST' || !quota) return undefined;
    const { providers } = this.shared.get(sharedKey(name))!;
    const limit = providers.get(provider) ?? new Limit(this.scaled(quota), now);
    providers.set(provider, limit);
    return limit;
  }

  private dropIdle(): void {
    const used = this.options.used();
    for (const [key, queue] of this.queues) {
      if (!queue.isIdle || used.has(queue)) continue;
      this.queues.delete(key);
      const shared = this.shared.get(sharedKey(queue.name));
      shared?.queues.delete(queue);
      if (shared?.queues.size === 0) this.shared.delete(sharedKey(queue.name));
      queue.stop();
    }
  }

  private scaled({ size, refillPerSecond }: RequestBucket): RequestBucket {
    return { size, refillPerSecond: refillPerSecond * (this.options.timeScale ?? 1) };
  }
}

function sharedKey({ endpoint, scope, operation }: RateLimitQueueName): string {
  return `${endpoint} ${scope.level} ${scope.id} ${operation}`;
}

function timesAsMuch({ size, refillPerSecond }: RequestBucket, factor: number): RequestBucket {
  return { size: size * factor, refillPerSecond: refillPerSecond * factor };
}
