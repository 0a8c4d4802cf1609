import { KeyedBackoff, type BackoffOptions } from './backoff';
import type { Clock } from '../clock';

/** `fresh`: something has changed. `resync`: nothing has, as far as we know (start-up, periodic drift check). Fresh goes first. */
export type Priority = 'fresh' | 'resync';

/** Told of what happens to items, for metrics. */
export interface WorkQueueObserver<T> {
  /** It waits for a worker; told once, however often it was added. */
  onAdded(item: T): void;
  /** It does not wait any more, and was not worked on. */
  onDropped(item: T): void;
  onStarted(item: T): void;
  onEnded(item: T): void;
}

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /** Items with the same key are the same piece of work. */
  readonly keyOf: (item: T) => string;
  /** Items of one group (a kind) share a bound. */
  readonly groupOf: (item: T) => string;
  /** Items of one group at a time (`MAX_CONCURRENT_RECONCILES`). */
  readonly concurrencyPerGroup: number;
  /** Items at a time in all. */
  readonly concurrency: number;
  /** Does the work. The signal aborts when the queue is told to stop at once; the priority is the one with which the item was picked. */
  readonly process: (item: T, signal: AbortSignal, priority: Priority) => Promise<void>;
  /** Told of what `process` throws; the item is tried again after a delay of its own. */
  readonly onError?: (item: T, error: unknown, retryInMilliseconds: number) => void;
  /**
   * Whether a worker may begin the item now; asked when it would be picked, so it has to be cheap. Who is held back waits for `poke` and
   * is in nobody's way. Default: always.
   */
  readonly gate?: (item: T, priority: Priority) => boolean;
  /** Default 1 s doubling up to 3 min. */
  readonly backoff?: BackoffOptions;
  readonly observer?: WorkQueueObserver<T>;
}

interface Entry<T> {
  item: T;
  priority: Priority;
}

interface Delayed<T> extends Entry<T> {
  readonly due: number;
  readonly cancel: () => void;
}

interface Group<T> {
  readonly fresh: Map<string, T>;
  readonly resync: Map<string, T>;
  running: number;
}

/** A timer of Node cannot wait longer than this; longer delays wait in steps. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Each so-manieth pick takes a resync item first, so that a stream of fresh ones never starves them. */
const RESYNC_SHARE = 8;
const DEFAULT_BACKOFF: BackoffOptions = { base: 1_000, max: 180_000, jitter: 0.1 };

/**
 * Work by key: never twice at once, never lost. Added while it waits: once. Added while it runs: once more afterwards. Kinds take turns,
 * so a slow or failing one never delays another.
 */
export class WorkQueue<T> {
  /** Of items whose `process` threw. */
  private readonly backoff: KeyedBackoff;
  private readonly groups = new Map<string, Group<T>>();
  private readonly delayed = new Map<string, Delayed<T>>();
  /** Keys that run; the value is what was added meanwhile. */
  private readonly running = new Map<string, Entry<T> | undefined>();
  private readonly stopping = new AbortController();
  private state: 'idle' | 'started' | 'draining' = 'idle';
  private ready = 0;
  private picks = 0;
  private whenIdle: (() => void)[] = [];

  public constructor(private readonly options: WorkQueueOptions<T>) {
    if (!(options.concurrency >= 1) || !(options.concurrencyPerGroup >= 1)) throw new RangeError('a work queue needs a concurrency of at least 1');
    this.backoff = new KeyedBackoff(options.backoff ?? DEFAULT_BACKOFF, () => options.clock.random());
  }

  /** Items that wait for a worker. */
  public get depth(): number {
    return this.ready;
  }

  /** Items that wait for their time. */
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

  /** Begins to work. Items can be added before. */
  public start(): void {
    if (this.state !== 'idle') return;
    this.state = 'started';
    this.dispatch();
  }

  /** The gate may answer differently now: those that it held back are asked about again. */
  public poke(): void {
    this.dispatch();
  }

  /** Work at once; takes the place of a delay. Without effect once the queue drains. */
  public add(item: T, priority: Priority = 'fresh'): void {
    if (this.state === 'draining') return;
    const key = this.options.keyOf(item);
    this.cancelDelay(key);
    this.enqueue(key, { item, priority });
    this.dispatch();
  }

  /** Work after a delay. Of several delays of one key the earliest counts; of an item that already waits for a worker none does. */
  public addAfter(item: T, milliseconds: number, priority: Priority = 'resync'): void {
    if (this.state === 'draining') return;
    if (!(milliseconds > 0)) return this.add(item, priority);
    const key = this.options.keyOf(item);
    if (this.isReady(key, item)) return;
    const due = this.options.clock.now() + milliseconds;
    const known = this.delayed.get(key);
    if (known && known.due <= due) {
      known.item = item;
      return;
    }
    known?.cancel();
    this.wait(key, { item, priority }, due);
  }

  /** Forgets an item that waits, e.g. because its object is gone. What runs goes on. */
  public forget(item: T): void {
    const key = this.options.keyOf(item);
    this.cancelDelay(key);
    this.backoff.forget(key);
    this.unready(key, item);
    if (this.running.has(key)) this.running.set(key, undefined);
  }

