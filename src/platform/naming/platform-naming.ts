import { FederationPurpose } from './federation-purpose';
import type { IServiceNaming } from './service-naming';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Team } from '../model/team';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** How everything of a team is called. Has to give the same name each time. Kubernetes names, unless something else is said. */
export interface ITeamNaming {
  /** The team's namespace. */
  namespace(environment: Environment, team: Team): string;
  /** The team's resource group, in Azure and in Kubernetes. */
  resourceGroup(environment: Environment, team: Team): string;
  /** The identity under which the operator acts for the team, in Azure and in Kubernetes; where identities are shared, the team's only one. */
  teamIdentity(team: TeamInEnvironment): string;
  /** The ConfigMap to which the identity exports its ids. */
  teamIdentityExports(team: TeamInEnvironment): string;
  /** The identity of the team's pods, in Azure and in Kubernetes, where it is another one. */
  teamWorkloadIdentity(team: TeamInEnvironment): string;
  /** The ConfigMap to which that identity exports its ids. */
  teamWorkloadIdentityExports(team: TeamInEnvironment): string;
  /** A federated credential of the identity that the purpose is about, in Azure and in Kubernetes; `cluster` is the name of the cluster whose tokens it trusts. */
  teamFederation(team: TeamInEnvironment, purpose: FederationPurpose, cluster: string): string;
  /** The role of the team's identity on its own group. */
  groupRole(team: TeamInEnvironment): string;
  /** Another role of the team's identity. */
  grantRole(team: TeamInEnvironment, grant: Grant): string;
  /** The quota and the limits of the namespace. */
  quotas(team: TeamInEnvironment): string;
  /** The network policy of the namespace. */
  networkPolicy(team: TeamInEnvironment): string;
  /** The mirror of trusted certificates. */
  trustedCertificates(team: TeamInEnvironment): string;
  /** The team's service account. */
  teamServiceAccount(team: TeamInEnvironment): string;
}

/** How everything of a platform is called. */
export interface IPlatformNaming extends ITeamNaming, IServiceNaming {
  /** The federated credential of the database administrator's identity, in Azure and in Kubernetes; `cluster` is the name of the cluster whose tokens it trusts. */
  databaseAdministratorFederation(environment: Environment, cluster: string): string;
}
