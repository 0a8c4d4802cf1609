import { CREDENTIAL_REQUIRED } from './annotations';
/**
 * On a Namespace: its objects wait until the namespace has its own credential, and never use the controller's global credential. The
 * library writes the annotation, the controller reads it.
 */

/** Whether a Namespace has the annotation with any value but `false`: an invalid value must not enable the fallback. */
export function requiresCredential(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const value = annotations && Object.hasOwn(annotations, CREDENTIAL_REQUIRED) ? annotations[CREDENTIAL_REQUIRED] : undefined;
  return value !== undefined && value.trim().toLowerCase() !== 'false';
}