  /** Begins nothing any more, drops what waits, and resolves when the last running item is done. */
  public async drain(): Promise<void> {
    this.state = 'draining';
    for (const key of [...this.delayed.keys()]) this.cancelDelay(key);
    for (const group of this.groups.values()) {
      for (const item of [...group.fresh.values(), ...group.resync.values()]) this.options.observer?.onDropped(item);
    }
    this.groups.clear();
    this.ready = 0;
    for (const key of this.running.keys()) this.running.set(key, undefined);
    if (this.running.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  /** Like `drain`, and tells running work by its signal to give up. */
  public async stop(): Promise<void> {
    this.stopping.abort(new Error('the work queue has been stopped'));
    await this.drain();
  }

  private enqueue(key: string, entry: Entry<T>): void {
    if (this.running.has(key)) {
      const waiting = this.running.get(key);
      this.running.set(key, { item: entry.item, priority: waiting?.priority === 'fresh' ? 'fresh' : entry.priority });
      return;
    }
    const group = this.groupOf(entry.item);
    if (group.fresh.has(key)) {
      group.fresh.set(key, entry.item);
      return;
    }
    const known = group.resync.has(key);
    if (known && entry.priority === 'resync') {
      group.resync.set(key, entry.item);
      return;
    }
    if (known) group.resync.delete(key);
    else this.ready += 1;
    group[entry.priority].set(key, entry.item);
    if (!known) this.options.observer?.onAdded(entry.item);
  }

  private wait(key: string, entry: Entry<T>, due: number): void {
    const remaining = due - this.options.clock.now();
    const cancel = this.options.clock.schedule(Math.min(Math.max(remaining, 0), LONGEST_TIMER), () => {
      const delayed = this.delayed.get(key);
      if (!delayed) return;
      this.delayed.delete(key);
      if (this.options.clock.now() < due) return this.wait(key, delayed, due);
      this.enqueue(key, delayed);
      this.dispatch();
    });
    this.delayed.set(key, { ...entry, due, cancel });
  }

  private dispatch(): void {
    if (this.state !== 'started') return;
    while (this.running.size < this.options.concurrency) {
      const next = this.pick();
      if (!next) return;
      void this.run(next.key, next.group, next.item, next.priority);
    }
  }

  private pick(): { key: string; group: string; item: T; priority: Priority } | undefined {
    if (this.ready === 0) return undefined;
    this.picks += 1;
    const order: Priority[] = this.picks % RESYNC_SHARE === 0 ? ['resync', 'fresh'] : ['fresh', 'resync'];
    for (const priority of order) {
      for (const [name, group] of this.groups) {
        if (group.running >= this.options.concurrencyPerGroup) continue;
        const open = this.firstOpen(group[priority], priority);
        if (!open) continue;
        const [key, item] = open;
        group[priority].delete(key);
        this.ready -= 1;
        // Groups take turns: who was served stands at the end.
        this.groups.delete(name);
        this.groups.set(name, group);
        return { key, group: name, item, priority };
      }
    }
    return undefined;
  }

  private firstOpen(items: ReadonlyMap<string, T>, priority: Priority): [string, T] | undefined {
    const { gate } = this.options;
    for (const entry of items) if (!gate || gate(entry[1], priority)) return entry;
    return undefined;
  }

  private async run(key: string, groupName: string, item: T, priority: Priority): Promise<void> {
    const group = this.groupNamed(groupName);
    group.running += 1;
    this.running.set(key, undefined);
    this.options.observer?.onStarted(item);
    try {
      await this.options.process(item, this.stopping.signal, priority);
      this.backoff.forget(key);
    } catch (error) {
      this.failed(key, item, error);
    } finally {
      const again = this.running.get(key);
      this.running.delete(key);
      group.running -= 1;
      this.options.observer?.onEnded(item);
      if (again) {
        this.cancelDelay(key);
        this.enqueue(key, again);
      }
      this.removeIfEmpty(groupName, group);
      if (this.running.size === 0) this.whenIdle.splice(0).forEach((resolve) => resolve());
      this.dispatch();
    }
  }

  private failed(key: string, item: T, error: unknown): void {
    const delay = this.backoff.next(key);
    this.addAfter(item, delay);
    try {
      this.options.onError?.(item, error, delay);
    } catch {
      // Who listens to errors must not stop the work.
    }
  }

  private isReady(key: string, item: T): boolean {
    const group = this.groups.get(this.options.groupOf(item));
    return group !== undefined && (group.fresh.has(key) || group.resync.has(key));
  }

  private unready(key: string, item: T): void {
    const name = this.options.groupOf(item);
    const group = this.groups.get(name);
    if (!group) return;
    if (group.fresh.delete(key) || group.resync.delete(key)) {
      this.ready -= 1;
      this.options.observer?.onDropped(item);
    }
    this.removeIfEmpty(name, group);
  }

  private cancelDelay(key: string): void {
    this.delayed.get(key)?.cancel();
    this.delayed.delete(key);
  }

  private groupOf(item: T): Group<T> {
    return this.groupNamed(this.options.groupOf(item));
  }

  private groupNamed(name: string): Group<T> {
    let group = this.groups.get(name);
    if (!group) {
      group = { fresh: new Map(), resync: new Map(), running: 0 };
      this.groups.set(name, group);
    }
    return group;
  }

  private removeIfEmpty(name: string, group: Group<T>): void {
    if (group.running === 0 && group.fresh.size === 0 && group.resync.size === 0 && this.groups.get(name) === group) this.groups.delete(name);
  }
}
