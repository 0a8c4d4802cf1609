/** Upper bound of chain lengths: the longest real chains have some eight links, and a cycle has to end somewhere. */
export const LONGEST_CHAIN = 256;

/** A node of the graph: an object that waits, or that others wait for. */
interface Node {
  readonly id: string;
  /** The nodes that this node waits for. */
  needs: readonly Node[];
  /** Number of nodes that have this node among their needs. */
  neededBy: number;
  /** The node's share of a chain's length, a whole number: 0 for data that is only passed on. */
  weight: number;
  /** Per chain length, how many of the nodes that wait for this one have a chain of that length, themselves included. */
  readonly behind: number[];
  height: number;
  /** The length that this node has passed on to its needs. */
  given: number;
}

/**
 * Keeps the length of the longest chain behind each node up to date. A change costs as many steps as it changes lengths, even for a node
 * with thousands of dependents. Cycles count as the longest possible chain.
 */
export class CriticalPathIndex {
  private readonly nodes = new Map<string, Node>();

  /** @param onChange called with the ID of each node whose length has changed */
  public constructor(private readonly onChange: (id: string) => void = () => undefined) {}

  /** Length of the longest chain behind the node; 0 when no node waits for it. */
  public lengthOf(id: string): number {
    return this.nodes.get(id)?.height ?? 0;
  }

  /** The node waits for these needs, which replace the earlier ones. */
  public set(id: string, needs: Iterable<string>, weight = 1): void {
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

  /** The node no longer waits. */
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

  /** Passes the length of the chain that ends with a node on to its needs, and from there on, always with the current value. */
  private give(first: Node, length: number, needs: readonly Node[]): void {
    const changed = this.update(first, length, needs);
    for (let next = changed.pop(); next; next = changed.pop()) changed.push(...this.update(next, givenBy(next), next.needs));
  }

  /** Returns the nodes whose own length has changed. */
  private update(node: Node, length: number, needs: readonly Node[]): Node[] {
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
