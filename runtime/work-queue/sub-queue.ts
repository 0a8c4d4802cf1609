/** An item that waits for a worker. */
export interface Waiting<T> {
  readonly key: string;
  readonly item: T;
  readonly tenant: string;
  readonly group: string;
  readonly rank: number;
  /** In the order of arrival. */
  readonly sequence: number;
}

/** The waiting items of one group of one tenant: by rank, then in the order of arrival. All operations are O(ranks). */
export class SubQueue<T> {
  /** By rank; a gap is a rank without items so far. */
  private readonly ranks: (Map<string, Waiting<T>> | undefined)[] = [];
  /** Items that the gate has refused. */
  private refused = new Map<string, Waiting<T>>();
  private open = 0;

  /** Items that can be picked. */
  public get openCount(): number {
    return this.open;
  }

  public get size(): number {
    return this.open + this.refused.size;
  }

  /** Highest rank of the items that can be picked; −1 when there is none. */
  public get topRank(): number {
    for (let rank = this.ranks.length - 1; rank >= 0; rank -= 1) if (this.ranks[rank]?.size) return rank;
    return -1;
  }

  /** The oldest item of the highest rank. */
  public get best(): Waiting<T> | undefined {
    const top = this.topRank;
    return top < 0 ? undefined : firstOf(this.ranked(top));
  }

  /** The oldest item of any rank. */
  public get oldest(): Waiting<T> | undefined {
    let oldest: Waiting<T> | undefined;
    for (const items of this.ranks) {
      const first = items && firstOf(items);
      if (first && (!oldest || first.sequence < oldest.sequence)) oldest = first;
    }
    return oldest;
  }

  public add(waiting: Waiting<T>): void {
    this.ranked(waiting.rank).set(waiting.key, waiting);
    this.open += 1;
  }

  /** Replaces the item with the same key and rank. */
  public replace(waiting: Waiting<T>): void {
    const items = this.refused.has(waiting.key) ? this.refused : this.ranked(waiting.rank);
    items.set(waiting.key, waiting);
  }

  public remove({ key, rank }: Waiting<T>): void {
    if (!this.refused.delete(key) && this.ranks[rank]?.delete(key)) this.open -= 1;
  }

  public isRefused(key: string): boolean {
    return this.refused.has(key);
  }

  /** Sets an item that the gate refuses aside until `release`. */
  public refuse(waiting: Waiting<T>): void {
    if (!this.ranks[waiting.rank]?.delete(waiting.key)) return;
    this.open -= 1;
    this.refused.set(waiting.key, waiting);
  }

  /** Makes refused items available again, before items that arrived later. */
  public release(): void {
    const { refused } = this;
    if (refused.size === 0) return;
    this.refused = new Map();
    const perRank: Waiting<T>[][] = [];
    for (const waiting of refused.values()) (perRank[waiting.rank] ??= []).push(waiting);
    perRank.forEach((returning, rank) => {
      const all = [...returning, ...(this.ranks[rank]?.values() ?? [])].sort((a, b) => a.sequence - b.sequence);
      this.ranks[rank] = new Map(all.map((waiting) => [waiting.key, waiting]));
    });
    this.open += refused.size;
  }

  public get waiting(): Iterable<Waiting<T>> {
    return [...this.ranks.flatMap((items) => [...(items?.values() ?? [])]), ...this.refused.values()];
  }

  private ranked(rank: number): Map<string, Waiting<T>> {
    return (this.ranks[rank] ??= new Map());
  }
}

function firstOf<T>(items: ReadonlyMap<string, T>): T | undefined {
  return items.values().next().value;
}
