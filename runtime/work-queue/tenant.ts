import { SubQueue, type Waiting } from './sub-queue';

/** Decides which items may begin now. */
export interface Admission<T> {
  /** Whether the tenant has a free slot, in any group. */
  readonly tenant: (tenant: string) => boolean;
  readonly group: (tenant: string, group: string) => boolean;
  /** Whether the group has a free slot, for any tenant. */
  readonly anyOf: (group: string) => boolean;
  readonly gate: (item: T) => boolean;
}

/** Every n-th pick of a tenant goes by age instead of rank, so that no rank starves another. */
const BY_AGE = 4;

/** The waiting items of one tenant: the highest rank first; groups of equal rank take turns. */
export class Tenant<T> {
  /** By group; the group served last is at the end. */
  private readonly subQueues = new Map<string, SubQueue<T>>();
  private count = 0;
  private picks = 0;

  public constructor(public readonly name: string) {}

  public get size(): number {
    return this.count;
  }

  public add(waiting: Waiting<T>): void {
    let subQueue = this.subQueues.get(waiting.group);
    if (!subQueue) this.subQueues.set(waiting.group, (subQueue = new SubQueue()));
    subQueue.add(waiting);
    this.count += 1;
  }

  public replace(waiting: Waiting<T>): void {
    this.subQueues.get(waiting.group)?.replace(waiting);
  }

  public remove(waiting: Waiting<T>): void {
    const subQueue = this.subQueues.get(waiting.group);
    if (!subQueue) return;
    subQueue.remove(waiting);
    this.count -= 1;
    if (subQueue.size === 0) this.subQueues.delete(waiting.group);
  }

  /** Moves an item to another rank, also of one that the gate has refused. */
  public rerank(before: Waiting<T>, after: Waiting<T>): void {
    const subQueue = this.subQueues.get(before.group);
    if (!subQueue) return;
    const isRefused = subQueue.isRefused(before.key);
    subQueue.remove(before);
    subQueue.add(after);
    if (isRefused) subQueue.refuse(after);
  }

  /** Takes the next item that may begin; items that the gate refuses are set aside, and `onRefused` is called. */
  public take({ group, gate }: Admission<T>, onRefused: () => void): Waiting<T> | undefined {
    const byAge = (this.picks + 1) % BY_AGE === 0;
    for (;;) {
      const subQueue = this.nextSubQueue(byAge, group);
      if (!subQueue) return undefined;
      // The gate may refuse many items of one subQueue in a row.
      const { topRank } = subQueue;
      while (subQueue.openCount > 0 && (byAge || subQueue.topRank === topRank)) {
        const next = (byAge ? subQueue.oldest : subQueue.best)!;
        if (gate(next.item)) {
          this.picks += 1;
          this.served(next, subQueue);
          return next;
        }
        subQueue.refuse(next);
        onRefused();
      }
    }
  }

  public release(): void {
    for (const subQueue of this.subQueues.values()) subQueue.release();
  }

  public get waiting(): readonly Waiting<T>[] {
    return [...this.subQueues.values()].flatMap((subQueue) => [...subQueue.waiting]);
  }

  private nextSubQueue(byAge: boolean, mayBegin: Admission<T>['group']): SubQueue<T> | undefined {
    let next: SubQueue<T> | undefined;
    for (const [group, subQueue] of this.subQueues) {
      if (subQueue.openCount === 0 || (next && subQueue.topRank <= next.topRank) || !mayBegin(this.name, group)) continue;
      if (byAge) return subQueue;
      next = subQueue;
    }
    return next;
  }

  private served(taken: Waiting<T>, subQueue: SubQueue<T>): void {
    subQueue.remove(taken);
    this.count -= 1;
    this.subQueues.delete(taken.group);
    if (subQueue.size > 0) this.subQueues.set(taken.group, subQueue);
  }
}
