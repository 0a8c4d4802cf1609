import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { serviceAccountOf } from './client-id-annotation';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { AsoAuthentication, AsoCredential, SecretValue } from '../../core';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { CredentialTarget, DeliveredCredential } from '../credentials/credential-delivery-contract';

/** The credential and the service accounts of a team's namespace: with the client id that is known, or as the delivery has it. */
export function teamCredential(
  scope: Construct, { clientId, delivery }: TeamOnboardingProps, target: CredentialTarget,
  identity: UserAssignedIdentity | undefined, namespace: ApiObject | undefined,
): DeliveredCredential {
  if (clientId !== undefined) return known(scope, target, clientId);
  const where = `[${scope.node.path}] TeamOnboarding of team '${target.team.team.name}'`;
  if (!delivery) throw new Error(`${where}: delivery: required where clientId is not known.`);
  if (!identity) {
    throw new Error(`${where}: identity: is not made here, so nothing can be said of how its client id gets into the namespace. Give the construct as identity, or its clientId, or leave out the parts credential and teamServiceAccount.`);
  }
  return delivery.deliver(scope, { ...target, identity, namespace });
}

function known(scope: Construct, { team, credential, secretName, serviceAccounts = [] }: CredentialTarget, clientId: string): DeliveredCredential {
  const { namespace, environment: { subscriptionId, tenantId } } = team;
  const name = secretName ?? AsoCredential.NAMESPACE_SECRET_NAME;
  const authentication = AsoAuthentication.workloadIdentity(clientId);
  const secret = credential === false ? undefined : new AsoCredential(scope, 'credential', { metadata: { name, namespace }, subscriptionId, tenantId, authentication }).secret;
  return {
    secretName: name,
    secret,
    clientId: SecretValue.fromSecret(name, 'AZURE_CLIENT_ID'),
    serviceAccounts: serviceAccounts.map((account) => serviceAccountOf(scope, `service-account-${account.name}`, namespace, account.name, clientId, account.labels)),
  };
}
