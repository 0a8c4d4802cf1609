import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { TeamOnboardingProps } from './team-onboarding-props';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import { CredentialDelivery } from '../credentials/credential-delivery';
import type { CredentialTarget, DeliveredCredential, ICredentialDelivery } from '../credentials/credential-delivery-contract';
import { KnownClientId } from '../credentials/known-client-id';

/** How the client id gets to where it is needed. */
export function deliveryOf({ clientId, delivery }: TeamOnboardingProps): ICredentialDelivery {
  return clientId === undefined ? delivery ?? CredentialDelivery.controller() : new KnownClientId(clientId);
}

/**
 * The credential and the service accounts of a team's namespace.
 * @throws when the identity is needed for it, and made elsewhere
 */
export function teamCredential(
  scope: Construct, props: TeamOnboardingProps, target: CredentialTarget,
  identity: UserAssignedIdentity | undefined, namespace: ApiObject | undefined,
): DeliveredCredential {
  const delivery = deliveryOf(props);
  if (delivery instanceof KnownClientId) return delivery.deliver(scope, target);
  if (!identity) {
    throw new Error(`[${scope.node.path}] TeamOnboarding of team '${target.team.team.name}': identity: is not made here, so nothing can be said of how its client id gets into the namespace. Give the construct as identity, or its clientId, or leave out the parts credential and teamServiceAccount.`);
  }
  return delivery.deliver(scope, { ...target, identity, namespace });
}
