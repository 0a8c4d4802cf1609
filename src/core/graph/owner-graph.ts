import { IConstruct } from 'constructs';
import { GraphCycle, GraphDurations, GraphEdge, GraphFormat, GraphNode, GraphPath, OwnerGraphOptions } from './facts';
import type { Graph } from './graph';
import type * as Internal from './internal';

// Most apps never make a graph; only who does loads what it takes.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./internal') as typeof Internal;

/**
 * Who owns whom, who refers to whom, which values flow where, and what follows from it: the order in which resources can
 * be made, the chain that takes longest, resources that wait for each other.
 *
 * The graph shows the objects as they are when it is made; make it when the app is complete.
 */
export class OwnerGraph {
  /**
   * The graph of all Azure objects at and below a construct, typed or not, with the ConfigMaps, Secrets and workloads that
   * have to do with them. What they name outside of it appears as external nodes.
   * @param scope an app, a chart or any other construct
   * @param options what helps to predict ARM ids
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
   * The nodes in an order in which they can be made: each after all that it waits for, and otherwise in the order of the
   * construct tree. Without external nodes and without what waits for a cycle.
   */
  public get order(): GraphNode[] {
    return this.graph.order;
  }

  /** The resources that no other resource of the graph owns. */
  public get roots(): GraphNode[] {
    return this.graph.roots;
  }

  /** Nodes that wait for each other: at least one cycle where there is any, and at most 100. */
  public get cycles(): GraphCycle[] {
    return this.graph.cycles;
  }

  /**
   * The longest chain of resources that have to be made one after the other: by the number of steps, or by the seconds that
   * they are expected to take.
   * @param durations how long resources take; without it every resource counts as one step
   */
  public criticalPath(durations?: GraphDurations): GraphPath {
    return this.graph.criticalPath(durations);
  }

  /**
   * The node of a construct; undefined where the graph has none.
   * @param construct the construct of an object
   */
  public nodeOf(construct: IConstruct): GraphNode | undefined {
    return this.graph.nodes.find(({ constructPath }) => constructPath === construct.node.path);
  }

  /**
   * What has to be there before a node can be made.
   * @param node a node of this graph
   */
  public dependenciesOf(node: GraphNode): GraphNode[] {
    return this.graph.dependenciesOf(node.key);
  }

  /**
   * The graph as text.
   * @param format what to write
   */
  public render(format: GraphFormat): string {
    return internal().render(this.graph, format);
  }
}
