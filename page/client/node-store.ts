import type { WireDelta, WireNode, WireSnapshot, WireSummary } from '../wire';

/** All that the server has told. */
export class NodeStore {
  public byKey: ReadonlyMap<string, WireNode> = new Map();
  /** In the order of namespace, kind and name. */
  public nodes: readonly WireNode[] = [];
  public summary: WireSummary | undefined;

  public replace({ nodes, summary }: WireSnapshot): void {
    this.summary = summary;
    this.keep(new Map(nodes.map((node) => [node.key, node])));
  }

  public apply({ changed, removed, summary }: WireDelta): void {
    if (summary) this.summary = summary;
    const nodes = new Map(this.byKey);
    for (const key of removed) nodes.delete(key);
    for (const node of changed) nodes.set(node.key, node);
    this.keep(nodes);
  }

  private keep(nodes: Map<string, WireNode>): void {
    this.byKey = nodes;
    this.nodes = [...nodes.values()].sort(byName);
  }
}

function byName(a: WireNode, b: WireNode): number {
  return compare(a.namespace, b.namespace) || compare(a.kind, b.kind) || compare(a.name, b.name) || compare(a.group, b.group);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
