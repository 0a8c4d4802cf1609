import { setMaxListeners } from 'node:events';
import type { Line, Priority, Worker, WorkQueueOptions } from './options';
import { ReadyItems } from './ready-items';
import { Slots } from './slots';
import type { Waiting } from './sub-queue';
import { KeyedBackoff, type BackoffOptions } from '../../engine/kubernetes/backoff';

interface Entry<T> {
  item: T;
  line: Line;
}

interface Delayed<T> extends Entry<T> {
  readonly due: number;
  readonly cancel: () => void;
}

/** The longest timer of Node; longer delays wait in steps. Milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Every n-th pick takes a resync item first, and every n-th a blocked one, so that a stream of fresh items never starves the others. */
const SHARE = 8;
/** Shortest delay between rounds of asking the gates; it grows with the number of refused items. Milliseconds. */
const SHORTEST_GATE_DELAY_MS = 100;
const ASKED_IN_A_MILLISECOND = 20;
/** The gate's owner should call `wake`; if it does not, the gate is asked again after this time. Milliseconds. */
const LONGEST_GATE_DELAY_MS = 5_000;
const DEFAULT_BACKOFF: BackoffOptions = { base: 1_000, max: 180_000, jitter: 0.1 };
const LINES: readonly Line[] = ['fresh', 'blocked', 'resync'];
const RESYNC_FIRST: readonly Line[] = ['resync', 'fresh', 'blocked'];
const BLOCKED_FIRST: readonly Line[] = ['blocked', 'fresh', 'resync'];

/**
 * A work queue by key: an item never runs twice at once, and is never lost. Added while it waits, it runs once; added while it runs, once
 * more afterwards. Tenants take turns, and within a tenant groups do, so the amount of work, slowness or failures of one never delay
 * another. The last quarter of the slots, of all and of each group, is kept for tenants that run little, as soon as there is more than
 * one; resyncs hold at most half of the slots, and never many.
 */
export class WorkQueue<T> {
  /** Backoff of items whose `process` threw. */
  private readonly backoff: KeyedBackoff;
  private readonly ready: Readonly<Record<Line, ReadyItems<T>>> = {
    fresh: new ReadyItems(), blocked: new ReadyItems(), resync: new ReadyItems(),
  };
  private readonly delayed = new Map<string, Delayed<T>>();
  /** Keys of running items; the value is the entry that was added meanwhile. */
  private readonly running = new Map<string, Entry<T> | undefined>();
  private readonly slots: Slots;
  /** Number of items of each tenant: waiting, delayed or running. */
  private readonly tenants = new Map<string, number>();
  private readonly stopping = new AbortController();
  private state: 'idle' | 'started' | 'draining' = 'idle';
  private picks = 0;
  private whenIdle: (() => void)[] = [];
  /** When the gate is asked again about the items that it has refused. */
  private asksAgain: { readonly at: number; readonly cancel: () => void } | undefined;
  private lastAsked = -Infinity;

  public constructor(private readonly options: WorkQueueOptions<T>) {
    if (!(options.concurrency >= 1) || !(options.concurrencyPerGroup >= 1)) {
      throw new RangeError('a work queue needs a concurrency of at least 1');
    }
    // Every reconcile listens to it: Node reports more than ten listeners as a leak.
    setMaxListeners(0, this.stopping.signal);
    this.slots = new Slots(options.concurrency, options.concurrencyPerGroup);
    this.backoff = new KeyedBackoff(options.backoff ?? DEFAULT_BACKOFF, () => options.clock.random());
  }

  /** Items that wait for a worker. */
  public get depth(): number {
    return LINES.reduce((sum, line) => sum + this.ready[line].size, 0);
  }

  /** Items that wait for a delay to end. */
  public get delayedCount(): number {
    return this.delayed.size;
  }

  /** Items that run now. */
  public get runningCount(): number {
    return this.running.size;
  }

  /** Whether an item is worked on now. */
  public isRunning(key: string): boolean {
    return this.running.has(key);
  }

  /** When a delayed item is due, in milliseconds since the epoch. */
  public dueAt(key: string): number | undefined {
    return this.delayed.get(key)?.due;
  }

  /** Starts the workers. Items can be added before. */
  public start(): void {
    if (this.state !== 'idle') return;
    this.state = 'started';
    this.dispatch();
  }

