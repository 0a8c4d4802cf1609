import fc from 'fast-check';
import { GraphEdge, GraphNode, GraphRelation, GraphRole } from '../../../src/core/graph/facts';

/** Any nodes and edges, cycles and loops included. */
export const anyGraph: fc.Arbitrary<{ nodes: GraphNode[]; edges: GraphEdge[] }> = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.record({
    nodes: fc
      .array(
        fc.record({
          kind: fc.constantFrom('StorageAccount', 'ResourceGroup'),
          external: fc.boolean(),
          namespace: fc.constantFrom('one', 'two', undefined),
          role: fc.constantFrom(...Object.values(GraphRole)),
        }),
        { minLength: size, maxLength: size },
      )
      .map((all) => all.map(({ namespace, ...node }, index): GraphNode => ({
        ...node, key: `k${index}`, name: `name-${index}`, ...(namespace === undefined ? {} : { namespace }),
      }))),
    edges: fc
      .uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.constantFrom(...Object.values(GraphRelation)), fc.boolean()), {
        maxLength: 25,
        selector: ([from, to]) => `${from} ${to}`,
      })
      .map((all) =>
        all.map(([from, to, relation, waits]): GraphEdge => ({
          relation,
          from: `k${from}`,
          to: `k${to}`,
          path: `spec.p${from}${to}`,
          waits,
          ...(relation === GraphRelation.FEEDS ? { store: 'Secret', storeName: 's', storeKey: 'k' } : {}),
        })),
      ),
  }),
);

/** [who waits, for whom] */
export function waiting({ relation, from, to }: GraphEdge): [string, string] {
  return relation === GraphRelation.OWNS || relation === GraphRelation.FEEDS ? [to, from] : [from, to];
}
