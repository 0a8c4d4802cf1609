/**
 * What a credential's Secret says of itself, for reports: none of it is read by the controller, and none of it is secret.
 */


/** A role in a scope, as an annotation says it. */
export interface StatedRole {
  readonly role: string;
  /** ARM id. */
  readonly scope: string;
}

/** Takes the annotation apart; what is malformed is left out. */
export function statedRoles(annotation: string | undefined): StatedRole[] {
  return (annotation ?? '').split(';').flatMap((part) => {
    const at = part.lastIndexOf('@');
    const [role, scope] = at < 0 ? ['', ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    return role !== '' && scope.startsWith('/') ? [{ role, scope }] : [];
  });
}

/** The annotation for roles. */
export function statedRolesText(roles: readonly StatedRole[]): string {
  return roles.map(({ role, scope }) => `${role} @ ${scope}`).join('; ');
}