  /** The gate may answer differently now: it is soon asked again about the items that it has refused. */
  public wake(): void {
    if (this.hasRefused) this.askAgainAt(this.lastAsked + Math.max(SHORTEST_GATE_DELAY_MS, this.depth / ASKED_IN_A_MILLISECOND));
  }

  /** The rank of the item with this key may have changed. */
  public rerank(key: string): void {
    for (const line of LINES) this.ready[line].rerank(key, (item) => this.rankOf(item));
  }

  /** Enqueues an item at once; replaces a delay. Without effect once the queue drains. */
  public add(item: T, line: Line = 'fresh'): void {
    if (this.state === 'draining') return;
    const key = this.options.keyOf(item);
    this.enqueue(key, { item, line });
    this.cancelDelay(key);
    this.dispatch();
  }

  /**
   * Enqueues an item after a delay. The earliest of several delays of one key counts; none applies to an item that already waits for a
   * worker.
   */
  public addAfter(item: T, milliseconds: number, line: Line = 'resync'): void {
    if (this.state === 'draining') return;
    if (!(milliseconds > 0)) return this.add(item, line);
    const key = this.options.keyOf(item);
    if (this.lineOf(key)) return;
    const due = this.options.clock.now() + milliseconds;
    const known = this.delayed.get(key);
    if (known && known.due <= due) {
      known.item = item;
      return;
    }
    known?.cancel();
    this.wait(key, { item, line }, due, known !== undefined);
  }

  /** Drops a waiting item, e.g. because its object is gone. A running item goes on. */
  public forget(item: T): void {
    const key = this.options.keyOf(item);
    this.cancelDelay(key);
    this.backoff.forget(key);
    const line = this.lineOf(key);
    const waiting = line && this.ready[line].delete(key);
    if (waiting) this.dropped(waiting);
    if (this.running.has(key)) this.running.set(key, undefined);
  }

