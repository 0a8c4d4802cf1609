import { IConstruct } from 'constructs';
import { GraphCycle, GraphDurations, GraphEdge, GraphFormat, GraphNode, GraphPath, OwnerGraphOptions } from './facts';
import type { Graph } from './graph';
import type * as Internal from './internal';

// Loaded on demand: most apps never build a graph.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./internal') as typeof Internal;

/**
 * The graph of owners, references and value flows, with the facts derived from it: the order in which resources can be created, the chain
 * that takes longest, resources that wait for each other.
 *
 * The graph shows the objects at the time of the call; create it when the app is complete.
 */
export class OwnerGraph {
  /**
   * The graph of all Azure objects at and below a construct, typed or not, with the ConfigMaps, Secrets and workloads that are connected to
   * them. Objects outside of it that they reference appear as external nodes.
   * @param scope an app, a chart or any other construct
   * @param options facts for the prediction of ARM ids
   */
  public static of(scope: IConstruct, options: OwnerGraphOptions = {}): OwnerGraph {
    const { Graph: Made, buildGraph, objectsIn } = internal();
    return new OwnerGraph(new Made(buildGraph(objectsIn(scope), options)));
  }

  private constructor(private readonly graph: Graph) {}

  /** All nodes, in the order of the construct tree, external ones last. */
  public get nodes(): GraphNode[] {
    return [...this.graph.nodes];
  }

  /** All edges. */
  public get edges(): GraphEdge[] {
    return [...this.graph.edges];
  }

  /**
   * The nodes in an order in which they can be created: each after all nodes that it waits for, and otherwise in the order of the construct
   * tree. Without external nodes and without nodes that wait for a cycle.
   */
  public get order(): GraphNode[] {
    return this.graph.order;
  }

  /** The resources that no other resource of the graph owns. */
  public get roots(): GraphNode[] {
    return this.graph.roots;
  }

  /** Nodes that wait for each other: at least one cycle if there is any, and at most 100. */
  public get cycles(): GraphCycle[] {
    return this.graph.cycles;
  }

  /**
   * The longest chain of resources that have to be created one after the other: by the number of steps, or by expected seconds.
   * @param durations durations of resources; without it every resource counts as one step
   */
  public criticalPath(durations?: GraphDurations): GraphPath {
    return this.graph.criticalPath(durations);
  }

  /**
   * The node of a construct; undefined if the graph has none.
   * @param construct the construct of an object
   */
  public nodeOf(construct: IConstruct): GraphNode | undefined {
    return this.graph.nodes.find(({ constructPath }) => constructPath === construct.node.path);
  }

  /**
   * The nodes that have to exist before a node can be created.
   * @param node a node of this graph
   */
  public dependenciesOf(node: GraphNode): GraphNode[] {
    return this.graph.dependenciesOf(node.key);
  }

  /**
   * The graph as text.
   * @param format the output format
   */
  public render(format: GraphFormat): string {
    return internal().render(this.graph, format);
  }
}
