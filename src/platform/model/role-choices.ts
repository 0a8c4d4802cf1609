import type { IAzureResourceRef } from '../../core';

/**
 * Which roles an environment gives: `BuiltInRole`s, `BuiltInRole.custom(id)`, or role definitions of the app. What shared services grant
 * has no default on purpose: the built-in roles that may create queues or databases may delete the whole service as well.
 */
export interface RoleChoices {
  /**
   * A team on its own resource group.
   * @default BuiltInRole.CONTRIBUTOR
   */
  readonly resourceGroup?: IAzureResourceRef;

  /**
   * A team on the shared Service Bus namespace: has to read and write queues, topics, subscriptions and rules.
   * @default - none: a team that uses the Service Bus is an error
   */
  readonly serviceBus?: IAzureResourceRef;

  /**
   * A team on the shared PostgreSQL server: has to read and write databases.
   * @default - none: a team that uses the server is an error
   */
  readonly database?: IAzureResourceRef;

  /**
   * Whether that role lets teams delete queues and topics. Where not, these get the reconcile policy `detach-on-delete`: their deletion
   * would otherwise be tried for ever.
   * @default false
   */
  readonly serviceBusMayDelete?: boolean;

  /**
   * Whether the role on the PostgreSQL server lets teams delete databases. Where not, these get the reconcile policy `detach-on-delete`.
   * @default false
   */
  readonly databaseMayDelete?: boolean;

  /**
   * A team on the shared App Configuration store.
   * @default BuiltInRole.APP_CONFIGURATION_DATA_READER
   */
  readonly appConfiguration?: IAzureResourceRef;

  /**
   * Who writes the data of a storage account.
   * @default - the built-in roles for the data of blobs, tables and files
   */
  readonly storageDataWriter?: IAzureResourceRef;

  /**
   * Who reads the data of a storage account.
   * @default - the built-in roles for the data of blobs, tables and files
   */
  readonly storageDataReader?: IAzureResourceRef;
}
