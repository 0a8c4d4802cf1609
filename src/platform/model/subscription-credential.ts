import { parseArmId } from '../../azure/arm-id';
import { AsoCredential, CredentialReference } from '../../core';

/** Name of the platform's Secret for another subscription than that of the environment: a credential is for one subscription. */
export function subscriptionSecretName(subscriptionId: string): string {
  return `${AsoCredential.NAMESPACE_SECRET_NAME}-${subscriptionId.toLowerCase()}`;
}

/** The credential of an object in the platform's namespace for a resource; undefined if that of the namespace is for its subscription. */
export function credentialFor(armId: string, environment: { readonly subscriptionId: string }): CredentialReference | undefined {
  const subscriptionId = parseArmId(armId)?.subscriptionId;
  if (subscriptionId === undefined || subscriptionId.toLowerCase() === environment.subscriptionId.toLowerCase()) return undefined;
  return CredentialReference.fromSecretName(subscriptionSecretName(subscriptionId));
}
