import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { UUID } from '../../azure/uuid';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import { CredentialDelivery } from '../credentials/credential-delivery';
import type { CredentialTarget, DeliveredCredential, ICredentialDelivery } from '../credentials/credential-delivery-contract';
import { KnownClientId } from '../credentials/known-client-id';
import type { PlatformProblems } from '../model/problems';
import { TeamIdentities } from '../model/team-identities';

/** Whether any object needs the client id. */
export function wantsClientId({ credential, serviceAccounts = [] }: CredentialTarget): boolean {
  return credential === true || serviceAccounts.length > 0;
}

/** Adds problems for malformed client ids, and for a client id together with a delivery. */
export function checkClientIds(props: TeamOnboardingProps, problems: PlatformProblems): void {
  const { team: { environment }, clientId, workloadClientId, delivery } = props;
  const ids = { clientId: [clientId, "the team's identity"], workloadClientId: [workloadClientId, "the identity of the team's pods"] };
  for (const [field, [id, whose]] of Object.entries(ids)) {
    if (id === undefined || UUID.test(id)) continue;
    problems.add(field, `'${id}' is no UUID. Give the client id of ${whose}, or leave it out: it is delivered once it is known.`);
  }
  const isShared = environment.teamIdentities === TeamIdentities.SHARED;
  if (isShared && workloadClientId !== undefined) {
    problems.add(
      'workloadClientId',
      "the environment's identities are shared, so the pods have the identity of clientId. Leave one of the two out.",
    );
  }
  if (clientId === undefined || !delivery) return;
  problems.add('delivery', 'clientId is given too, and then nothing has to be delivered. Give one of the two.');
}

/** The delivery of the client id. */
export function deliveryOf(props: TeamOnboardingProps, { credential }: CredentialTarget): ICredentialDelivery {
  const { team, clientId, workloadClientId, delivery } = props;
  const isOfWorkload = team.environment.teamIdentities === TeamIdentities.SEPARATE && credential === false;
  const known = isOfWorkload ? workloadClientId : clientId;
  return known === undefined ? delivery ?? CredentialDelivery.controller() : new KnownClientId(known);
}

/**
 * Creates the credential and the service accounts of a team's namespace.
 * @throws when the delivery needs an identity that is created outside of the app
 */
export function teamCredential(
  scope: Construct, props: TeamOnboardingProps, target: CredentialTarget,
  identity: UserAssignedIdentity | undefined, namespace: ApiObject | undefined,
): DeliveredCredential {
  const delivery = deliveryOf(props, target);
  if (delivery instanceof KnownClientId) return delivery.deliver(scope, target);
  if (!identity) {
    throw new Error(`[${scope.node.path}] TeamOnboarding of team '${target.team.team.name}': identity: is not made here, so nothing can be said of how its client id gets into the namespace. Give the construct as identity, or its clientId, or leave out the parts credential and teamServiceAccount.`);
  }
  return delivery.deliver(scope, { ...target, identity, ...(namespace && { namespace }) });
}
