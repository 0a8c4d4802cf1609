import { Limit } from './limit';
import { isResourceGraph, limitedTypeOf, operationOf, scopeOf, type Operation } from './operation';
import { RateLimitQueue, LONGEST_WAIT_WHEN_BEGUN_MS, LONGEST_WAIT_MS, type RateLimitQueueName } from './rate-limit-queue';
import { ThrottledError } from './throttled-error';
import { throttlingOf } from './throttling';
import { withProviderRegistration } from '../../engine/arm/provider-registration';
import type { ArmClient, ArmRequest, RawAnswer, RequestPurpose } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { ResolvedCredential } from '../../engine/credentials/types';
import type { ObjectKey } from '../../engine/kubernetes/types';
import { ALL_PRINCIPALS_FACTOR, ARM_REQUEST_LIMITS, PROVIDER_WRITE_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';
import { ownValue } from '../../src/util/elements';
import { textBefore } from '../../src/util/text-before';
import { textOf } from '../reconcile/object-key';
import type { Priority } from '../work-queue';

/** The sender of the requests, and their urgency. */
export interface BudgetUse {
  /** Namespaces share the budget fairly. */
  readonly namespace: string;
  /** Requests for changed objects go before those of resyncs. */
  readonly priority: Priority;
  /** Within the namespace, higher goes first. Default 0. */
  readonly rank?: number;
  /** Purpose of requests that do not name one. Default: `sync` for a resync, else `reconcile`. */
  readonly purpose?: RequestPurpose;
  /** The reconciled object; `isOpen` is per object. */
  readonly key?: ObjectKey;
  /**
   * Called instead of a long wait; `send` rejects with the same error. The caller then ends its work and starts again when the gate
   * opens. After the first request of a reconcile only a long refusal by Azure calls it, and after a write nothing does, so no work is
   * done twice.
   */
  readonly onThrottled?: (reason: ThrottledError) => void;
}

/** Azure has begun to refuse requests because of a limit, or takes them again. */
export interface BlockEvent extends RateLimitQueueName {
  readonly event: 'begins' | 'ends';
  /** The limit covers all principals of the scope, this principal, or requests for one type only. */
  readonly of: 'scope' | 'principal' | 'type';
  /** ARM type, if the limit is for one type only. */
  readonly type?: string;
  /** Error code of Azure's refusal. */
  readonly code: string;
  /** Seconds until requests may be sent again. */
  readonly seconds: number;
}

/** Metrics of the requests that Azure counts together. */
export interface RateLimitQueueState extends RateLimitQueueName {
  readonly remaining: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly isBlocked: boolean;
  /** Types that Azure refuses now. */
  readonly blockedTypes: readonly string[];
  readonly blockedSeconds: number;
}

/** A request that the budget has let through. */
export interface BudgetedRequest {
  readonly purpose: RequestPurpose;
  readonly operation: Operation;
  readonly priority: Priority;
  readonly waitedSeconds: number;
}

export interface BudgetOptions {
  readonly clock: Clock;
  /** Factor by which Azure's buckets refill faster, for a simulated Azure with a faster clock. Default 1. */
  readonly timeScale?: number | undefined;
  readonly onBlock?: (event: BlockEvent) => void;
  /** Called for each request that is let through, with the time it has waited. */
  readonly onRequest?: (request: BudgetedRequest) => void;
}

/**
 * 15 queries in any 5 s: a bucket that lets no more through than its size and five times its refill.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests
 */
const RESOURCE_GRAPH_QUOTA: RequestBucket = { size: 5, refillPerSecond: 2 };
/** A reconcile is throttled at most this many times while it waits for its turn; then it keeps waiting. */
const MOST_HELD_BACK = 3;
/** A request that is refused for a short time is sent at most this many times; then the reconcile gets the refusal. */
const MOST_SENT = 3;
/** Idle queues to keep: credentials come and go. */
const MOST_IDLE_LANES = 500;

type QueueFor = (url: string, operation: Operation) => RateLimitQueue;

/** State shared by all principals of a scope. */
interface Shared {
  readonly limit: Limit;
  readonly queues: Set<RateLimitQueue>;
  /** Documented limits of providers, by provider. */
  readonly providers: Map<string, Limit>;
}

interface Throttled {
  readonly queue: RateLimitQueue;
  readonly type: string;
  readonly times: number;
}

/**
 * Applies Azure's request limits on the client side, so that requests wait here in order of priority instead of being refused by Azure.
 *
 * For each cloud, subscription (or tenant) of the URL, principal and operation there is a bucket of Azure's documented size, and another
 * for all principals of the subscription. The remaining count in Azure's answers takes tokens away. After a refusal by Azure, one bucket
 * (or one type in it) is closed for all requests until the time that Azure names; then one request goes ahead as a probe.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class Budget {
  private readonly queues = new Map<string, RateLimitQueue>();
  private readonly shared = new Map<string, Shared>();
  /** Objects whose reconcile was throttled, with the queue that throttled it. */
  private readonly throttled = new Map<string, Throttled>();
  /** Objects with a running Azure operation: their next reconcile only reads. */
  private readonly polling = new Map<string, RateLimitQueue>();
  private readonly listeners = new Set<() => void>();
  /** Whether a caller of `isOpen` has found the gate closed. */
  private wanted = false;

  public constructor(private readonly options: BudgetOptions) {}

  /** The credential's client; its requests wait until Azure's limits have room. Missing providers are registered, which counts as well. */
  public clientFor(credential: Pick<ResolvedCredential, 'client' | 'tenantId' | 'clientId' | 'source'>, use: BudgetUse): ArmClient {
    const { client, tenantId } = credential;
    const reconcile = new BudgetedReconcile(use, use.key && this.takeThrottled(textOf(use.key)));
    const queue: QueueFor = (url, operation) => this.queueOf({
      endpoint: client.endpoint, scope: scopeOf(url, tenantId), principal: credential.clientId || credential.source, operation,
    });
    return withProviderRegistration({
      subscriptionId: client.subscriptionId,
      endpoint: client.endpoint,
      send: (request, signal) => this.send(client, reconcile, queue, request, signal),
    });
  }

  /** Whether a reconcile of the object may begin now: the queue that throttled its last reconcile has room, or else all queues have. */
  public isOpen(key: ObjectKey, priority: Priority): boolean {
    const name = textOf(key);
    const held = this.throttled.get(name);
    const queue = held?.queue ?? this.polling.get(name);
    const open = queue
      ? queue.isOpen(held?.type) && queue.hasRoom(key.namespace, priority)
      : [...this.queues.values()].every((other) => other.hasRoom(key.namespace, priority));
    if (!open) this.wanted = true;
    return open;
  }

  /** Registers a callback for when a closed gate may be open. */
  public onOpen(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Called when the object has changed: its resync that still waits for room is throttled, and a reconcile may begin at once. */
  public changed(key: ObjectKey): void {
    const name = textOf(key);
    this.queues.forEach((queue) => queue.giveUp(name));
    this.throttled.delete(name);
  }

  /** Called when the object is gone. */
  public forget(key: ObjectKey): void {
    this.throttled.delete(textOf(key));
    this.polling.delete(textOf(key));
  }

  public get states(): readonly RateLimitQueueState[] {
    const now = this.options.clock.now();
    return [...this.queues.values()].map((queueOf): RateLimitQueueState => ({
      ...queueOf.name,
      remaining: Math.max(Math.floor(queueOf.own.bucket!.level(now)), 0),
      waiting: { fresh: queueOf.waiting('fresh'), resync: queueOf.waiting('resync') },
      isBlocked: !queueOf.own.block.isOpen || !queueOf.shared.block.isOpen,
      blockedTypes: [...queueOf.types].filter(([, { block }]) => !block.isOpen).map(([type]) => type),
      blockedSeconds: queueOf.own.block.blockedFor(now) / 1000,
    }));
  }

  /** Cancels all timers; waiting requests keep waiting. */
  public stop(): void {
    this.queues.forEach((queue) => queue.stop());
  }

  private async send(
    client: ArmClient, reconcile: BudgetedReconcile, queueFor: QueueFor, request: ArmRequest, signal?: AbortSignal,
  ): Promise<RawAnswer> {
    const { clock } = this.options;
    const operation = operationOf(request.method);
    const queue = queueFor(request.url, operation);
    const type = limitedTypeOf(request);
    const known = queue.types.has(type) ? undefined : this.documentedLimit(queue, request, type);
    if (known) queue.types.set(type, known);
    const { use } = reconcile;
    const purpose = request.purpose ?? use.purpose ?? (use.priority === 'resync' ? 'sync' : 'reconcile');
    for (let times = 1; ; times += 1) {
      const asked = clock.now();
      const ticket = await queue.acquire({
        namespace: use.namespace,
        priority: use.priority,
        rank: use.rank ?? 0,
        hasBegun: reconcile.hasBegun,
        type,
        patience: reconcile.patienceIn(queue),
        ...(use.key ? { object: textOf(use.key) } : {}),
        ...(use.onThrottled && !reconcile.hasWritten ? { onThrottled: (reason) => this.holdBack(reconcile, queue, type, reason) } : {}),
      }, signal);
      reconcile.hasBegun = true;
      this.options.onRequest?.({ purpose, operation, priority: use.priority, waitedSeconds: Math.max(clock.now() - asked, 0) / 1000 });
      let response: RawAnswer;
      try {
        response = await client.send(request, signal);
      } catch (error) {
        if (operation !== 'reads') reconcile.hasWritten = true;
        queue.unanswered(ticket);
        this.wake(queue);
        throw error;
      }
      const throttling = throttlingOf(response, queue.name.scope, operation, clock.now());
      // Azure has not processed a throttled request: nothing is written.
      if (operation !== 'reads' && !throttling) reconcile.hasWritten = true;
      queue.answered(ticket, response, throttling);
      this.wake(queue);
      this.remember(reconcile, request, response, queueFor);
      // After a short wait the state that the reconcile has read so far is still valid.
      const isSentAgain =
        throttling?.milliseconds !== undefined && throttling.milliseconds <= LONGEST_WAIT_WHEN_BEGUN_MS && times < MOST_SENT;
      if (!isSentAgain) return response;
    }
  }

  /** A limit known from the documentation, apart from Azure Resource Manager's own, before Azure has refused any request. */
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

  private holdBack(reconcile: BudgetedReconcile, queue: RateLimitQueue, type: string, reason: ThrottledError): void {
    const { key, onThrottled } = reconcile.use;
    if (key) this.throttled.set(textOf(key), { queue, type, times: reconcile.timesHeldIn(queue) + 1 });
    onThrottled!(reason);
  }

  private takeThrottled(name: string): Throttled | undefined {
    const held = this.throttled.get(name);
    this.throttled.delete(name);
    return held;
  }

  /** While an operation runs, its object only needs reads. */
  private remember({ use: { key } }: BudgetedReconcile, request: ArmRequest, { status }: RawAnswer, queueFor: QueueFor): void {
    if (!key) return;
    const accepted =
      request.purpose === 'poll' ? status < 300 : operationOf(request.method) !== 'reads' && (status === 201 || status === 202);
    if (accepted) this.polling.set(textOf(key), queueFor(request.url, 'reads'));
    else this.polling.delete(textOf(key));
  }

  /** Requests of other principals wait for the same limit of the scope. */
  private wake(queue: RateLimitQueue): void {
    for (const other of this.shared.get(sharedKey(queue.name))?.queues ?? []) if (other !== queue) other.pump();
  }

  private queueOf(name: RateLimitQueueName): RateLimitQueue {
    const key = `${sharedKey(name)} ${name.principal}`;
    const known = this.queues.get(key);
    if (known) return known;
    if (this.queues.size >= MOST_IDLE_LANES) this.dropIdle();
    const { clock } = this.options;
    const bucket = this.scaled(ARM_REQUEST_LIMITS[name.operation]);
    const all = timesAsMuch(bucket, ALL_PRINCIPALS_FACTOR);
    const shared = this.shared.get(sharedKey(name)) ?? { limit: new Limit(all, clock.now()), queues: new Set(), providers: new Map() };
    this.shared.set(sharedKey(name), shared);
    const queue = new RateLimitQueue({
      name, clock, bucket, shared: shared.limit, onRoom: () => this.room(), onBlock: (...event) => this.tell(...event),
    });
    shared.queues.add(queue);
    this.queues.set(key, queue);
    return queue;
  }

  private dropIdle(): void {
    const used = new Set([...this.polling.values(), ...[...this.throttled.values()].map(({ queue }) => queue)]);
    for (const [key, queue] of this.queues) {
      if (!queue.isIdle || used.has(queue)) continue;
      this.queues.delete(key);
      const shared = this.shared.get(sharedKey(queue.name));
      shared?.queues.delete(queue);
      if (shared?.queues.size === 0) this.shared.delete(sharedKey(queue.name));
      queue.stop();
    }
  }

  private room(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.listeners.forEach((listener) => listener());
  }

  private tell(queue: RateLimitQueue, type: string | undefined, limit: Limit, begins: boolean): void {
    const wait = limit.block.remaining(this.options.clock.now());
    this.options.onBlock?.({
      ...queue.name,
      event: begins ? 'begins' : 'ends',
      of: type === undefined ? (limit === queue.shared ? 'scope' : 'principal') : 'type',
      ...(type === undefined ? {} : { type }),
      code: limit.code,
      seconds: Number.isFinite(wait) ? wait / 1000 : 0,
    });
  }

  private scaled(bucket: RequestBucket): RequestBucket {
    return { size: bucket.size, refillPerSecond: bucket.refillPerSecond * (this.options.timeScale ?? 1) };
  }
}

/** The progress of one reconcile. */
class BudgetedReconcile {
  public hasWritten = false;
  /** Whether a request of this reconcile was let through. */
  public hasBegun = false;

  public constructor(public readonly use: BudgetUse, private readonly before: Throttled | undefined) {}

  /** Times throttled in a row by the queue; a request that is let through resets the count. */
  public timesHeldIn(queue: RateLimitQueue): number {
    return this.before?.queue === queue && !this.hasBegun ? this.before.times : 0;
  }

  public patienceIn(queue: RateLimitQueue): number {
    return this.timesHeldIn(queue) < MOST_HELD_BACK ? LONGEST_WAIT_MS : Infinity;
  }
}

function sharedKey({ endpoint, scope, operation }: RateLimitQueueName): string {
  return `${endpoint} ${scope.level} ${scope.id} ${operation}`;
}

function timesAsMuch({ size, refillPerSecond }: RequestBucket, factor: number): RequestBucket {
  return { size: size * factor, refillPerSecond: refillPerSecond * factor };
}
