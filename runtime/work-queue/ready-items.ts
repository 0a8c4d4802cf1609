import type { Waiting } from './sub-queue';
import { Tenant, type Admission } from './tenant';

/**
 * Items of one priority that wait for a worker. Tenants take turns. A tenant without items goes before the waiting tenants, once; then it
 * is one of them until its turn finds it without items (as in FQ-CoDel, so that no tenant gains by coming and going).
 */
export class ReadyItems<T> {
  private readonly items = new Map<string, Waiting<T>>();
  private readonly tenants = new Map<string, Tenant<T>>();
  /** Number of waiting items of each group. */
  private readonly groups = new Map<string, number>();
  private readonly newcomers = new Set<Tenant<T>>();
  private readonly regulars = new Set<Tenant<T>>();
  private sequence = 0;
  private refused = false;

  public get size(): number {
    return this.items.size;
  }

  /** Whether the gate has refused any item since `release`. */
  public get hasRefused(): boolean {
    return this.refused;
  }

  public has(key: string): boolean {
    return this.items.has(key);
  }

  public add(key: string, item: T, tenantName: string, group: string, rank: number): void {
    const waiting = { key, item, tenant: tenantName, group, rank, sequence: (this.sequence += 1) };
    this.items.set(key, waiting);
    let tenant = this.tenants.get(tenantName);
    if (!tenant) {
      this.tenants.set(tenantName, (tenant = new Tenant(tenantName)));
      this.newcomers.add(tenant);
    }
    tenant.add(waiting);
    this.count(group, 1);
  }

  /** Replaces the item of the same key, which keeps its place. */
  public replace(key: string, item: T): void {
    this.change(key, (known) => ({ ...known, item }), (tenant, _, after) => tenant.replace(after));
  }

  public rerank(key: string, rankOf: (item: T) => number): void {
    const known = this.items.get(key);
    const rank = known && rankOf(known.item);
    if (rank === undefined || rank === known!.rank) return;
    this.change(key, (before) => ({ ...before, rank }), (tenant, before, after) => tenant.rerank(before, after));
  }

  public delete(key: string): Waiting<T> | undefined {
    const known = this.items.get(key);
    if (!known) return undefined;
    this.items.delete(key);
    this.tenants.get(known.tenant)?.remove(known);
    this.count(known.group, -1);
    return known;
  }

  /** Takes the next item that may begin. */
  public take(admission: Admission<T>): Waiting<T> | undefined {
    // Skips the tenants where all groups have reached their bounds.
    if (![...this.groups.keys()].some(admission.anyOf)) return undefined;
    for (const tenants of [this.newcomers, this.regulars]) {
      for (const tenant of tenants) {
        if (tenant.size === 0) {
          tenants.delete(tenant);
          this.tenants.delete(tenant.name);
          continue;
        }
        if (!admission.tenant(tenant.name)) continue;
        const taken = tenant.take(admission, () => (this.refused = true));
        if (!taken) continue;
        tenants.delete(tenant);
        this.regulars.add(tenant);
        this.items.delete(taken.key);
        this.count(taken.group, -1);
        return taken;
      }
    }
    return undefined;
  }

  /** The gate is asked again about the items that it refused; tenants keep their turn. */
  public release(): void {
    if (!this.refused) return;
    this.refused = false;
    for (const tenant of this.tenants.values()) tenant.release();
  }

  public clear(): readonly Waiting<T>[] {
    const all = [...this.items.values()];
    this.items.clear();
    this.tenants.clear();
    this.groups.clear();
    this.newcomers.clear();
    this.regulars.clear();
    this.refused = false;
    return all;
  }

  private count(group: string, by: 1 | -1): void {
    const count = (this.groups.get(group) ?? 0) + by;
    if (count === 0) this.groups.delete(group);
    else this.groups.set(group, count);
  }

  private change(
    key: string, changed: (known: Waiting<T>) => Waiting<T>, apply: (tenant: Tenant<T>, before: Waiting<T>, after: Waiting<T>) => void,
  ): void {
    const before = this.items.get(key);
    const tenant = before && this.tenants.get(before.tenant);
    if (!before || !tenant) return;
    const after = changed(before);
    this.items.set(key, after);
    apply(tenant, before, after);
  }
}
