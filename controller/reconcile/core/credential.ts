import { annotation, RESOURCE_ID } from './annotations';
import { fatal, type Failure } from './failure';
import type { Observed } from './observed';
import { parseArmId } from '../../../src/azure/arm-id';

/** Why the credential cannot be used for the object: absent, malformed, or of another subscription (controller.md 4.4, step 4). */
export function credentialFailureOf(observed: Pick<Observed, 'credential' | 'object'>): Failure | undefined {
  const { credential, object } = observed;
  if ('failure' in credential) return credential.failure;
  const armId = annotation(object, RESOURCE_ID);
  if (!armId) return undefined;
  const parts = parseArmId(armId);
  if (!parts) return fatal('Failed', `annotation ${RESOURCE_ID} holds "${armId}", which is no ARM id`);
  const own = parts.subscriptionId;
  // Ids without subscription (tenant scope) fit every credential.
  if (!own || own.toLowerCase() === credential.subscriptionId.toLowerCase()) return undefined;
  return fatal('SubscriptionMismatch', `SubscriptionID "${own}" for "${armId}" resource does not match with Client Credential: "${credential.subscriptionId}"`);
}
