import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';
import { groupOf } from '../../engine/resolve/kind-of';
import { SharedTexts } from '../../engine/shared-texts';

/** A dozen maps have the same object as a key, which would be a text of its own in each: a tenth of the memory of an object. */
const texts = new SharedTexts(16_384);

/** Formats an ObjectKey as a key for maps: `group/kind/namespace/name`. None of the parts can hold a slash. */
export function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return texts.of(`${group}/${kind}/${namespace}/${name}`);
}

/** The ObjectKey of a text of `textOf`. */
export function keyOfText(text: string): ObjectKey {
  const [group = '', kind = '', namespace = '', name = ''] = text.split('/');
  return { group, kind, namespace, name };
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
