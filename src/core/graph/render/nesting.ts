import { firstOf } from '../../../util/words';
import { NAMESPACE_PATH } from '../build';
import { GraphEdge, GraphNode, GraphRelation } from '../facts';
import type { Graph } from '../graph';

/** A node and the nodes that it owns in the same namespace. */
export interface Box {
  readonly node: GraphNode;
  readonly children: readonly Box[];
}

/** The boxes of one namespace. */
export interface Section {
  /** Undefined for nodes without a namespace, or referenced from several. */
  readonly namespace?: string | undefined;
  readonly boxes: readonly Box[];
}

/** All edges of one relation between two nodes. */
export interface Line {
  readonly relation: GraphRelation;
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly edges: readonly [GraphEdge, ...GraphEdge[]];
}

/** The layout of a graph: nested boxes, and lines between them. */
export interface Picture {
  readonly sections: readonly Section[];
  /** The relations that boxes do not show: all except ownership within a box and the namespace's credential. */
  readonly lines: readonly Line[];
}

const DEEPEST = 32;

/** Boxes by owner, as far as namespaces and cycles allow. */
export function pictureOf(graph: Graph): Picture {
  const places = placesOf(graph);
  const parents = new Map<string, GraphNode>();
  for (const { relation, from, to } of graph.edges) {
    if (relation !== GraphRelation.OWNS || places.get(from) !== places.get(to)) continue;
    parents.set(to, graph.node(from)!);
  }
  limitNesting(parents);

  const children = new Map<string | undefined, GraphNode[]>();
  for (const node of graph.nodes) append(children, parents.get(node.key)?.key, node);
  const boxesOf = (nodes: readonly GraphNode[] = []): Box[] => nodes.map((node) => ({ node, children: boxesOf(children.get(node.key)) }));
  const bySection = new Map<string | undefined, GraphNode[]>();
  for (const node of children.get(undefined) ?? []) append(bySection, places.get(node.key), node);
  const sections = [...bySection].map(([namespace, nodes]) => ({ namespace, boxes: boxesOf(nodes) }));
  const named = sections.filter(({ namespace }) => namespace !== undefined);
  const elsewhere = sections.filter(({ namespace }) => namespace === undefined);
  return { sections: [...named, ...elsewhere], lines: linesOf(graph, parents) };
}

/**
 * The namespace in which each node is drawn. A node known only by its ARM id is drawn in the namespace that uses it, if there is only one.
 */
function placesOf(graph: Graph): Map<string, string | undefined> {
  const places = new Map(graph.nodes.map(({ key, namespace }) => [key, namespace]));
  const users = new Map<string, Set<string | undefined>>();
  for (const { from, to } of graph.edges) {
    for (const [key, other] of [[from, to], [to, from]] as const) {
      const { external, armId } = graph.node(key)!;
      if (external && armId !== undefined) users.set(key, (users.get(key) ?? new Set()).add(places.get(other)));
    }
  }
  for (const [key, namespaces] of users) if (namespaces.size === 1) places.set(key, [...namespaces][0]);
  return places;
}

/** Removes the box around a node that owns itself indirectly, and boxes nested deeper than Azure ever nests resources. */
function limitNesting(parents: Map<string, GraphNode>): void {
  const depths = new Map<string, number>();
  for (const start of [...parents.keys()]) {
    const walk: string[] = [];
    const met = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !depths.has(at) && !met.has(at)) {
      met.add(at);
      walk.push(at);
      at = parents.get(at)?.key;
    }
    if (at !== undefined && met.has(at)) parents.delete(at);
    for (const key of walk.reverse()) {
      const parent = parents.get(key);
      const depth = parent ? depths.get(parent.key)! + 1 : 0;
      if (depth > DEEPEST) parents.delete(key);
      depths.set(key, depth > DEEPEST ? 0 : depth);
    }
  }
}

function linesOf(graph: Graph, parents: ReadonlyMap<string, GraphNode>): Line[] {
  const lines = new Map<string, { relation: GraphRelation; from: GraphNode; to: GraphNode; edges: [GraphEdge, ...GraphEdge[]] }>();
  for (const edge of graph.edges) {
    const { relation, from, to } = edge;
    if (relation === GraphRelation.OWNS && parents.get(to)?.key === from) continue;
    if (relation === GraphRelation.AUTHENTICATES_WITH && edge.path === NAMESPACE_PATH) continue;
    const key = [relation, from, to, edge.store].join('\n');
    const line = lines.get(key);
    if (line) line.edges.push(edge);
    else lines.set(key, { relation, from: graph.node(from)!, to: graph.node(to)!, edges: [edge] });
  }
  return [...lines.values()];
}

/** The keys of ConfigMaps or Secrets along a line: `clientId, principalId`. */
export function valuesOf({ edges }: Line, most = 3): string {
  const keys = [...new Set(edges.map(({ storeKey }) => storeKey ?? 'all keys'))];
  return firstOf(keys, keys.length > most ? most - 1 : most);
}

function append<Key>(lists: Map<Key, GraphNode[]>, key: Key, node: GraphNode): void {
  const list = lists.get(key);
  if (list) list.push(node);
  else lists.set(key, [node]);
}
