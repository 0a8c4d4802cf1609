import { fatal, type Failure } from './failure';
import type { Observed } from './observed';
import { annotation } from '../../../engine/objects/annotations';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { armIdProblem, armTypeOf, parseArmId } from '../../../src/azure/arm-id';
import { quotedText } from '../../../src/azure/arm-segment';

/**
 * A user who may edit the object may edit the annotation: the ID must be of the object's own kind, or requests would go to another
 * resource.
 */
function idProblem(armId: string, type: string | undefined): string | undefined {
  const problem = armIdProblem(armId);
  if (problem !== undefined || type === undefined || armTypeOf(armId)?.toLowerCase() === type.toLowerCase()) return problem;
  return `is of the type ${armTypeOf(armId)}, but this object's resource is of the type ${type}`;
}

/** Why the credential cannot be used for the object: absent, malformed, or of another subscription (docs/spec/reconcile.md#begin). */
export function credentialFailureOf(
  observed: Pick<Observed, 'credential' | 'object'> & { readonly traits?: Pick<Observed['traits'], 'armType'> },
): Failure | undefined {
  const { credential, object } = observed;
  if ('failure' in credential) return credential.failure;
  const armId = annotation(object, RESOURCE_ID);
  if (!armId) return undefined;
  const problem = idProblem(armId, observed.traits?.armType);
  if (problem !== undefined) {
    return fatal('Failed', `annotation ${RESOURCE_ID} holds ${quotedText(armId)}, which ${problem}, so no request is sent: write the ARM id of this object's resource, as Azure shows it`);
  }
  const own = parseArmId(armId)?.subscriptionId;
  // IDs without a subscription (tenant scope) fit every credential.
  if (!own || own.toLowerCase() === credential.subscriptionId.toLowerCase()) return undefined;
  return fatal(
    'SubscriptionMismatch',
    `SubscriptionID "${own}" for "${armId}" resource does not match with Client Credential: "${credential.subscriptionId}"`,
    'fast',
  );
}
