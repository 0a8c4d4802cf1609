import type { Priority } from './options';

/**
 * Resyncs at a time, of one group half of them. All objects are due at once after a start: more at a time would not come to an end sooner, since
 * Azure lets some 25 reads a second through, but each takes a connection, and what has changed would stand behind them all.
 */
const MOST_RESYNCS = 32;

/** How many may run of what shares a bound: all together, and of one tenant. */
export class Bound {
  /** The last ones are for tenants that run little. */
  public readonly kept: number;
  /** So many are still little. */
  public readonly little: number;
  /** Resync never holds all: what has changed begins at once. */
  public readonly resync: number;

  public constructor(public readonly most: number, mostResyncs: number) {
    this.kept = Math.floor(most / 4);
    this.little = Math.max(1, Math.floor(this.kept / 8));
    this.resync = Math.max(1, Math.min(Math.floor(most / 2), mostResyncs));
  }

  /** Whether one more may begin, of a tenant that has `own` of them. */
  public hasRoom(running: Running, priority: Priority, own: number, isAlone: boolean): boolean {
    if (running.all >= this.most || (priority === 'resync' && running.resync >= this.resync)) return false;
    return isAlone || this.most - running.all > this.kept || own < this.little;
  }
}

interface Running {
  readonly all: number;
  readonly resync: number;
}

/** What one tenant runs. */
interface Own {
  all: number;
  readonly groups: Map<string, number>;
}

const NOTHING: Running = { all: 0, resync: 0 };

/** Counts what runs, and knows who may begin. A tenant that is alone is not held back for others. */
export class Slots {
  private total: Running = NOTHING;
  private readonly groups = new Map<string, Running>();
  private readonly tenants = new Map<string, Own>();
  private readonly whole: Bound;
  private readonly perGroup: Bound;

  public constructor(concurrency: number, concurrencyPerGroup: number) {
    this.whole = new Bound(concurrency, MOST_RESYNCS);
    this.perGroup = new Bound(Math.min(concurrency, concurrencyPerGroup), MOST_RESYNCS / 2);
  }

  public get running(): number {
    return this.total.all;
  }

  /** Whether there is a slot for anybody. */
  public isFree(priority: Priority): boolean {
    return this.whole.hasRoom(this.total, priority, 0, true);
  }

  /** Whether there is a slot of the group for anybody. */
  public isFreeOf(group: string, priority: Priority): boolean {
    return this.perGroup.hasRoom(this.groups.get(group) ?? NOTHING, priority, 0, true);
  }

  public mayBegin(tenant: string, priority: Priority, isAlone: boolean): boolean {
    return this.whole.hasRoom(this.total, priority, this.tenants.get(tenant)?.all ?? 0, isAlone);
  }

  public mayBeginOf(group: string, tenant: string, priority: Priority, isAlone: boolean): boolean {
    return this.perGroup.hasRoom(this.groups.get(group) ?? NOTHING, priority, this.tenants.get(tenant)?.groups.get(group) ?? 0, isAlone);
  }

  public begin(tenant: string, group: string, priority: Priority): void {
    this.count(tenant, group, priority, 1);
  }

  public end(tenant: string, group: string, priority: Priority): void {
    this.count(tenant, group, priority, -1);
  }

  private count(tenant: string, group: string, priority: Priority, by: 1 | -1): void {
    this.total = counted(this.total, priority, by);
    const running = counted(this.groups.get(group) ?? NOTHING, priority, by);
    if (running.all === 0) this.groups.delete(group);
    else this.groups.set(group, running);
    const own = this.tenants.get(tenant) ?? { all: 0, groups: new Map<string, number>() };
    own.all += by;
    own.groups.set(group, (own.groups.get(group) ?? 0) + by);
    if (own.groups.get(group) === 0) own.groups.delete(group);
    if (own.all === 0) this.tenants.delete(tenant);
    else this.tenants.set(tenant, own);
  }
}

function counted({ all, resync }: Running, priority: Priority, by: 1 | -1): Running {
  return { all: all + by, resync: priority === 'resync' ? resync + by : resync };
}
