import { parseArmId } from '../../../../src/azure/arm-id';
import { builtInRoleId as wellKnownRoleId } from '../../../../src/azure/built-in-roles';
import { UUID } from '../../../../src/azure/uuid';
import type { BodyChange } from '../../../../src/catalog';
import { readPage } from '../../../arm/arm-reader';
import type { ArmClient } from '../../../arm/types';
import { valueAt, withValueAt } from '../../arm-json';
import type { KindBehaviour } from '../../kind-behaviour';
import { KindError, type Body, type KindContext } from '../../types';

/** A reference may name a built-in role; Azure accepts only the id of its definition (docs/spec/extensions.md#role-assignments). */
export const roleAssignment: KindBehaviour = {
  evidence: ['v2/api/authorization/customizations/role_assignment_extensions.go'],
  bodyChange: { how: 'wellKnownRole', change: withRoleId },
};

async function withRoleId(body: Body, { arm }: BodyChange, { armId, client, signal }: KindContext): Promise<Body> {
  const name = valueAt(body, arm);
  // An ARM id is not a name.
  if (typeof name !== 'string' || name.startsWith('/')) return body;
  const subscription = parseArmId(armId)?.subscriptionId ?? client.subscriptionId;
  return withValueAt(body, arm, await builtInRoleId(name, subscription, client, signal));
}

const LIST = '/providers/Microsoft.Authorization/roleDefinitions';
const API_VERSION = '2022-04-01';
const DOCUMENTATION = 'https://learn.microsoft.com/azure/role-based-access-control/built-in-roles';
/** The list has some 800 entries; the limit stops a server with endless pages. */
const MOST_PAGES = 100;

/**
 * Role name in lower case → name of the definition, for each cloud endpoint: built-in roles are the same for every credential of a cloud.
 */
const known = new Map<string, Promise<ReadonlyMap<string, string>>>();

/**
 * The id of a built-in role by its name (`Storage Blob Data Reader`, in any case). The ids are the same in all tenants, so Azure is queried
 * only for roles that the table does not have: newer ones.
 */
export async function builtInRoleId(name: string, subscriptionId: string, client: ArmClient, signal?: AbortSignal): Promise<string> {
  const definition = wellKnownRoleId(name) ?? (await rolesOf(client, signal)).get(name.toLowerCase());
  if (!definition) {
    throw new KindError(
      `"${name}" is not the name of a built-in role; see ${DOCUMENTATION} for the names, or give the armId of a role definition`,
    );
  }
  return `/subscriptions/${subscriptionId}${LIST}/${definition}`;
}

function rolesOf(client: ArmClient, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  let roles = known.get(client.endpoint);
  if (!roles) {
    roles = list(client, signal);
    known.set(client.endpoint, roles);
    // A failed load is not cached.
    roles.catch(() => known.delete(client.endpoint));
  }
  return roles;
}

async function list(client: ArmClient, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const roles = new Map<string, string>();
  let url: string | undefined = LIST;
  for (let page = 0; url !== undefined; page += 1) {
    if (page >= MOST_PAGES) {
      throw new KindError(`the list of built-in roles has more than ${MOST_PAGES} pages; it is asked for again later`);
    }
    const request = { method: 'GET', url, apiVersion: API_VERSION, isFromAnswer: page > 0 } as const;
    const { items, next } = readPage(request, await client.send(request, signal));
    for (const role of items) {
      if (valueAt(role, 'properties/type') !== 'BuiltInRole' && valueAt(role, 'properties/roleType') !== 'BuiltInRole') continue;
      const roleName = valueAt(role, 'properties/roleName');
      if (typeof roleName === 'string' && typeof role.name === 'string' && UUID.test(role.name)) {
        roles.set(roleName.toLowerCase(), role.name);
      }
    }
    url = next;
  }
  return roles;
}
