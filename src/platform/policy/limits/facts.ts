import { listed } from '../../../util/words';
import { Condition, endsWith, FALSE, firstOf, lower, member, OBJECT, oneOf, spec, Text, text, Variable, variable } from '../condition';
import type { KnownEntry } from '../team-policy';

const API_VERSION = text(OBJECT, 'apiVersion');
const KIND = text(OBJECT, 'kind');

/** `storage.azure.com`; for Kubernetes' core its version, `v1`. */
const GROUP: Variable = variable('group', {
  cel: 'object.apiVersion.split("/")[0]',
  read: (environment) => API_VERSION.read(environment).split('/')[0],
});

/** `storage.azure.com/StorageAccount`, `v1/Secret`. */
export const TYPE: Variable = variable('type', {
  cel: 'object.apiVersion.split("/")[0] + "/" + object.kind',
  read: (environment) => `${GROUP.read(environment)}/${KIND.read(environment)}`,
});

export const OWNER_ID: Variable = variable('ownerId', lower(spec('owner', 'armId')));

/** The name in Azure, as the operator makes it: that of the object where there is no other. */
export const AZURE_NAME: Variable = variable('azureName', firstOf(spec('azureName'), text(OBJECT, 'metadata', 'name')));

/** In the order in which they are declared to the API server. */
export const VARIABLES: readonly Variable[] = [GROUP, TYPE, OWNER_ID, AZURE_NAME];

/** Any kind of Azure, whether it is known here or not. */
export const OF_AZURE: Condition = endsWith(GROUP, ['.azure.com']);

export function ofType(...types: readonly string[]): Condition {
  return oneOf(TYPE, types);
}

export function ofEntries(entries: readonly KnownEntry[]): Condition {
  return entries.length === 0 ? FALSE : ofType(...entries.map(({ type }) => type));
}

export function annotation(key: string): Text {
  return text(member(OBJECT, 'metadata', 'annotations'), key);
}

/** `uksouth, ukwest or global`, and `nothing` for none. */
export function either(values: readonly string[]): string {
  return listed(values, 'or') || 'nothing';
}
