import fc from 'fast-check';
import { anyGraph, waiting } from './random-graph';
import { GraphFormat, GraphRole } from '../../../src/core/graph/facts';
import { Graph } from '../../../src/core/graph/graph';
import { render } from '../../../src/core/graph/render';

/** Nodes that each node reaches along dependencies, by the simplest algorithm. */
function reachable(made: { nodes: { key: string }[]; edges: Parameters<typeof waiting>[0][] }): Map<string, Set<string>> {
  const reach = new Map(made.nodes.map(({ key }) => [key, new Set<string>()]));
  for (let changed = true; changed;) {
    changed = false;
    for (const edge of made.edges.filter(({ waits }) => waits)) {
      const [who, whom] = waiting(edge);
      for (const far of [whom, ...reach.get(whom)!]) {
        if (!reach.get(who)!.has(far)) {
          reach.get(who)!.add(far);
          changed = true;
        }
      }
    }
  }
  return reach;
}

test('the order respects every edge, and leaves out exactly what waits for a cycle', () => {
  fc.assert(fc.property(anyGraph, (made) => {
    const graph = new Graph(made);
    const reach = reachable(made);
    const position = new Map(graph.order.map(({ key }, index) => [key, index]));
    for (const edge of made.edges.filter(({ waits }) => waits)) {
      const [who, whom] = waiting(edge).map((key) => position.get(key));
      if (who !== undefined && whom !== undefined) expect(whom).toBeLessThan(who);
    }
    const circular = (key: string) => reach.get(key)!.has(key);
    for (const { key, external } of made.nodes) {
      const stuck = circular(key) || [...reach.get(key)!].some(circular);
      expect(position.has(key)).toBe(!external && !stuck);
    }
  }));
});

test('cycles are found exactly when there are any, and are cycles', () => {
  fc.assert(fc.property(anyGraph, (made) => {
    const { cycles } = new Graph(made);
    const reach = reachable(made);
    expect(cycles.length > 0).toBe(made.nodes.some(({ key }) => reach.get(key)!.has(key)));
    const waits = new Set(made.edges.filter((edge) => edge.waits).map((edge) => waiting(edge).join(' ')));
    for (const { nodes } of cycles) {
      expect(nodes[0]).toBe(nodes.at(-1));
      nodes.slice(1).forEach(({ key }, index) => expect(waits.has(`${nodes[index]!.key} ${key}`)).toBe(true));
    }
  }));
});

test('no path of resources is longer than the critical one', () => {
  fc.assert(
    fc.property(anyGraph, fc.array(fc.nat(9), { minLength: 12, maxLength: 12 }), (made, seconds) => {
      const graph = new Graph(made);
      const counted = new Set(graph.order.filter(({ role }) => role === GraphRole.RESOURCE).map(({ key }) => key));
      const pairs = made.edges.filter(({ waits }) => waits).map(waiting);
      const needs = (key: string) => pairs.flatMap(([who, whom]) => (who === key && counted.has(whom) ? [whom] : []));
      const longest = (key: string, weight: (key: string) => number): number =>
        weight(key) + Math.max(0, ...needs(key).map((other) => longest(other, weight)));
      expect(graph.criticalPath().steps).toBe(Math.max(0, ...[...counted].map((key) => longest(key, () => 1))));
      const durations = Object.fromEntries(seconds.map((value, index) => [`k${index}`, value]));
      expect(graph.criticalPath({ seconds: durations }).seconds).toBe(
        Math.max(0, ...[...counted].map((key) => longest(key, (k) => durations[k]!))),
      );
    }),
  );
});

test('every format draws every graph, each node once', () => {
  fc.assert(fc.property(anyGraph, (made) => {
    const graph = new Graph(made);
    const tree = render(graph, GraphFormat.TREE).split('\n').filter((line) => /[├└]─/.test(line));
    expect(tree).toHaveLength(made.nodes.length);
    for (const { name } of made.nodes) {
      expect(tree.filter((line) => new RegExp(`─ \\w+ ${name}\\b`).test(line))).toHaveLength(1);
      expect(render(graph, GraphFormat.DOT).split(`<B>${name}</B>`)).toHaveLength(2);
      expect(render(graph, GraphFormat.MERMAID).split(`<b>${name}</b>`)).toHaveLength(2);
    }
    expect(JSON.parse(render(graph, GraphFormat.JSON)).nodes).toHaveLength(made.nodes.length);
  }));
});
