import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { failed } from './composition-error';
import type { KubernetesObject } from '../../../engine/kubernetes';
import type { OwnerGraph } from '../../../src/core/graph';
import { dependencyOrder } from '../../../src/core/graph/dependency-order';
import { readsOfPods } from '../../../src/core/graph/pod-values';
import { objectKeyOf, type WrittenObjectId } from '../../../src/object-id';
import { isRecord, text } from '../../../src/util/records';

export interface Composed {
  readonly constructs: readonly IConstruct[];
  /** The constructs of the objects; `manifests` and `ids` have the same order. */
  readonly made: readonly ApiObject[];
  readonly manifests: readonly KubernetesObject[];
  readonly ids: readonly WrittenObjectId[];
  readonly graph: OwnerGraph;
}

/** The wave of each object: one more than the highest of those that it depends on. */
export function waves(composed: Composed): number[] {
  const { made } = composed;
  const dependencies = made.map(() => new Set<number>());
  const add = (from: number | undefined, to: number | undefined) => {
    if (from !== undefined && to !== undefined && from !== to) dependencies[from]!.add(to);
  };
  addConstructDependencies(composed, add);
  addGraphDependencies(composed, add);
  addKubernetesDependencies(composed, add);
  const { order, cycles } = dependencyOrder(dependencies);
  if (cycles[0]) {
    const paths = cycles[0].map((index) => made[index]!.node.path);
    throw failed(`objects wait for each other: ${paths.join(' → ')}`, paths[0]);
  }
  const wave = made.map(() => 0);
  for (const index of order) for (const other of dependencies[index]!) wave[index] = Math.max(wave[index]!, wave[other]! + 1);
  return wave;
}

type Add = (from: number | undefined, to: number | undefined) => void;

/** `node.addDependency`: all objects at and below the one construct wait for all at and below the other. */
function addConstructDependencies({ constructs, made }: Composed, add: Add): void {
  const indexes = new Map<IConstruct, number>(made.map((object, index) => [object, index]));
  const below = (construct: IConstruct) => construct.node.findAll().flatMap((one) => indexes.get(one) ?? []);
  for (const construct of constructs) {
    const { dependencies } = construct.node;
    if (dependencies.length === 0) continue;
    const waiting = below(construct);
    for (const target of dependencies) for (const to of below(target)) for (const from of waiting) add(from, to);
  }
}

/** Owners, references and exported values of Azure's kinds. */
function addGraphDependencies({ made, graph }: Composed, add: Add): void {
  const indexes = new Map(made.map(({ node: { path } }, index) => [path, index]));
  const indexOf = (path: string | undefined) => (path === undefined ? undefined : indexes.get(path));
  for (const node of graph.nodes) {
    const from = indexOf(node.constructPath);
    if (from !== undefined) for (const other of graph.dependenciesOf(node)) add(from, indexOf(other.constructPath));
  }
}

/** Namespaces, CustomResourceDefinitions, and the ConfigMaps, Secrets and service accounts of pods. */
function addKubernetesDependencies({ manifests, ids }: Composed, add: Add): void {
  const indexes = new Map(ids.map((id, index) => [objectKeyOf(id), index]));
  const crds = new Map(manifests.flatMap(({ kind, spec }, index): [string, number][] => {
    const names = spec?.names;
    return kind === 'CustomResourceDefinition' && isRecord(names) ? [[`${String(spec?.group)}/${String(names.kind)}`, index]] : [];
  }));
  manifests.forEach(({ spec }, index) => {
    const { group, kind, namespace } = ids[index]!;
    const neighbour = (other: string, name: string | undefined) =>
      (name === undefined ? undefined : indexes.get(objectKeyOf({ group: '', kind: other, ...(namespace !== undefined && { namespace }), name })));
    add(index, crds.get(`${group}/${kind}`));
    if (namespace === undefined) return;
    add(index, indexes.get(objectKeyOf({ group: '', kind: 'Namespace', name: namespace })));
    for (const { store, name } of readsOfPods(group, kind, spec)) add(index, neighbour(store, name));
    const template = isRecord(spec?.template) ? spec.template.spec : undefined;
    add(index, neighbour('ServiceAccount', text(template, 'serviceAccountName')));
  });
}
