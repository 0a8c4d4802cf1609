import type { DeclaredRole } from './declared-role';
import { isText, member, struct, text } from '../../../util/records';

/**
 * The roles in Azure's JSON of role definitions: `az role definition list`, or the response of the REST API (`{ "value": [{ "properties": …
 * }] }`). Other entries are skipped.
 */
export function declaredRolesIn(json: unknown): DeclaredRole[] {
  const list = Array.isArray(json) ? json : member(json, 'value');
  return (Array.isArray(list) ? list : [json]).flatMap((entry: unknown) => {
    const properties = struct(member(entry, 'properties')) ?? entry;
    const id = text(entry, 'name') ?? text(entry, 'id');
    const permissions = member(properties, 'permissions');
    if (id === undefined || !Array.isArray(permissions)) return [];
    return [
      {
        id,
        name: text(properties, 'roleName'),
        permissions: permissions.map((one) => ({ actions: texts(one, 'actions'), notActions: texts(one, 'notActions') })),
      },
    ];
  });
}

function texts(value: unknown, key: string): string[] {
  const list = member(value, key);
  return Array.isArray(list) ? list.filter(isText) : [];
}
