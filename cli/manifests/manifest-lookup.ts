import { groupOf, namespaceOf, type Manifest } from './manifests';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { ObjectLookup } from '../../engine/resolve';
import { nameFromConfigOf, versionOf } from '../../engine/resolve';
import { AZURE_NAME_FROM_CONFIG } from '../../src/azure/annotations';

/** Objects of files, found as if they stood in a cluster that serves every kind of the catalog. */
export class ManifestLookup implements ObjectLookup {
  private readonly objects = new Map<string, KubernetesObject>();

  public constructor(manifests: readonly Manifest[]) {
    for (const { object } of manifests) {
      this.objects.set(keyOf(groupOf(object), object.kind, namespaceOf(object), object.metadata.name), claimed(object));
    }
  }

  public find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.objects.get(keyOf(group, kind, namespace, name));
  }

  public list(group: string, kind: string): readonly KubernetesObject[] {
    return [...this.objects.values()].filter((object) => object.kind === kind && groupOf(object) === group);
  }

  /** An object that is not in the files is missing, not unknown: the message about a missing object is the better one. */
  public serves(): boolean {
    return true;
  }
}

/** `group/Kind/namespace/name` of an object: what references compare. */
export function keyOf(group: string, kind: string, namespace: string, name: string): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/**
 * The object with what the cluster and the claim would have added, as far as names depend on it: its uid (of which random names are made)
 * and the name that comes from a ConfigMap. Both are known only later.
 */
export function claimed(object: KubernetesObject): KubernetesObject {
  const uid = object.metadata.uid ?? `<random:${object.metadata.name}>`;
  const version = versionOf(object);
  const reference = version && nameFromConfigOf(object, version);
  if (!reference) return { ...object, metadata: { ...object.metadata, uid } };
  const annotations = { [AZURE_NAME_FROM_CONFIG]: `<configmap:${reference.name}/${reference.key}>`, ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, uid, annotations } };
}
