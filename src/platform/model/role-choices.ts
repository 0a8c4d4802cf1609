import type { IAzureResourceRef } from '../../core';

/**
 * The roles that an environment assigns: `BuiltInRole`s, `BuiltInRole.custom(id)`, or role definitions of the app. The roles on Service
 * Bus and PostgreSQL have no default on purpose: the built-in roles that may create queues or databases may also delete the whole service.
 */
export interface RoleChoices {
  /**
   * Role of a team on its own resource group.
   * @default BuiltInRole.CONTRIBUTOR
   */
  readonly resourceGroup?: IAzureResourceRef;

  /**
   * Role of a team on the shared Service Bus namespace. It must allow to read and write queues, topics, subscriptions and rules.
   * @default - none: a team that uses the Service Bus is an error
   */
  readonly serviceBus?: IAzureResourceRef;

  /**
   * Role of a team on the shared PostgreSQL server. It must allow to read and write databases.
   * @default - none: a team that uses the server is an error
   */
  readonly database?: IAzureResourceRef;

  /**
   * Whether that role allows teams to delete queues and topics. If not, these get the reconcile policy `detach-on-delete`: the operator
   * would otherwise retry their deletion forever.
   * @default false
   */
  readonly serviceBusMayDelete?: boolean;

  /**
   * Whether the role on the PostgreSQL server allows teams to delete databases. If not, these get the reconcile policy `detach-on-delete`.
   * @default false
   */
  readonly databaseMayDelete?: boolean;

  /**
   * Role of a team on the shared App Configuration store.
   * @default BuiltInRole.APP_CONFIGURATION_DATA_READER
   */
  readonly appConfiguration?: IAzureResourceRef;

  /**
   * Role for writing the data of a storage account.
   * @default - the built-in roles for the data of blobs, tables and files
   */
  readonly storageDataWriter?: IAzureResourceRef;

  /**
   * Role for reading the data of a storage account.
   * @default - the built-in roles for the data of blobs, tables and files
   */
  readonly storageDataReader?: IAzureResourceRef;
}
