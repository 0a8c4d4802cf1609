import type { DeclaredRole } from './declared-role';
import { builtInRoleId, builtInRoleName } from '../../../azure/built-in-roles';
import type { Permission } from '../../../azure/permissions/action-match';
import { builtInPermission } from '../../../azure/permissions/built-in-permissions';
import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
import { isText, member, struct, text } from '../../../util/records';
import { ObjectSet } from '../../rules/object-set';
import { titleOf } from '../../rules/set-object';

/** A role, with its permissions if they are known. */
export interface KnownRole {
  readonly name: string;
  readonly permissions?: readonly Permission[] | undefined;
}

/** Names and permissions of roles: Azure's built-in roles, role definitions of the set, and declared roles. */
export class RoleBook {
  private readonly declared = new Map<string, KnownRole>();

  public constructor(set: ObjectSet, roles: readonly DeclaredRole[] = []) {
    for (const { id, name, permissions } of roles) {
      const known = { name: name ?? builtInRoleName(idOf(id)) ?? idOf(id), permissions };
      this.declared.set(idOf(id), known);
      if (name !== undefined) this.declared.set(name.toLowerCase(), known);
    }
    for (const object of set.azure) {
      if (object.group !== 'authorization.azure.com' || object.kind !== 'RoleDefinition') continue;
      const known = { name: text(object.spec, 'roleName') ?? titleOf(object), permissions: permissionsOf(object.spec) };
      this.declared.set(`object ${object.namespace ?? ''}/${object.name}`, known);
      if (object.facts.azureName !== undefined) this.declared.set(object.facts.azureName.toLowerCase(), known);
    }
  }

  /** The role that a role assignment references. */
  public referred(reference: unknown, namespace: string | undefined): KnownRole {
    const armId = text(reference, 'armId');
    if (armId !== undefined) return this.byId(idOf(armId));
    const wellKnown = text(reference, 'wellKnownName');
    if (wellKnown !== undefined) return this.stated(wellKnown);
    const name = text(reference, 'name') ?? '';
    return this.declared.get(`object ${namespace ?? ''}/${name}`) ?? { name: `RoleDefinition ${name}` };
  }

  /** A role by its name or id. */
  public stated(role: string): KnownRole {
    const known = this.declared.get(role.toLowerCase());
    if (known) return known;
    const id = builtInRoleId(role);
    return id === undefined ? this.byId(idOf(role)) : this.byId(id);
  }

  private byId(id: string): KnownRole {
    const known = this.declared.get(id.toLowerCase());
    if (known) return known;
    const permission = builtInPermission(id);
    return { name: builtInRoleName(id) ?? id, permissions: permission && [permission] };
  }
}

/** The permissions of a role definition of the set; undefined if they cannot be read. */
function permissionsOf(spec: unknown): Permission[] | undefined {
  const permissions = member(spec, 'permissions');
  if (!Array.isArray(permissions)) return undefined;
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter(isText) : []);
  return permissions.map((entry) => ({
    actions: texts(member(struct(entry), 'actions')),
    notActions: texts(member(struct(entry), 'notActions')),
  }));
}

/** The UUID at the end of an ARM id, in lower case. */
function idOf(id: string): string {
  const trimmed = withoutTrailingSlashes(id);
  return trimmed.slice(trimmed.lastIndexOf('/') + 1).toLowerCase();
}
