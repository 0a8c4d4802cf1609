import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';
import { groupOf } from '../../engine/resolve/kind-of';

/** An ObjectKey as text, for maps: `group/kind/namespace/name`. None of the parts can hold a slash. */
export function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function keyOf(object: KubernetesObject): ObjectKey {
  return { group: groupOf(object), kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

/** `storageazurecom_storageaccount`: the controller of a kind, as ASO names loggers, event sources and metrics. */
export function controllerName(group: string, kind: string): string {
  return `${group.replaceAll('.', '')}_${kind.toLowerCase()}`;
}
