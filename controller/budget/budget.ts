import { HeldBackError } from './held-back';
import { Lane, LONG_PATIENCE, PATIENCE, type LaneName } from './lane';
import { Limit } from './limit';
import { isResourceGraph, limitedTypeOf, operationOf, scopeOf, type Operation } from './operation';
import { throttlingOf } from './throttling';
import { withProviderRegistration } from '../../engine/arm/provider-registration';
import type { ArmClient, ArmRequest, RawAnswer, RequestPurpose } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { ResolvedCredential } from '../../engine/credentials/types';
import type { ObjectKey } from '../../engine/kubernetes/types';
import { ALL_PRINCIPALS_FACTOR, ARM_REQUEST_LIMITS, PROVIDER_WRITE_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';
import { textOf } from '../reconcile/object-key';
import type { Priority } from '../work-queue';

/** Whose requests are sent, and how urgent they are. */
export interface BudgetUse {
  /** Namespaces share fairly. */
  readonly namespace: string;
  /** What has changed goes before what is only looked at again. */
  readonly priority: Priority;
  /** Within the namespace, higher goes first. Default 0. */
  readonly rank?: number;
  /** What for, where the request itself does not say. Default: `sync` of a resync, else `reconcile`. */
  readonly purpose?: RequestPurpose;
  /** The object that a pass is about; the gate goes by it. */
  readonly key?: ObjectKey;
  /**
   * Called in the place of a long wait; `send` rejects with the same error. Whoever gives it ends its work and comes back when the gate opens.
   * After a first request was let through only a long refusal by Azure does so, and after a write nothing: so nothing is done twice.
   */
  readonly onHeldBack?: (reason: HeldBackError) => void;
}

/** A limit of Azure's was met, or requests are taken again. */
export interface BlockEvent extends LaneName {
  readonly event: 'begins' | 'ends';
  /** All principals of the scope, this one, or only requests for one type. */
  readonly of: 'scope' | 'principal' | 'type';
  /** ARM type, where only that is affected. */
  readonly type?: string;
  /** Of Azure's refusal. */
  readonly code: string;
  /** Until requests may be sent again. */
  readonly seconds: number;
}

/** What metrics show of requests that Azure counts together. */
export interface LaneState extends LaneName {
  readonly remaining: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly isBlocked: boolean;
  /** Types that are refused now. */
  readonly blockedTypes: readonly string[];
  readonly blockedSeconds: number;
}

/** A request that is let through. */
export interface BudgetedRequest {
  readonly purpose: RequestPurpose;
  readonly operation: Operation;
  readonly priority: Priority;
  readonly waitedSeconds: number;
}

export interface BudgetOptions {
  readonly clock: Clock;
  /** So many times faster Azure's buckets fill: for a simulated Azure whose time is faster. Default 1. */
  readonly timeScale?: number;
  readonly onBlock?: (event: BlockEvent) => void;
  /** Called for each request that is let through, with the time that it has waited. */
  readonly onRequest?: (request: BudgetedRequest) => void;
}

/**
 * 15 queries in any 5 s: a bucket that lets no more through than its size and five times its refill.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests
 */
const RESOURCE_GRAPH_QUOTA: RequestBucket = { size: 5, refillPerSecond: 2 };
/** So often a pass is held back for want of a turn; then it waits for it. */
const MOST_HELD_BACK = 3;
/** A request that is refused for a short time is sent so often; then its pass hears of it. */
const MOST_SENT = 3;
/** Lanes that are kept although nothing happens in them: credentials come and go. */
const MOST_IDLE_LANES = 500;

type LaneFor = (url: string, operation: Operation) => Lane;

/** What all principals of a scope have in common. */
interface Shared {
  readonly limit: Limit;
  readonly lanes: Set<Lane>;
  /** Documented limits of providers, by provider. */
  readonly providers: Map<string, Limit>;
}

interface Held {
  readonly lane: Lane;
  readonly type: string;
  readonly times: number;
}

/**
 * Azure's request limits, kept on our side, so that requests wait here in a good order instead of being refused there.
 *
 * For each cloud, subscription (or tenant) of the URL, principal and operation there is a bucket of Azure's documented size, and one for
 * all principals of the subscription. What Azure says is left takes tokens away; when it refuses, one bucket (or one type in it) is closed
 * for all until the time that it names, and then one request goes ahead.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class Budget {
  private readonly lanes = new Map<string, Lane>();
  private readonly shared = new Map<string, Shared>();
  /** Objects whose pass was held back, and by what. */
  private readonly held = new Map<string, Held>();
  /** Objects of which an operation runs in Azure: the next pass only reads. */
  private readonly polling = new Map<string, Lane>();
  private readonly listeners = new Set<() => void>();
  /** Somebody has found the gate closed. */
  private wanted = false;

  public constructor(private readonly options: BudgetOptions) {}

  /** The credential's client, whose requests wait until Azure's limits have room for them. Registers missing providers, which counts as well. */
  public clientFor(credential: Pick<ResolvedCredential, 'client' | 'tenantId' | 'clientId' | 'source'>, use: BudgetUse): ArmClient {
    const { client, tenantId } = credential;
    const pass = new BudgetedPass(use, use.key && this.takeHeld(textOf(use.key)));
    const lane: LaneFor = (url, operation) => this.laneOf({
      endpoint: client.endpoint, scope: scopeOf(url, tenantId), principal: credential.clientId || credential.source, operation,
    });
    return withProviderRegistration({
      subscriptionId: client.subscriptionId,
      endpoint: client.endpoint,
      send: (request, signal) => this.send(client, pass, lane, request, signal),
    });
  }

  /** Whether it makes sense to begin a pass of the object now: there is room for the request that stopped its last one, or for any. */
  public isOpen(key: ObjectKey, priority: Priority): boolean {
    const name = textOf(key);
    const held = this.held.get(name);
    const lane = held?.lane ?? this.polling.get(name);
    const open = lane
      ? lane.isOpen(held?.type) && lane.hasRoom(key.namespace, priority)
      : [...this.lanes.values()].every((other) => other.hasRoom(key.namespace, priority));
    if (!open) this.wanted = true;
    return open;
  }

  /** Calls back when what was closed may be open. */
  public onOpen(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** The object has changed: its pass that only looks at it, and still waits for room to do so, is held back, and may begin at once. */
  public changed(key: ObjectKey): void {
    const name = textOf(key);
    this.lanes.forEach((lane) => lane.giveUp(name));
    this.held.delete(name);
  }

  /** The object is gone. */
  public forget(key: ObjectKey): void {
    this.held.delete(textOf(key));
    this.polling.delete(textOf(key));
  }

  public get states(): readonly LaneState[] {
    const now = this.options.clock.now();
    return [...this.lanes.values()].map((lane): LaneState => ({
      ...lane.name,
      remaining: Math.max(Math.floor(lane.own.bucket!.level(now)), 0),
      waiting: { fresh: lane.waiting('fresh'), resync: lane.waiting('resync') },
      isBlocked: !lane.own.block.isOpen || !lane.shared.block.isOpen,
      blockedTypes: [...lane.types].filter(([, { block }]) => !block.isOpen).map(([type]) => type),
      blockedSeconds: lane.own.block.blockedFor(now) / 1000,
    }));
  }

  /** Ends all timers; what waits goes on waiting. */
  public stop(): void {
    this.lanes.forEach((lane) => lane.stop());
  }

  private async send(
    client: ArmClient, pass: BudgetedPass, laneFor: LaneFor, request: ArmRequest, signal?: AbortSignal,
  ): Promise<RawAnswer> {
    const { clock } = this.options;
    const operation = operationOf(request.method);
    const lane = laneFor(request.url, operation);
    const type = limitedTypeOf(request);
    const known = lane.types.has(type) ? undefined : this.documentedLimit(lane, request, type);
    if (known) lane.types.set(type, known);
    const { use } = pass;
    const purpose = request.purpose ?? use.purpose ?? (use.priority === 'resync' ? 'sync' : 'reconcile');
    for (let times = 1; ; times += 1) {
      const asked = clock.now();
      const ticket = await lane.acquire({
        namespace: use.namespace,
        priority: use.priority,
        rank: use.rank ?? 0,
        hasBegun: pass.hasBegun,
        type,
        patience: pass.patienceIn(lane),
        ...(use.key ? { object: textOf(use.key) } : {}),
        ...(use.onHeldBack && !pass.hasWritten ? { onHeldBack: (reason) => this.holdBack(pass, lane, type, reason) } : {}),
      }, signal);
      pass.hasBegun = true;
      this.options.onRequest?.({ purpose, operation, priority: use.priority, waitedSeconds: Math.max(clock.now() - asked, 0) / 1000 });
      let response: RawAnswer;
      try {
        response = await client.send(request, signal);
      } catch (error) {
        if (operation !== 'reads') pass.hasWritten = true;
        lane.unanswered(ticket);
        this.wake(lane);
        throw error;
      }
      const throttling = throttlingOf(response, lane.name.scope, operation, clock.now());
      // What was refused for its number was not looked at by Azure: nothing is written.
      if (operation !== 'reads' && !throttling) pass.hasWritten = true;
      lane.answered(ticket, response, throttling);
      this.wake(lane);
      this.remember(pass, request, response, laneFor);
      // What the pass has found out so far is as good in a moment.
      const isSentAgain = throttling?.milliseconds !== undefined && throttling.milliseconds <= LONG_PATIENCE && times < MOST_SENT;
      if (!isSentAgain) return response;
    }
  }

  /** What is known of a limit besides Azure Resource Manager's before Azure has refused anything. */
  private documentedLimit({ name }: Lane, { method, url }: ArmRequest, type: string): Limit | undefined {
    const now = this.options.clock.now();
    if (isResourceGraph(url)) return new Limit(this.scaled(RESOURCE_GRAPH_QUOTA), now);
    const provider = type.split('/', 1)[0];
    // Actions are counted with the reads.
    if (method === 'GET' || method === 'POST' || !Object.hasOwn(PROVIDER_WRITE_LIMITS, provider)) return undefined;
    const { providers } = this.shared.get(sharedKey(name))!;
    const limit = providers.get(provider) ?? new Limit(this.scaled(PROVIDER_WRITE_LIMITS[provider]), now);
    providers.set(provider, limit);
    return limit;
  }

  private holdBack(pass: BudgetedPass, lane: Lane, type: string, reason: HeldBackError): void {
    const { key, onHeldBack } = pass.use;
    if (key) this.held.set(textOf(key), { lane, type, times: pass.timesHeldIn(lane) + 1 });
    onHeldBack!(reason);
  }

  private takeHeld(name: string): Held | undefined {
    const held = this.held.get(name);
    this.held.delete(name);
    return held;
  }

  /** As long as an operation runs, an object needs no more than reads. */
  private remember({ use: { key } }: BudgetedPass, request: ArmRequest, { status }: RawAnswer, laneFor: LaneFor): void {
    if (!key) return;
    const accepted = request.purpose === 'poll' ? status < 300 : operationOf(request.method) !== 'reads' && (status === 201 || status === 202);
    if (accepted) this.polling.set(textOf(key), laneFor(request.url, 'reads'));
    else this.polling.delete(textOf(key));
  }

  /** Other principals wait for the same limit of the scope. */
  private wake(lane: Lane): void {
    for (const other of this.shared.get(sharedKey(lane.name))?.lanes ?? []) if (other !== lane) other.pump();
  }

  private laneOf(name: LaneName): Lane {
    const key = `${sharedKey(name)} ${name.principal}`;
    const known = this.lanes.get(key);
    if (known) return known;
    if (this.lanes.size >= MOST_IDLE_LANES) this.dropIdle();
    const { clock } = this.options;
    const bucket = this.scaled(ARM_REQUEST_LIMITS[name.operation]);
    const all = timesAsMuch(bucket, ALL_PRINCIPALS_FACTOR);
    const shared = this.shared.get(sharedKey(name)) ?? { limit: new Limit(all, clock.now()), lanes: new Set(), providers: new Map() };
    this.shared.set(sharedKey(name), shared);
    const lane = new Lane({
      name, clock, bucket, shared: shared.limit, onRoom: () => this.room(), onBlock: (...event) => this.tell(...event),
    });
    shared.lanes.add(lane);
    this.lanes.set(key, lane);
    return lane;
  }

  private dropIdle(): void {
    const used = new Set([...this.polling.values(), ...[...this.held.values()].map(({ lane }) => lane)]);
    for (const [key, lane] of this.lanes) {
      if (!lane.isIdle || used.has(lane)) continue;
      this.lanes.delete(key);
      const shared = this.shared.get(sharedKey(lane.name));
      shared?.lanes.delete(lane);
      if (shared?.lanes.size === 0) this.shared.delete(sharedKey(lane.name));
      lane.stop();
    }
  }

  private room(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.listeners.forEach((listener) => listener());
  }

  private tell(lane: Lane, type: string | undefined, limit: Limit, begins: boolean): void {
    const wait = limit.block.remaining(this.options.clock.now());
    this.options.onBlock?.({
      ...lane.name,
      event: begins ? 'begins' : 'ends',
      of: type === undefined ? (limit === lane.shared ? 'scope' : 'principal') : 'type',
      ...(type === undefined ? {} : { type }),
      code: limit.code,
      seconds: Number.isFinite(wait) ? wait / 1000 : 0,
    });
  }

  private scaled(bucket: RequestBucket): RequestBucket {
    return { size: bucket.size, refillPerSecond: bucket.refillPerSecond * (this.options.timeScale ?? 1) };
  }
}

/** What a pass has done so far. */
class BudgetedPass {
  public hasWritten = false;
  /** Whether a request was let through. */
  public hasBegun = false;

  public constructor(public readonly use: BudgetUse, private readonly before: Held | undefined) {}

  /** In a row: whoever was served begins anew. */
  public timesHeldIn(lane: Lane): number {
    return this.before?.lane === lane && !this.hasBegun ? this.before.times : 0;
  }

  public patienceIn(lane: Lane): number {
    return this.timesHeldIn(lane) < MOST_HELD_BACK ? PATIENCE : Infinity;
  }
}

function sharedKey({ endpoint, scope, operation }: LaneName): string {
  return `${endpoint} ${scope.level} ${scope.id} ${operation}`;
}

function timesAsMuch({ size, refillPerSecond }: RequestBucket, factor: number): RequestBucket {
  return { size: size * factor, refillPerSecond: refillPerSecond * factor };
}
