import type { TeamInEnvironment } from '../model/team-in-environment';

/** A service of a team, in an environment. */
export interface ServiceOfTeam {
  /** The team, in the environment. */
  readonly team: TeamInEnvironment;
  /** Name of the service, e.g. `fin-ledger-postings`. */
  readonly service: string;
}

/** How something is called in Kubernetes and in Azure. */
export interface ResourceName {
  /** Name of the Kubernetes object. */
  readonly objectName: string;
  /** Name in Azure. */
  readonly azureName: string;
}

/** How everything of a service is called. Has to give the same name each time. Kubernetes names, unless something else is said. */
export interface IServiceNaming {
  /** The identity of a service, in Azure and in Kubernetes. */
  serviceIdentity(service: ServiceOfTeam): string;
  /** The ConfigMap to which the identity exports its ids. */
  serviceIdentityExports(service: ServiceOfTeam): string;
  /**
   * A federated credential of the service's identity, in Azure and in Kubernetes: it trusts the service account `namespace/account` of the
   * cluster; `index` is its place among the identity's federated credentials.
   */
  serviceFederation(service: ServiceOfTeam, namespace: string, account: string, cluster: string, index: number): string;
  /** A queue; `name` is what the team calls it. All services of a team call it the same. */
  queue(team: TeamInEnvironment, name: string): ResourceName;
  /** A topic; `name` is what the team calls it. */
  topic(team: TeamInEnvironment, name: string): ResourceName;
  /** A subscription of a topic; both by what the team calls them. */
  subscription(team: TeamInEnvironment, topic: string, name: string): ResourceName;
  /** A rule of a subscription; all three by what the team calls them. */
  rule(team: TeamInEnvironment, topic: string, subscription: string, name: string): ResourceName;
  /** A database; `server` is the name of the shared server in Azure. */
  database(team: TeamInEnvironment, server: string, name: string): ResourceName;
  /** A secret of the shared Key Vault; `name` is what the team calls it. Its name in Azure. */
  keyVaultSecret(service: ServiceOfTeam, name: string): string;
  /** How long the team's name of a storage account may be: what is added to it has to find room in 24 characters. */
  storageAccountNameLimit(team: TeamInEnvironment): number;
  /** A storage account; `name` is what the team calls it. The name in Azure is the same for all services of the team. */
  storageAccount(service: ServiceOfTeam, name: string): ResourceName;
  /** The blob, file or table service of an account; `account` is its name in Azure. */
  storageService(service: ServiceOfTeam, account: string, kind: string): string;
  /** A container, share or table of an account; `account` is its name in Azure. */
  storageChild(service: ServiceOfTeam, account: string, name: string): ResourceName;
  /** A private endpoint of an account, in Azure and in Kubernetes; `subResource` is e.g. `blob`. */
  privateEndpoint(service: ServiceOfTeam, account: string, subResource: string): string;
  /** A record of an account in a private DNS zone that serves another region, `location`. */
  privateDnsRecord(service: ServiceOfTeam, account: string, zone: string, location: string): string;
  /**
   * A role of the service's identity; `resource` is the name in Azure of what it is on, `index` the place of the role among those that the
   * service has on it. Has to hold something of the environment: Azure's name is made from it, and is unique in the tenant.
   */
  serviceRole(service: ServiceOfTeam, resource: string, role: string, index: number): string;
}
