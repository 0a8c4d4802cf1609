import type { SelfServiceOptions } from './self-service-options';

/** Whether teams serve themselves with a component of the catalogue. */
export interface ComponentPolicy {
  /**
   * Whether teams create objects of the component's kinds. Otherwise they may only refer to them.
   * @default - as the component has it
   */
  readonly selfService?: boolean;

  /**
   * Whether teams also create what the component is based on: the server of a database, the account of a container, the namespace of a queue,
   * the profile of a domain. Otherwise they may own below it, and not touch it.
   * @default - as the component has it
   */
  readonly managesBaseComponent?: boolean;
}

/** The model platform's catalogue, component by component, and the limits that do not depend on a kind. */
export interface ModelPlatformPolicyProps extends SelfServiceOptions {
  /**
   * Resource groups, which are based on nothing. A team that creates one can only create its own, and who deletes the object deletes all that is
   * in it.
   * @default - no self-service
   */
  readonly resourceGroups?: ComponentPolicy;

  /**
   * Databases of PostgreSQL flexible servers; based on the server, with its configurations and firewall rules.
   * @default - self-service; the platform manages the server
   */
  readonly databases?: ComponentPolicy;

  /**
   * User-assigned identities and federated credentials, which are based on nothing.
   * @default - self-service
   */
  readonly managedIdentities?: ComponentPolicy;

  /**
   * Containers, shares, tables and queues with the services that hold them, and management policies; based on the storage account.
   * @default - self-service, and teams manage their accounts
   */
  readonly storageAccounts?: ComponentPolicy;

  /**
   * Queues, topics, subscriptions and rules; based on the Service Bus namespace.
   * @default - self-service; the platform manages the namespace
   */
  readonly serviceBus?: ComponentPolicy;

  /**
   * Role assignments, which are based on nothing. Teams can grant `roles` to their identities, where their credential may.
   * @default - self-service
   */
  readonly roleAssignments?: ComponentPolicy;

  /**
   * Custom domains and routes of Front Door; based on profile, endpoint, origin groups and origins.
   * @default - self-service; the platform manages the profile
   */
  readonly frontDoor?: ComponentPolicy;
}
