import { buildGraph } from '../../src/core/graph/build';
import type { OwnerGraphOptions } from '../../src/core/graph/facts';
import { Graph } from '../../src/core/graph/graph';
import { keyOf } from '../../src/core/graph/graph-object';
import { graphObjectOf } from '../../src/core/graph/manifest-object';
import { groupOf, type Manifest } from '../manifests/manifests';

export interface ManifestGraph {
  readonly graph: Graph;
  /** Where a node's object was read. */
  readonly manifestOf: ReadonlyMap<string, Manifest>;
}

const DEFAULT_NAMESPACE = 'default';

/** The owner graph of the objects of files; objects without a namespace are in `default`, where kubectl puts them. */
export function graphOfManifests(manifests: readonly Manifest[], options: OwnerGraphOptions = {}): ManifestGraph {
  const objects = manifests.flatMap(({ object }) => graphObjectOf(object, { defaultNamespace: DEFAULT_NAMESPACE }) ?? []);
  const manifestOf = new Map(manifests.map((manifest) => {
    const { object } = manifest;
    return [keyOf(groupOf(object), object.kind, object.metadata.namespace ?? DEFAULT_NAMESPACE, object.metadata.name), manifest];
  }));
  return { graph: new Graph(buildGraph(objects, options)), manifestOf };
}
