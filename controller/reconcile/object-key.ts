import { SharedTexts } from '../../engine/shared-texts';
import { type ObjectId, objectKeyOf } from '../../src/object-id';

/** A dozen maps have the same object as a key, which would be a text of its own in each: a tenth of the memory of an object. */
const texts = new SharedTexts(16_384);

/** `objectKeyOf` of an object, the same text each time. */
export function sharedKeyOf(id: ObjectId): string {
  return texts.of(objectKeyOf(id));
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
