import { FederationPurpose } from './federation-purpose';
import type { IServiceNaming } from './service-naming';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Team } from '../model/team';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Names for the objects of a team. Every method must be deterministic, and returns Kubernetes names unless stated otherwise. */
export interface ITeamNaming {
  /** The team's namespace. */
  namespace(environment: Environment, team: Team): string;
  /** The team's resource group, in Azure and in Kubernetes. */
  resourceGroup(environment: Environment, team: Team): string;
  /** The identity under which the operator acts for the team, in Azure and in Kubernetes; with shared identities, the team's only one. */
  teamIdentity(team: TeamInEnvironment): string;
  /** The ConfigMap to which the identity exports its ids. */
  teamIdentityExports(team: TeamInEnvironment): string;
  /** The identity of the team's pods, in Azure and in Kubernetes, if the team has two identities. */
  teamWorkloadIdentity(team: TeamInEnvironment): string;
  /** The ConfigMap to which the identity of the team's pods exports its ids. */
  teamWorkloadIdentityExports(team: TeamInEnvironment): string;
  /** A federated credential for the purpose, in Azure and in Kubernetes; `cluster` is the name of the cluster whose tokens it trusts. */
  teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string;
  /** The role of the team's identity on one of its resource groups. */
  groupRole(team: TeamInEnvironment, resourceGroup: string): string;
  /** A further role of a team's identity. */
  grantRole(team: TeamInEnvironment, grant: Grant): string;
  /** The namespace's ResourceQuota and LimitRange. */
  quotas(team: TeamInEnvironment): string;
  /** The network policy of the namespace. */
  networkPolicy(team: TeamInEnvironment): string;
  /** The AzureAppConfigurationProvider for trusted certificates. */
  trustedCertificates(team: TeamInEnvironment): string;
  /** The team's service account. */
  teamServiceAccount(team: TeamInEnvironment): string;
}

/** Names for all objects of a platform. */
export interface IPlatformNaming extends ITeamNaming, IServiceNaming {
  /** The federated credential of the database administrator's identity, in Azure and in Kubernetes, for the tokens of `cluster`. */
  databaseAdministratorFederation(environment: Environment, cluster: string): string;
}
