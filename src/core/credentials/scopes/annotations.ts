/**
 * The annotations of a credential's Secret that describe it for reports. The controller does not read them, and they contain no secret.
 */


/** A role with its scope, as an annotation has it. */
export interface StatedRole {
  readonly role: string;
  /** ARM id. */
  readonly scope: string;
}

/** Parses the annotation; malformed entries are skipped. */
export function statedRoles(annotation: string | undefined): StatedRole[] {
  return (annotation ?? '').split(';').flatMap((part) => {
    const at = part.lastIndexOf('@');
    const [role, scope] = at < 0 ? ['', ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    return role !== '' && scope.startsWith('/') ? [{ role, scope }] : [];
  });
}

/** The text of the annotation for roles. */
export function statedRolesText(roles: readonly StatedRole[]): string {
  return roles.map(({ role, scope }) => `${role} @ ${scope}`).join('; ');
}
