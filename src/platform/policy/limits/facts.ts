import { ASO_GROUPS, OWN_GROUPS } from '../../../util/api-groups';
import { listed } from '../../../util/words';
import { Condition, endsWith, FALSE, firstOf, lower, member, OBJECT, oneOf, spec, Text, text, Variable, variable } from '../condition';
import type { KnownEntry } from '../team-policy';

const API_VERSION = text(OBJECT, 'apiVersion');
const KIND = text(OBJECT, 'kind');

/** API group, e.g. `storage.azure.com`; for core kinds the version, `v1`. */
export const GROUP: Variable = variable('group', {
  cel: 'object.apiVersion.split("/")[0]',
  read: (environment) => API_VERSION.read(environment).replace(/\/.*$/s, ''),
});

/** Group and kind, e.g. `storage.azure.com/StorageAccount`, `v1/Secret`. */
export const TYPE: Variable = variable('type', {
  cel: 'object.apiVersion.split("/")[0] + "/" + object.kind',
  read: (environment) => `${GROUP.read(environment)}/${KIND.read(environment)}`,
});

export const OWNER_ID: Variable = variable('ownerId', lower(spec('owner', 'armId')));

/** The Azure name as the operator derives it; the object's name if `azureName` is not set. */
export const AZURE_NAME: Variable = variable('azureName', firstOf(spec('azureName'), text(OBJECT, 'metadata', 'name')));

/** The variables in the order of their declaration in the policy. */
export const VARIABLES: readonly Variable[] = [GROUP, TYPE, OWNER_ID, AZURE_NAME];

/** Whether the kind belongs to Azure, or to the controller of this library, even if it is not in the catalog. */
export const OF_AZURE: Condition = endsWith(GROUP, [ASO_GROUPS, OWN_GROUPS]);

export function ofType(...types: readonly string[]): Condition {
  return oneOf(TYPE, types);
}

export function ofEntries(entries: readonly KnownEntry[]): Condition {
  return entries.length === 0 ? FALSE : ofType(...entries.map(({ type }) => type));
}

export function annotation(key: string): Text {
  return text(member(OBJECT, 'metadata', 'annotations'), key);
}

/** `uksouth, ukwest or global`; `nothing` for an empty list. */
export function either(values: readonly string[]): string {
  return listed(values, 'or') || 'nothing';
}
