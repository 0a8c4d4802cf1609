/**
 * What a credential's Secret says of itself, for reports: none of it is read by the controller, and none of it is secret.
 */

/** The identity whose client id the Secret has: `namespace/name` of a UserAssignedIdentity, or its ARM id. */
export const IDENTITY_ANNOTATION = 'aso.cdk8s.io/credential-identity';

/** Object id of the principal in Entra, where the identity is no object of the cluster. */
export const PRINCIPAL_ANNOTATION = 'aso.cdk8s.io/credential-principal';

/** Roles that the principal was given elsewhere: `role @ scope; role @ scope`. A role is a name or the id of its definition. */
export const ROLES_ANNOTATION = 'aso.cdk8s.io/credential-roles';

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
