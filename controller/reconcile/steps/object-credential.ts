import type { ResolvedCredential } from '../../../engine/credentials/types';
import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { CredentialState } from '../core/observed';
import { credentialSecretOf } from '../credential-users';
import { fetchUnread } from '../fetch-unread';
import { waitForUnknown } from './wait-for-cache';
import type { ObjectReconcile } from '../object-reconcile';
import { credentialOf } from '../observe';
import type { ReconcilerOptions } from '../reconciler-options';

export interface ObjectCredential {
  readonly state: CredentialState;
  /** Absent where no credential could be resolved. */
  readonly resolved?: ResolvedCredential;
}

/** Reads the Secret of the credential, if its content is not in memory, and the certificate in it. */
export async function prepareCredential(
  { cluster, credentials }: Pick<ReconcilerOptions, 'cluster' | 'credentials'>, object: KubernetesObject,
): Promise<void> {
  await fetchUnread(cluster, [credentialSecretOf(object)]);
  await credentials.prepare?.(object).catch((error: unknown) => {
    // The resolution of the credential reports an unknown object.
    if (!(error instanceof UnknownStateError)) throw error;
  });
}

/**
 * Resolves the credential of the object, and makes the object depend on the Secret.
 * @throws UnknownStateError where the Secret is unknown, unless the object is being deleted
 */
export function resolveCredential(reconcile: ObjectReconcile): ObjectCredential {
  const { object, options } = reconcile;
  const credential = credentialOf(object, options.credentials);
  // Before the error: what needs a Secret keeps its content in memory.
  dependOnCredential(reconcile);
  if (credential.unknown) {
    // A deletion may need no credential.
    if (object.metadata.deletionTimestamp === undefined) throw credential.unknown;
    waitForUnknown(reconcile, credential.unknown);
  }
  return credential;
}

export function dependOnCredential({ key, object, options: { dependencies } }: ObjectReconcile): void {
  // Also for a Secret that does not exist: it may be created.
  dependencies.add(key, credentialSecretOf(object), 'credential');
}
