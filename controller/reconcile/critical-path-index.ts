/** Longer chains count as this long: the longest real ones have some eight links, and a cycle has to end somewhere. */
export const LONGEST_CHAIN = 32;

/** One thing that waits or is waited for. */
interface Node {
  readonly id: string;
  /** What it waits for. */
  needs: readonly Node[];
  /** How many name it among their needs. */
  neededBy: number;
  /** How much it adds to a chain: 0 for what is only passed on. */
  weight: number;
  /** How many of those that wait for it have chains of each length behind them, themselves included. */
  readonly behind: number[];
  height: number;
  /** What it has told those that it needs. */
  given: number;
}

/**
 * The longest chain of those that wait for somebody, kept up to date: a change costs as many steps as it changes lengths, whoever has
 * thousands that wait for it included. Cycles are as long as chains can be.
 */
export class CriticalPathIndex {
  private readonly nodes = new Map<string, Node>();

  /** @param onChange told whose length has changed */
  public constructor(private readonly onChange: (id: string) => void = () => undefined) {}

  /** How many wait behind it, one for the other: 0 when nobody waits. */
  public lengthOf(id: string): number {
    return this.nodes.get(id)?.height ?? 0;
  }

  /** It waits, for these (in the place of those before). */
  public set(id: string, needs: Iterable<string>, weight: 0 | 1 = 1): void {
    const node = this.nodeOf(id);
    const before = node.needs;
    node.needs = [];
    this.give(node, 0, before);
    node.needs = [...new Set(needs)].filter((needed) => needed !== id).map((needed) => this.nodeOf(needed));
    node.weight = weight;
    node.needs.forEach((needed) => (needed.neededBy += 1));
    this.give(node, givenBy(node), node.needs);
    for (const needed of before) {
      needed.neededBy -= 1;
      this.removeIfIdle(needed);
    }
    this.removeIfIdle(node);
  }

  /** It waits no more. */
  public delete(id: string): void {
    if (this.nodes.has(id)) this.set(id, []);
  }

  public get size(): number {
    return this.nodes.size;
  }

  private nodeOf(id: string): Node {
    let node = this.nodes.get(id);
    if (!node) this.nodes.set(id, (node = { id, needs: [], neededBy: 0, weight: 1, behind: [], height: 0, given: 0 }));
    return node;
  }

  /** Tells those that a node needs how long the chain is that ends with it, and they tell on: always what is true when they do. */
  private give(first: Node, length: number, needs: readonly Node[]): void {
    const told = this.tell(first, length, needs);
    for (let next = told.pop(); next; next = told.pop()) told.push(...this.tell(next, givenBy(next), next.needs));
  }

  /** Answers whose own length has changed by it. */
  private tell(node: Node, length: number, needs: readonly Node[]): Node[] {
    const before = node.given;
    if (length === before) return [];
    node.given = length;
    return needs.filter((needed) => {
      if (before > 0) needed.behind[before]! -= 1;
      if (length > 0) needed.behind[length] = (needed.behind[length] ?? 0) + 1;
      const height = heightOf(needed);
      if (height === needed.height) return false;
      needed.height = height;
      this.onChange(needed.id);
      return true;
    });
  }

  private removeIfIdle(node: Node): void {
    if (node.needs.length === 0 && node.neededBy === 0) this.nodes.delete(node.id);
  }
}

function givenBy({ height, weight, needs }: Node): number {
  return needs.length === 0 ? 0 : Math.min(LONGEST_CHAIN, height + weight);
}

function heightOf({ behind }: Node): number {
  for (let length = behind.length - 1; length > 0; length -= 1) if (behind[length]) return length;
  return 0;
}
