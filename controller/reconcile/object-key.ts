import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';
import { groupOf } from '../../engine/resolve/kind-of';

/** Formats an ObjectKey as a key for maps: `group/kind/namespace/name`. None of the parts can hold a slash. */
export function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function keyOf(object: KubernetesObject): ObjectKey {
  return { group: groupOf(object), kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

/** Kinds outside of Azure Resource Manager, whose controllers ASO names by hand. */
const NAMED_BY_HAND: Readonly<Record<string, string>> = {
  'dbformysql.azure.com/User': 'mysql_user',
  'dbforpostgresql.azure.com/User': 'postgresql_user',
  'sql.azure.com/User': 'sql_user',
  'entra.azure.com/SecurityGroup': 'entra_securitygroup',
};

/** `storageazurecom_storageaccount`: the controller name of a kind, as in ASO's loggers, event sources and metrics. */
export function controllerName(group: string, kind: string): string {
  return NAMED_BY_HAND[`${group}/${kind}`] ?? `${group.replaceAll('.', '')}_${kind.toLowerCase()}`;
}
