import type { BudgetOptions, BudgetUse, RateLimitQueueState } from './budget-options';
import { BudgetedReconcile, type Throttled } from './budgeted-reconcile';
import type { Limit } from './limit';
import { limitedTypeOf, operationOf, scopeOf, type Operation } from './operation';
import { LONGEST_WAIT_WHEN_BEGUN_MS, type RateLimitQueue } from './rate-limit-queue';
import { RateLimitQueues } from './rate-limit-queues';
import type { ThrottledError } from './throttled-error';
import { throttlingOf, type Throttling } from './throttling';
import { withProviderRegistration } from '../../engine/arm/provider-registration';
import type { ArmClient, ArmRequest, RawAnswer } from '../../engine/arm/types';
import type { ResolvedCredential } from '../../engine/credentials/types';
import type { Priority } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';
import { sharedKeyOf } from '../reconcile/object-key';

/** A request that is refused for a short time is sent at most this many times; then the reconcile gets the refusal. */
const MOST_SENT = 3;
type QueueFor = (url: string, operation: Operation) => RateLimitQueue;

/**
 * Applies Azure's request limits on the client side, so that requests wait here in order of priority instead of being refused by Azure.
 *
 * For each cloud, subscription (or tenant) of the URL, principal and operation there is a bucket of Azure's documented size, and another
 * for all principals of the subscription. The remaining count in Azure's answers takes tokens away. After a refusal by Azure, one bucket
 * (or one type in it) is closed for all requests until the time that Azure names; then one request goes ahead as a probe.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class Budget {
  private readonly queues: RateLimitQueues;
  /** Objects whose reconcile was throttled, with the queue that throttled it. */
  private readonly throttled = new Map<string, Throttled>();
  /** Objects with a running Azure operation: their next reconcile only reads. */
  private readonly polling = new Map<string, RateLimitQueue>();
  private readonly listeners = new Set<() => void>();
  /** Objects whose reconciles are to end soon. */
  private readonly leaving = new Set<(object: ObjectId) => boolean>();
  /** Whether a caller of `isOpen` has found the gate closed. */
  private wanted = false;

  public constructor(private readonly options: BudgetOptions) {
    this.queues = new RateLimitQueues({
      ...options,
      onRoom: () => this.room(),
      onBlock: (...block) => this.report(...block),
      used: () => this.usedQueues(),
      mustLeave: (object) => [...this.leaving].some((concerns) => concerns(object)),
    });
  }

  /** The credential's client; its requests wait until Azure's limits have room. Missing providers are registered, which counts as well. */
  public clientFor(credential: Pick<ResolvedCredential, 'client' | 'tenantId' | 'clientId' | 'source'>, use: BudgetUse): ArmClient {
    const { client, tenantId } = credential;
    const reconcile = new BudgetedReconcile(use, use.key && this.takeThrottled(sharedKeyOf(use.key)));
    const queue: QueueFor = (url, operation) => this.queues.of({
      endpoint: client.endpoint, scope: scopeOf(url, tenantId), principal: credential.clientId || credential.source, operation,
    });
    return withProviderRegistration({
      subscriptionId: client.subscriptionId,
      endpoint: client.endpoint,
      send: (request, signal) => this.send(client, reconcile, queue, request, signal),
    });
  }

  /**
   * Whether a reconcile of the object may begin now: the queue that throttled its last reconcile has room, or else all queues have.
   * @param rank as that of its requests
   */
  public isOpen(key: ObjectId, priority: Priority, rank = 0): boolean {
    const name = sharedKeyOf(key);
    const held = this.throttled.get(name);
    const queue = held?.queue ?? this.polling.get(name);
    const open = queue
      ? queue.isOpen(held?.type) && queue.hasRoom(key.namespace, priority, rank)
      : this.queues.haveRoom(key.namespace, priority, rank);
    if (!open) this.wanted = true;
    return open;
  }

  /** Registers a callback for when a closed gate may be open. */
  public onOpen(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Called when the object has changed: its resync that still waits for room is throttled, and a reconcile may begin at once. */
  public changed(key: ObjectId): void {
    const name = sharedKeyOf(key);
    this.queues.all.forEach((queue) => queue.giveUp(name));
    this.throttled.delete(name);
  }

  /** Throttles the requests of such objects that wait, or come to wait, until the answer is called. */
  public sendBack(concerns: (object: ObjectId) => boolean): () => void {
    this.leaving.add(concerns);
    this.queues.all.forEach((queue) => queue.sendBack());
    return () => void this.leaving.delete(concerns);
  }

  /** Called when the object is gone. */
  public forget(key: ObjectId): void {
    this.throttled.delete(sharedKeyOf(key));
    this.polling.delete(sharedKeyOf(key));
  }

  public get states(): readonly RateLimitQueueState[] {
    const now = this.options.clock.now();
    return this.queues.all.map((queue): RateLimitQueueState => {
      const { own, shared, types } = queue.limits;
      return {
        ...queue.name,
        remaining: Math.max(Math.floor(own.bucket!.level(now)), 0),
        waiting: { fresh: queue.waiting('fresh'), resync: queue.waiting('resync') },
        isBlocked: !own.block.isOpen || !shared.block.isOpen,
        blockedTypes: [...types].filter(([, { block }]) => !block.isOpen).map(([type]) => type),
        blockedSeconds: own.block.blockedFor(now) / 1000,
      };
    });
  }

  /** Cancels all timers; waiting requests keep waiting. */
  public stop(): void {
    this.queues.all.forEach((queue) => queue.stop());
  }

  private async send(
    client: ArmClient, reconcile: BudgetedReconcile, queueFor: QueueFor, request: ArmRequest, signal?: AbortSignal,
  ): Promise<RawAnswer> {
    const { clock } = this.options;
    const operation = operationOf(request.method);
    const queue = queueFor(request.url, operation);
    const type = limitedTypeOf(request);
    this.queues.limitType(queue, request, type);
    const { priority } = reconcile.use;
    const purpose = reconcile.purposeOf(request);
    for (let times = 1; ; times += 1) {
      const asked = clock.now();
      const queued = reconcile.queued(queue, type, (reason) => this.throttle(reconcile, queue, type, reason));
      const ticket = await queue.acquire(queued, signal);
      reconcile.hasBegun = true;
      this.options.onRequest?.({ purpose, operation, priority, waitedSeconds: Math.max(clock.now() - asked, 0) / 1000 });
      let response: RawAnswer;
      try {
        response = await client.send(request, signal);
      } catch (error) {
        if (operation !== 'reads') reconcile.hasWritten = true;
        queue.unanswered(ticket);
        this.queues.wakeOthers(queue);
        throw error;
      }
      const throttling = throttlingOf(response, queue.name.scope, operation, clock.now());
      // Azure has not processed a throttled request: nothing is written.
      if (operation !== 'reads' && !throttling) reconcile.hasWritten = true;
      queue.answered(ticket, response, throttling);
      this.queues.wakeOthers(queue);
      this.remember(reconcile, request, response, queueFor);
      if (times === MOST_SENT || !isShortWait(throttling)) return response;
    }
  }

  private throttle(reconcile: BudgetedReconcile, queue: RateLimitQueue, type: string, reason: ThrottledError): void {
    const { key, onThrottled } = reconcile.use;
    if (key) this.throttled.set(sharedKeyOf(key), { queue, type, times: reconcile.timesThrottledIn(queue) + 1 });
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
    if (accepted) this.polling.set(sharedKeyOf(key), queueFor(request.url, 'reads'));
    else this.polling.delete(sharedKeyOf(key));
  }

  private usedQueues(): ReadonlySet<RateLimitQueue> {
    return new Set([...this.polling.values(), ...[...this.throttled.values()].map(({ queue }) => queue)]);
  }

  private room(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.listeners.forEach((listener) => listener());
  }

  private report(queue: RateLimitQueue, type: string | undefined, limit: Limit, begins: boolean): void {
    const wait = limit.block.remaining(this.options.clock.now());
    this.options.onBlock?.({
      ...queue.name,
      event: begins ? 'begins' : 'ends',
      of: type === undefined ? (limit === queue.limits.shared ? 'scope' : 'principal') : 'type',
      ...(type === undefined ? {} : { type }),
      code: limit.code,
      seconds: Number.isFinite(wait) ? wait / 1000 : 0,
    });
  }
}

/** After a short wait the state that the reconcile has read so far is still valid. */
function isShortWait(throttling: Throttling | undefined): boolean {
  return throttling?.milliseconds !== undefined && throttling.milliseconds <= LONGEST_WAIT_WHEN_BEGUN_MS;
}
