import type { BuiltGraph } from './build';
import { longestPath } from './critical-path';
import { cyclesOf } from './cycles';
import { dependencyOrder } from './dependency-order';
import { GraphCycle, GraphDurations, GraphEdge, GraphNode, GraphPath, GraphRelation, GraphRole } from './facts';
import { objectTitleOf } from '../../object-id';
import { elementAt } from '../../util/elements';

/** Index of a dependency → the first edge that defines it. */
type Waits = ReadonlyMap<number, GraphEdge>;
const NONE: Waits = new Map();

/** Order, cycles and paths, derived from nodes and edges. Each is computed on first access. */
export class Graph {
  public readonly nodes: readonly GraphNode[];
  public readonly edges: readonly GraphEdge[];
  private readonly indexes = new Map<string, number>();
  private ordered?: readonly number[];
  private waits?: readonly Waits[];

  public constructor({ nodes, edges }: BuiltGraph) {
    this.nodes = nodes;
    this.edges = edges;
    nodes.forEach(({ key }, index) => this.indexes.set(key, index));
  }

  public node(key: string): GraphNode | undefined {
    const index = this.indexes.get(key);
    return index === undefined ? undefined : this.nodes[index];
  }

  /** Nodes in an order in which they can be created, without external ones and without those that wait forever. */
  public get order(): GraphNode[] {
    return this.orderedIndexes.map((index) => elementAt(this.nodes, index)).filter(({ external }) => !external);
  }

  /** Resources that no other one owns. */
  public get roots(): GraphNode[] {
    const owns = ({ relation, from }: GraphEdge) => relation === GraphRelation.OWNS && !this.node(from)!.external;
    const owned = new Set(this.edges.filter(owns).map(({ to }) => to));
    return this.nodes.filter(({ key, role, external }) => role === GraphRole.RESOURCE && !external && !owned.has(key));
  }

  public get cycles(): GraphCycle[] {
    const { waitsOf } = this;
    if (this.orderedIndexes.length === this.nodes.length) return [];
    const cycles = cyclesOf(this.nodes.length, (index) => [...elementAt(waitsOf, index)], ([target]) => target);
    return cycles.map((steps) => {
      const nodes = [...steps, elementAt(steps, 0)].map(({ at }) => elementAt(this.nodes, at));
      const texts = steps.map(({ at, edge: [, { path }] }) => `${objectTitleOf(elementAt(this.nodes, at))} (${path})`);
      return { nodes, description: [...texts, objectTitleOf(elementAt(nodes, 0))].join(' → ') };
    });
  }

  /** Keys of all nodes on the cycles of `cycles`. */
  public get keysOnCycles(): ReadonlySet<string> {
    return new Set(this.cycles.flatMap(({ nodes }) => nodes.map(({ key }) => key)));
  }

  public criticalPath(durations?: GraphDurations): GraphPath {
    const weights = this.nodes.map((node) => (durations ? secondsOf(node, durations) : 1));
    const isResource = (index: number) => {
      const { role, external } = elementAt(this.nodes, index);
      return role === GraphRole.RESOURCE && !external;
    };
    const dependencies = this.waitsOf.map((waits) => new Set([...waits.keys()].filter(isResource)));
    const path = longestPath(this.orderedIndexes.filter(isResource), dependencies, weights);
    const seconds = durations ? path.reduce((sum, index) => sum + elementAt(weights, index), 0) : 0;
    return { nodes: path.map((index) => elementAt(this.nodes, index)), steps: path.length, seconds };
  }

  /** The nodes that have to exist before the operator can create this one. */
  public dependenciesOf(key: string): GraphNode[] {
    const index = this.indexes.get(key);
    return index === undefined ? [] : [...elementAt(this.waitsOf, index).keys()].map((other) => elementAt(this.nodes, other));
  }

  private get orderedIndexes(): readonly number[] {
    return (this.ordered ??= dependencyOrder(this.waitsOf).order);
  }

  /** The dependencies of each node, with the first edge that defines each. */
  private get waitsOf(): readonly Waits[] {
    if (!this.waits) {
      const all = this.nodes.map((): Map<number, GraphEdge> | undefined => undefined);
      for (const edge of this.edges) {
        if (!edge.waits) continue;
        const [from, to] = [this.indexes.get(edge.from)!, this.indexes.get(edge.to)!];
        const [waiting, needed] = edge.relation === GraphRelation.OWNS || edge.relation === GraphRelation.FEEDS ? [to, from] : [from, to];
        const waits = (all[waiting] ??= new Map());
        if (!waits.has(needed)) waits.set(needed, edge);
      }
      this.waits = all.map((waits) => waits ?? NONE);
    }
    return this.waits;
  }
}

function secondsOf({ key, group, kind }: GraphNode, { seconds, otherwise = 0 }: GraphDurations): number {
  for (const name of [key, `${group}/${kind}`, kind]) {
    const own = Object.hasOwn(seconds, name) ? seconds[name] : undefined;
    if (own !== undefined) return Math.max(0, own);
  }
  return otherwise;
}
