import type { Line } from './options';

/**
 * Concurrent resyncs; of one group half of them. All objects are due at once after a start. More resyncs would not finish sooner, since
 * Azure lets some 25 reads a second through; but each takes a connection, and changed objects would wait behind them.
 */
const MOST_RESYNCS = 32;

/** Concurrent blocked items: with nothing else to do the processor is busy with these, and beside 100 others they are few. */
const MOST_BLOCKED = 4;

/** The limit of concurrent items that share a bound: of all tenants, and of one. */
export class Bound {
  /** The last slots are kept for tenants that run little. */
  public readonly kept: number;
  /** So many of them are kept for newcomers while there is only one tenant: all of its items may hang. */
  public readonly keptAlone: number;
  /** Number of running items up to which a tenant runs little. */
  public readonly little: number;
  /** Limit of resyncs, below the bound: fresh items begin at once. */
  public readonly resync: number;

  public constructor(public readonly most: number, mostResyncs: number) {
    this.kept = Math.floor(most / 4);
    this.keptAlone = Math.floor(most / 16);
    this.little = Math.max(1, Math.floor(this.kept / 8));
    this.resync = Math.max(1, Math.min(Math.floor(most / 2), mostResyncs));
  }

  /** Whether one more item may begin, of a tenant that runs `own` items. */
  public hasRoom(running: Running, line: Line, own: number, isAlone: boolean): boolean {
    if (running.all >= this.most) return false;
    if ((line === 'resync' && running.resync >= this.resync) || (line === 'blocked' && running.blocked >= MOST_BLOCKED)) return false;
    return this.most - running.all > (isAlone ? this.keptAlone : this.kept) || own < this.little;
  }
}

interface Running {
  readonly all: number;
  readonly resync: number;
  readonly blocked: number;
}

/** The running items of one tenant. */
interface Own {
  all: number;
  readonly groups: Map<string, number>;
}

const NOTHING: Running = { all: 0, resync: 0, blocked: 0 };

/** Counts running items, and decides which may begin. A single tenant is limited little in favour of others. */
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

  /** Whether any tenant has a free slot. */
  public isFree(line: Line): boolean {
    return this.whole.hasRoom(this.total, line, 0, true);
  }

  /** Whether any tenant has a free slot of the group. */
  public isFreeOf(group: string, line: Line): boolean {
    return this.perGroup.hasRoom(this.groups.get(group) ?? NOTHING, line, 0, true);
  }

  public mayBegin(tenant: string, line: Line, isAlone: boolean): boolean {
    return this.whole.hasRoom(this.total, line, this.tenants.get(tenant)?.all ?? 0, isAlone);
  }

  public mayBeginOf(group: string, tenant: string, line: Line, isAlone: boolean): boolean {
    return this.perGroup.hasRoom(this.groups.get(group) ?? NOTHING, line, this.tenants.get(tenant)?.groups.get(group) ?? 0, isAlone);
  }

  public begin(tenant: string, group: string, line: Line): void {
    this.count(tenant, group, line, 1);
  }

  public end(tenant: string, group: string, line: Line): void {
    this.count(tenant, group, line, -1);
  }

  private count(tenant: string, group: string, line: Line, by: 1 | -1): void {
    this.total = counted(this.total, line, by);
    const running = counted(this.groups.get(group) ?? NOTHING, line, by);
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

function counted({ all, resync, blocked }: Running, line: Line, by: 1 | -1): Running {
  return { all: all + by, resync: line === 'resync' ? resync + by : resync, blocked: line === 'blocked' ? blocked + by : blocked };
}
