import { CREDENTIAL_REQUIRED } from './annotations';
/**
 * On a Namespace: its objects wait until the namespace has a credential of its own, and the controller's global credential is never used for
 * them. The library writes the annotation, the controller reads it.
 */

/** Whether annotations of a Namespace say so. Any value but `false` does: what cannot be understood must not open a fallback. */
export function requiresCredential(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const value = annotations && Object.hasOwn(annotations, CREDENTIAL_REQUIRED) ? annotations[CREDENTIAL_REQUIRED] : undefined;
  return value !== undefined && value.trim().toLowerCase() !== 'false';
}
