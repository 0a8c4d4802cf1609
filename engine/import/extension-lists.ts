import { armTypeOf } from '../../src/azure/arm-id';
import type { KindVersion } from '../../src/catalog';
import { isRecord, type JsonObject, memberIgnoringCase } from '../../src/util/records';

const ROLE_DEFINITION = 'microsoft.authorization/roledefinitions';
const CLUSTERS = ['microsoft.containerservice/managedclusters', 'microsoft.kubernetes/connectedclusters'];

/**
 * The types that a type extends; a type that is not here extends any other one.
 * @see https://learn.microsoft.com/azure/role-based-access-control/role-definitions#assignablescopes
 * @see https://learn.microsoft.com/rest/api/kubernetesconfiguration/extensions/list
 * @see https://learn.microsoft.com/rest/api/quota/quota/list
 */
const EXTENDED: Readonly<Record<string, readonly string[]>> = {
  [ROLE_DEFINITION]: ['microsoft.resources/resourcegroups'],
  'microsoft.kubernetesconfiguration/extensions': CLUSTERS,
  'microsoft.kubernetesconfiguration/fluxconfigurations': CLUSTERS,
  // All other limits are those of a location.
  'microsoft.quota/quotas': ['microsoft.batch/batchaccounts'],
};

/** Whether resources of a type may extend the resource with an id. */
export function mayExtend(id: string, { facts: { arm } }: KindVersion): boolean {
  return EXTENDED[arm!.type.toLowerCase()]?.includes((armTypeOf(id) ?? '').toLowerCase()) ?? true;
}

/** The URL of the list of the resources of a type that extend the one with an id. */
export function extensionList(id: string, { facts: { arm } }: KindVersion): string {
  const url = `${id}/providers/${arm!.type}`;
  // The list of all roles has more than a thousand that Azure makes.
  return arm!.type.toLowerCase() === ROLE_DEFINITION ? `${url}?$filter=type%20eq%20'CustomRole'` : url;
}

/**
 * The scopes in which a custom role may be assigned, and its id in the scope that lists it: Azure spells the id of every role with the
 * subscription alone. Undefined for what is no custom role.
 */
export function customRole(scope: string, found: JsonObject): { readonly id: string; readonly scopes: readonly string[] } | undefined {
  const id = memberIgnoringCase(found, 'id');
  const properties = memberIgnoringCase(found, 'properties');
  const scopes = isRecord(properties) ? memberIgnoringCase(properties, 'assignableScopes') : undefined;
  if (typeof id !== 'string' || armTypeOf(id)?.toLowerCase() !== ROLE_DEFINITION || !Array.isArray(scopes)) return undefined;
  const name = id.slice(id.lastIndexOf('/') + 1);
  return { id: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${name}`, scopes: scopes.map(String) };
}
