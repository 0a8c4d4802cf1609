import type { CatalogueEntry } from './catalogue-entry';
import type { SelfServiceOptions } from './self-service-options';

/** Self-service for a component of the catalogue. */
export interface ComponentPolicy {
  /**
   * Whether teams may create objects of the component's kinds. Otherwise they may only reference them.
   * @default - the component's default
   */
  readonly selfService?: boolean;

  /**
   * Whether teams may also create the component's base: the server of a database, the account of a container, the namespace of a queue,
   * the profile of a domain. Otherwise they may own resources below it, but not change it.
   * @default - the component's default
   */
  readonly managesBaseComponent?: boolean;
}

/** A catalogue of the components that most platforms offer, one by one, and the limits that do not depend on a kind. */
export interface ComponentPolicies extends SelfServiceOptions {
  /**
   * Further kinds, e.g. those of a `SharedService.custom`.
   * @default - none
   */
  readonly catalogue?: CatalogueEntry[];

  /**
   * Resource groups, which have no base. A team may create only its own group, and deleting the object deletes all resources in the
   * group.
   * @default - no self-service
   */
  readonly resourceGroups?: ComponentPolicy;

  /**
   * Databases of PostgreSQL flexible servers; based on the server, with its configurations and firewall rules.
   * @default - self-service; the platform manages the server
   */
  readonly databases?: ComponentPolicy;

  /**
   * Databases of MySQL flexible servers; based on the server, with its configurations and firewall rules.
   * @default - self-service; the platform manages the server
   */
  readonly mysqlDatabases?: ComponentPolicy;

  /**
   * Databases of SQL servers, new ones only, and how long their backups are kept; based on the server with elastic pools and firewall
   * rules.
   * @default - self-service; the platform manages the server
   */
  readonly sqlDatabases?: ComponentPolicy;

  /**
   * Databases and containers of Cosmos DB for NoSQL, new ones only, and their throughput; based on the account.
   * @default - self-service; the platform manages the account
   */
  readonly cosmosDatabases?: ComponentPolicy;

  /**
   * Event hubs and consumer groups; based on the Event Hubs namespace.
   * @default - self-service; the platform manages the namespace
   */
  readonly eventHubs?: ComponentPolicy;

  /**
   * User-assigned identities and federated credentials, which have no base.
   * @default - self-service
   */
  readonly managedIdentities?: ComponentPolicy;

  /**
   * Containers, shares, tables and queues with their services, and management policies; based on the storage account.
   * @default - self-service, and teams manage their accounts
   */
  readonly storageAccounts?: ComponentPolicy;

  /**
   * Queues, topics, subscriptions and rules; based on the Service Bus namespace.
   * @default - self-service; the platform manages the namespace
   */
  readonly serviceBus?: ComponentPolicy;

  /**
   * Role assignments, which have no base. Teams can grant `roles` to their identities, if their credential allows it.
   * @default - self-service
   */
  readonly roleAssignments?: ComponentPolicy;

  /**
   * Custom domains, with host names of the team, routes, origin groups and origins of Front Door; based on profile and endpoint.
   * @default - self-service; the platform manages the profile
   */
  readonly frontDoor?: ComponentPolicy;

  /**
   * Record sets (A, AAAA, CNAME, TXT) in shared public DNS zones, with names below the host names of the team. The operator's identity of
   * the team needs a role on the zone for it; `Service` writes records without one.
   * @default - no self-service
   */
  readonly dnsRecords?: ComponentPolicy;
}