  /** Starts no more items, drops waiting ones, and resolves when the last running item is done. */
  public async drain(): Promise<void> {
    this.state = 'draining';
    this.asksAgain?.cancel();
    this.asksAgain = undefined;
    for (const key of [...this.delayed.keys()]) this.cancelDelay(key);
    for (const line of LINES) this.ready[line].clear().forEach((waiting) => this.dropped(waiting));
    for (const key of this.running.keys()) this.running.set(key, undefined);
    if (this.running.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  /** Like `drain`, and aborts the signal of running items. */
  public async stop(): Promise<void> {
    this.stopping.abort(new Error('the work queue has been stopped'));
    await this.drain();
  }

  private enqueue(key: string, { item, line }: Entry<T>): void {
    if (this.running.has(key)) {
      const again = this.running.get(key);
      this.running.set(key, { item, line: again && isBefore(again.line, line) ? again.line : line });
      return;
    }
    const known = this.lineOf(key);
    if (known && !isBefore(line, known)) return this.ready[known].replace(key, item);
    const tenant = this.tenantOf(item);
    if (known) this.ready[known].delete(key);
    else this.countTenant(tenant, 1);
    this.ready[line].add(key, item, tenant, this.options.groupOf(item), this.rankOf(item));
    if (!known) this.options.observer?.onAdded(item);
  }

  private lineOf(key: string): Line | undefined {
    return LINES.find((line) => this.ready[line].has(key));
  }

  private wait(key: string, entry: Entry<T>, due: number, isCounted = false): void {
    const remaining = due - this.options.clock.now();
    const cancel = this.options.clock.schedule(Math.min(Math.max(remaining, 0), LONGEST_TIMER), () => {
      const delayed = this.delayed.get(key);
      if (!delayed) return;
      if (this.options.clock.now() < due) return this.wait(key, delayed, due, true);
      this.enqueue(key, delayed);
      this.cancelDelay(key);
      this.dispatch();
    });
    this.delayed.set(key, { ...entry, due, cancel });
    if (!isCounted) this.countTenant(this.tenantOf(entry.item), 1);
  }

  private dispatch(): void {
    if (this.state !== 'started') return;
    for (let next = this.pick(); next; next = this.pick()) void this.run(next.waiting, next.line);
    if (this.hasRefused && !this.asksAgain) this.askAgainAt(this.options.clock.now() + LONGEST_GATE_DELAY_MS);
  }

  private pick(): { readonly waiting: Waiting<T>; readonly line: Line } | undefined {
    const { gate } = this.options;
    const isAlone = this.tenants.size <= 1;
    for (const line of linesOf(this.picks)) {
      if (this.ready[line].size === 0 || !this.slots.isFree(line)) continue;
      const waiting = this.ready[line].take({
        anyOf: (group) => this.slots.isFreeOf(group, line),
        tenant: (tenant) => this.slots.mayBegin(tenant, line, isAlone),
        group: (tenant, group) => this.slots.mayBeginOf(group, tenant, line, isAlone),
        gate: (item) => !gate || gate(item, priorityIn(line)),
      });
      if (!waiting) continue;
      this.picks += 1;
      return { waiting, line };
    }
    return undefined;
  }

  private async run(waiting: Waiting<T>, line: Line): Promise<void> {
    const { key, item } = waiting;
    const worker = this.workerFor(waiting, line);
    this.running.set(key, undefined);
    this.options.observer?.onStarted(item);
    try {
      await this.options.process(item, this.stopping.signal, priorityIn(line), worker);
      this.backoff.forget(key);
    } catch (error) {
      this.failed(key, item, error);
    } finally {
      const again = this.running.get(key);
      this.running.delete(key);
      worker.end();
      this.options.observer?.onEnded(item);
      if (again) {
        this.enqueue(key, again);
        this.cancelDelay(key);
      }
      this.countTenant(waiting.tenant, -1);
      if (this.running.size === 0) this.whenIdle.splice(0).forEach((resolve) => resolve());
      this.dispatch();
    }
  }

  /** A worker that begins with the item. */
  private workerFor({ tenant, group }: Waiting<T>, line: Line): Worker & { readonly end: () => void } {
    let waits = 0;
    let hasEnded = false;
    const count = (by: 'begin' | 'end') => this.slots[by](tenant, group, line);
    count('begin');
    return {
      lend: () => {
        if (hasEnded) return () => undefined;
        let isOver = false;
        waits += 1;
        if (waits === 1) {
          count('end');
          // The caller may be in the middle of something that the next item asks for.
          queueMicrotask(() => this.dispatch());
        }
        return () => {
          if (isOver) return;
          isOver = true;
          waits -= 1;
          if (waits === 0 && !hasEnded) count('begin');
        };
      },
      end: () => {
        if (waits === 0) count('end');
        hasEnded = true;
      },
    };
  }

  private failed(key: string, item: T, error: unknown): void {
    const delay = this.backoff.next(key);
    this.addAfter(item, delay);
    try {
      this.options.onError?.(item, error, delay);
    } catch {
      // An error in a listener must not stop the workers.
    }
  }

  private get hasRefused(): boolean {
    return LINES.some((line) => this.ready[line].hasRefused);
  }

  private askAgainAt(at: number): void {
    if (this.state !== 'started' || (this.asksAgain && this.asksAgain.at <= at)) return;
    this.asksAgain?.cancel();
    const remaining = at - this.options.clock.now();
    if (remaining <= 0) return this.askAgain();
    this.asksAgain = { at, cancel: this.options.clock.schedule(remaining, () => this.askAgain()) };
  }

  private askAgain(): void {
    this.asksAgain = undefined;
    this.lastAsked = this.options.clock.now();
    for (const line of LINES) this.ready[line].release();
    this.dispatch();
  }

  private dropped({ item, tenant }: Waiting<T>): void {
    this.countTenant(tenant, -1);
    this.options.observer?.onDropped(item);
  }

  private cancelDelay(key: string): void {
    const delayed = this.delayed.get(key);
    if (!delayed) return;
    delayed.cancel();
    this.delayed.delete(key);
    this.countTenant(this.tenantOf(delayed.item), -1);
  }

  private countTenant(tenant: string, by: 1 | -1): void {
    const count = (this.tenants.get(tenant) ?? 0) + by;
    if (count === 0) this.tenants.delete(tenant);
    else this.tenants.set(tenant, count);
  }

  private tenantOf(item: T): string {
    return this.options.tenantOf?.(item) ?? '';
  }

  private rankOf(item: T): number {
    return Math.max(0, Math.floor(this.options.rankOf?.(item) ?? 0));
  }
}

/** The order of the lines for the next pick. */
function linesOf(picks: number): readonly Line[] {
  if (picks % SHARE === SHARE - 1) return RESYNC_FIRST;
  return picks % SHARE === SHARE / 2 - 1 ? BLOCKED_FIRST : LINES;
}

function isBefore(one: Line, other: Line): boolean {
  return LINES.indexOf(one) < LINES.indexOf(other);
}

function priorityIn(line: Line): Priority {
  return line === 'resync' ? 'resync' : 'fresh';
}
