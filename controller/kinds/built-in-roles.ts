import { isRecord, valueAt } from './arm-json';
import { KindError } from './types';
import { builtInRoleId as wellKnownRoleId } from '../../src/azure/built-in-roles';
import { armErrorFrom } from '../azure/arm-error';
import type { ArmClient } from '../azure/types';

const LIST = '/providers/Microsoft.Authorization/roleDefinitions';
const API_VERSION = '2022-04-01';
const DOCUMENTATION = 'https://learn.microsoft.com/azure/role-based-access-control/built-in-roles';
/** The list has some 800 entries; a server that never stops paging is not followed for ever. */
const MOST_PAGES = 100;

/** Role name in lower case → name of the definition, for each cloud endpoint: built-in roles are the same for every credential of a cloud. */
const known = new Map<string, Promise<ReadonlyMap<string, string>>>();

/**
 * The id of a built-in role by its name (`Storage Blob Data Reader`, whatever the case). The ids are the same in all tenants, so Azure is
 * asked only for roles that the table does not have: newer ones.
 */
export async function builtInRoleId(name: string, subscriptionId: string, client: ArmClient, signal?: AbortSignal): Promise<string> {
  const definition = wellKnownRoleId(name) ?? (await rolesOf(client, signal)).get(name.toLowerCase());
  if (!definition) {
    throw new KindError(`"${name}" is not the name of a built-in role; see ${DOCUMENTATION} for the names, or give the armId of a role definition`);
  }
  return `/subscriptions/${subscriptionId}${LIST}/${definition}`;
}

function rolesOf(client: ArmClient, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  let roles = known.get(client.endpoint);
  if (!roles) {
    roles = list(client, signal);
    known.set(client.endpoint, roles);
    // A failed load is not remembered.
    roles.catch(() => known.delete(client.endpoint));
  }
  return roles;
}

async function list(client: ArmClient, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const roles = new Map<string, string>();
  let url: string | undefined = LIST;
  for (let page = 0; url && page < MOST_PAGES; page += 1) {
    const request = { method: 'GET', url, apiVersion: API_VERSION } as const;
    const response = await client.send(request, signal);
    if (response.status !== 200) throw armErrorFrom(response, request);
    const values = valueAt(response.body, 'value');
    for (const role of Array.isArray(values) ? values : []) {
      if (valueAt(role, 'properties/type') !== 'BuiltInRole' && valueAt(role, 'properties/roleType') !== 'BuiltInRole') continue;
      const roleName = valueAt(role, 'properties/roleName');
      const definition = isRecord(role) ? role.name : undefined;
      if (typeof roleName === 'string' && typeof definition === 'string') roles.set(roleName.toLowerCase(), definition);
    }
    const next = valueAt(response.body, 'nextLink');
    url = typeof next === 'string' && next !== '' ? next : undefined;
  }
  return roles;
}
