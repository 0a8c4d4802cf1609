import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';
import { groupOf } from '../../engine/resolve/kind-of';

/** Formats an ObjectKey as a key for maps: `group/kind/namespace/name`. None of the parts can hold a slash. */
export function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function keyOf(object: KubernetesObject): ObjectKey {
  return { group: groupOf(object), kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

/** `storageazurecom_storageaccount`: the controller name of a kind, as in ASO's loggers, event sources and metrics. */
export function controllerName(group: string, kind: string): string {
  return `${group.replaceAll('.', '')}_${kind.toLowerCase()}`;
}
