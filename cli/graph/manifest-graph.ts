import { UUID } from '../../src/azure/uuid';
import { buildGraph } from '../../src/core/graph/build';
import type { OwnerGraphOptions } from '../../src/core/graph/facts';
import { Graph } from '../../src/core/graph/graph';
import { graphKeyOf, type GraphObject } from '../../src/core/graph/graph-object';
import { graphObjectOf } from '../../src/core/graph/manifest-object';
import type { ObjectSet } from '../../src/core/rules/object-set';
import { groupOf } from '../../src/object-id';
import { type Manifest } from '../manifests/manifests';
import { objectSetOf } from '../manifests/object-set';
import { subscriptionsOf } from '../manifests/subscriptions';

export interface ManifestGraph {
  readonly graph: Graph;
  /** Where a node's object was read. */
  readonly manifestOf: ReadonlyMap<string, Manifest>;
}

const DEFAULT_NAMESPACE = 'default';

/** The owner graph of the objects of files; objects without a namespace are in `default`, where kubectl puts them. */
export function graphOfManifests(
  manifests: readonly Manifest[], { subscriptionId }: OwnerGraphOptions = {}, set: ObjectSet = objectSetOf(manifests),
): ManifestGraph {
  const origins = new Map<GraphObject, Manifest['object']>();
  const objects = manifests.flatMap(({ object }) => {
    const found = graphObjectOf(object, { defaultNamespace: DEFAULT_NAMESPACE });
    if (found) origins.set(found, object);
    return found ?? [];
  });
  const subscriptions = subscriptionsOf(set, subscriptionId, '');
  const subscriptionOf = (object: GraphObject) => {
    const found = subscriptions(origins.get(object)!);
    return UUID.test(found) ? found : undefined;
  };
  const manifestOf = new Map(manifests.map((manifest) => {
    const { object } = manifest;
    return [graphKeyOf(groupOf(object), object.kind, object.metadata.namespace ?? DEFAULT_NAMESPACE, object.metadata.name), manifest];
  }));
  return { graph: new Graph(buildGraph(objects, { subscriptionOf })), manifestOf };
}
