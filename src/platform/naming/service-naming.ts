import type { SharedService } from '../model/shared-service';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** A service of a team, in an environment. */
export interface ServiceOfTeam {
  /** The team, in the environment. */
  readonly team: TeamInEnvironment;
  /** Name of the service, e.g. `fin-ledger-postings`. */
  readonly service: string;
}

/** A resource of a team in a shared service. */
export interface SharedResourceOfTeam {
  /** The team, in the environment. */
  readonly team: TeamInEnvironment;
  /** The shared service. */
  readonly service: SharedService;
  /** Kind of the resource, e.g. `NamespacesQueue`. */
  readonly kind: string;
  /** The team's name for the resource, common to all services of the team. */
  readonly name: string;
}

/** The names of a resource in Kubernetes and in Azure. */
export interface ResourceName {
  /** Name of the Kubernetes object. */
  readonly objectName: string;
  /** Name in Azure. */
  readonly azureName: string;
}

/** Names for the objects of a service. Every method must be deterministic, and returns Kubernetes names unless stated otherwise. */
export interface IServiceNaming {
  /** The identity of a service, in Azure and in Kubernetes. */
  serviceIdentity(service: ServiceOfTeam): string;
  /** The ConfigMap to which the identity exports its ids. */
  serviceIdentityExports(service: ServiceOfTeam): string;
  /**
   * A federated credential of the service's identity, in Azure and in Kubernetes: it trusts the service account `namespace/account` of the
   * cluster; `index` is its position among the identity's federated credentials.
   */
  serviceFederation(service: ServiceOfTeam, namespace: string, account: string, cluster: string, index: number): string;
  /**
   * A resource in a shared service: a queue, topic, database, event hub … The Azure name must begin with a prefix that no other team has,
   * because all teams share the service.
   */
  sharedResource(resource: SharedResourceOfTeam): ResourceName;
  /** A resource within a resource in a shared service, e.g. a consumer group of an event hub; `name` is the team's name for it. */
  sharedChild(parent: SharedResourceOfTeam, kind: string, name: string): ResourceName;
  /** A subscription of a topic; `name` is the team's name for it. */
  subscription(topic: SharedResourceOfTeam, name: string): ResourceName;
  /** A rule of a subscription, both by the team's names. */
  rule(topic: SharedResourceOfTeam, subscription: string, name: string): ResourceName;
  /** The Azure name of a secret in the shared Key Vault; `name` is the team's name for it. */
  keyVaultSecret(service: ServiceOfTeam, name: string): string;
  /** Maximum length of the team's name for a storage account: the strategy's additions must fit into 24 characters with it. */
  storageAccountNameLimit(team: TeamInEnvironment): number;
  /** A storage account; `name` is the team's name for it. The Azure name is the same for all services of the team. */
  storageAccount(service: ServiceOfTeam, name: string): ResourceName;
  /** The blob, file or table service of an account; `account` is the account's Azure name. */
  storageService(service: ServiceOfTeam, account: string, kind: string): string;
  /** A container, share or table of an account; `account` is the account's Azure name. */
  storageChild(service: ServiceOfTeam, account: string, name: string): ResourceName;
  /** A private endpoint of an account, in Azure and in Kubernetes; `subResource` is e.g. `blob`. */
  privateEndpoint(service: ServiceOfTeam, account: string, subResource: string): string;
  /** A record of an account in a private DNS zone of another region, `location`. */
  privateDnsRecord(service: ServiceOfTeam, account: string, zone: string, location: string): string;
  /** A record set in a shared public DNS zone; `name` is relative to the zone, `type` is e.g. `CNAME`. */
  dnsRecord(service: ServiceOfTeam, zone: string, name: string, type: string): string;
  /**
   * A role of the service's identity; `resource` is the Azure name of the role's scope, `index` the position of the role among the
   * service's roles on it. The name must contain a part of the environment: Azure's name is derived from it, and is unique in the tenant.
   */
  serviceRole(service: ServiceOfTeam, resource: string, role: string, index: number): string;
}
