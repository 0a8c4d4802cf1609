import type { IAzureResourceRef } from '../resource-reference';
import { statedRolesText } from './scopes/annotations';
import { isArmId } from '../../azure/arm-id';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { CustomRole } from '../custom-role';
import { referenceOf } from '../schema/references';

/** A role that a principal has from outside of the app. */
export interface GrantedRole {
  /** The role: a `BuiltInRole`, or a `CustomRole` with its actions. */
  readonly role: IAzureResourceRef;
  /** ARM id of the role's scope, e.g. `/subscriptions/<id>`. */
  readonly scope: string;
}

/**
 * Roles as the text of an annotation.
 * @throws when an entry is no role, or its scope is no ARM id
 */
export function grantedRolesText(roles: readonly GrantedRole[], where: string): string {
  return statedRolesText(
    roles.map(({ role, scope }) => {
      const id = referenceOf(role)?.wellKnownName ?? definitionIn(referenceOf(role)?.armId);
      if (id === undefined) {
        throw new Error(`[${where}] grantedRoles: that is no role. Give a BuiltInRole, or CustomRole.of({ id, name, actions }).`);
      }
      const place = typeof scope === 'string' ? withoutTrailingSlashes(scope) : '';
      if (!isArmId(place)) {
        throw new Error(
          `[${where}] grantedRoles: '${scope}' is no ARM id. Give the scope of the role assignment, e.g. /subscriptions/<id>.`,
        );
      }
      return { role: id, scope: place };
    }),
  );
}

/** The custom roles of the list. */
export function customRolesOf(roles: readonly GrantedRole[] | undefined): CustomRole[] {
  return (roles ?? []).map(({ role }) => role as unknown).filter((role): role is CustomRole => CustomRole._is(role));
}

function definitionIn(armId: string | undefined): string | undefined {
  return armId === undefined ? undefined : /\/roleDefinitions\/([^/]+)\/?$/i.exec(armId)?.[1];
}
