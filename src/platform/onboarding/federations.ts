import type { Construct } from 'constructs';
import { OnboardingPart } from './onboarding-part';
import { platformObject } from './platform-objects';
import { MOST_FEDERATED_CREDENTIALS } from '../../azure/limits';
import { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/refs';
import type { Cluster } from '../model/cluster';
import type { PlatformProblems } from '../model/problems';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';
import { credentialFor } from '../model/subscription-credential';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { isOfWorkload } from '../naming/concerned-identity';
import { FederationPurpose } from '../naming/federation-purpose';

/** Audience of the tokens that Entra exchanges. */
export const AUDIENCE = 'api://AzureADTokenExchange';

const GROUP = 'managedidentity.azure.com';
const KIND = 'FederatedIdentityCredential';

const PURPOSES: readonly (readonly [OnboardingPart, FederationPurpose])[] = [
  [OnboardingPart.OPERATOR_FEDERATION, FederationPurpose.OPERATOR],
  [OnboardingPart.WORKLOAD_FEDERATION, FederationPurpose.WORKLOAD],
  [OnboardingPart.TEAM_FEDERATION, FederationPurpose.TEAM],
  [OnboardingPart.DATABASE_ADMINISTRATOR_FEDERATION, FederationPurpose.DATABASE_ADMINISTRATOR],
];

/** Adds a problem if an identity would exceed Azure's limit of federated credentials, or have none. */
export function checkFederations(team: TeamInEnvironment, parts: ReadonlySet<OnboardingPart>, problems: PlatformProblems): void {
  const purposes = purposesOf(parts);
  const { clusters, platform, teamIdentities } = team.environment;
  for (const ofIdentity of [true, false].map((isWorkload) =>
    purposes.filter((purpose) => isOfWorkload(teamIdentities, purpose) === isWorkload),
  )) {
    const count = ofIdentity.length * clusters.length;
    if (count <= MOST_FEDERATED_CREDENTIALS) continue;
    problems.add('environment.clusters', `${clusters.length} clusters with ${ofIdentity.length} federated credentials each are ${count}, and Azure lets an identity have ${MOST_FEDERATED_CREDENTIALS}. Leave parts out (${ofIdentity.join(', ')}), or make two environments of the clusters, each with identities of its own.`);
  }
  if (purposes.includes(FederationPurpose.DATABASE_ADMINISTRATOR)) {
    problems.require(
      'platform.databaseAdministrator',
      platform.databaseAdministrator,
      'Give the name of the service account that administers the shared databases.',
    );
  }
}

/** The identities of a team; the same one twice if they are shared. */
export interface TrustingIdentities {
  readonly operator: IUserAssignedIdentityRef;
  readonly workload: IUserAssignedIdentityRef;
}

/**
 * Creates the federated credentials of a team's identities: one per purpose and cluster of the environment, in the manifests of every
 * cluster.
 */
export function federate(
  scope: Construct, team: TeamInEnvironment, cluster: Cluster, parts: ReadonlySet<OnboardingPart>, identities: TrustingIdentities,
): FederatedIdentityCredential[] {
  const { environment } = team;
  return purposesOf(parts).flatMap((purpose) => environment.clusters.map((trusted) => {
    const name = environment.naming.teamFederation(team, purpose, trusted.name);
    return new FederatedIdentityCredential(scope, `federation-${purpose}-${trusted.name}`, {
      ...platformObject(environment, cluster, GROUP, KIND, name, credentialFor(team.resourceGroupId, environment)),
      owner: isOfWorkload(environment.teamIdentities, purpose) ? identities.workload : identities.operator,
      issuer: trusted.oidcIssuerUrl,
      subject: subjectOf(team, purpose, trusted),
      audiences: [AUDIENCE],
    });
  }));
}

/** The subject of a service account's tokens. */
export function serviceAccountSubject(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function purposesOf(parts: ReadonlySet<OnboardingPart>): FederationPurpose[] {
  return PURPOSES.filter(([part]) => parts.has(part)).map(([, purpose]) => purpose);
}

function subjectOf(team: TeamInEnvironment, purpose: FederationPurpose, cluster: Cluster): string {
  const { environment, namespace } = team;
  switch (purpose) {
    case FederationPurpose.OPERATOR:
      return serviceAccountSubject(
        cluster.operatorNamespace ?? 'azureserviceoperator-system',
        cluster.operatorServiceAccount ?? 'azureserviceoperator-default',
      );
    case FederationPurpose.WORKLOAD:
      return serviceAccountSubject(namespace, WORKLOAD_SERVICE_ACCOUNT);
    case FederationPurpose.TEAM:
      return serviceAccountSubject(namespace, environment.naming.teamServiceAccount(team));
    default:
      return serviceAccountSubject(environment.platformNamespace, environment.platform.databaseAdministrator!);
  }
}
