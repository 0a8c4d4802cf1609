import type { ObjectName } from './types';
import { groupOf } from '../kubernetes/resource-path';
import type { KubernetesObject } from '../kubernetes/types';

/** Identifies an object in any version. */
export function keyOf({ group, kind, namespace, name }: ObjectName): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function nameOf(object: KubernetesObject): ObjectName {
  const { metadata: { namespace = '', name }, kind } = object;
  return { group: groupOf(object), kind, namespace, name };
}

/** `StorageAccount shop/data`, `Namespace shop`. */
export function titleOf({ kind, namespace, name }: Pick<ObjectName, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

export function secretName(namespace: string, name: string): ObjectName {
  return { group: '', kind: 'Secret', namespace, name };
}

export function configMapName(namespace: string, name: string): ObjectName {
  return { group: '', kind: 'ConfigMap', namespace, name };
}
