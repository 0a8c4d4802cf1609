import type { IAzureResourceRef } from '../../core';

/**
 * The roles that an environment assigns: `BuiltInRole`s, `BuiltInRole.custom(id)`, or role definitions of the app. The roles on shared
 * services are with these (`SharedServiceProps.role`).
 */
export interface RoleChoices {
  /**
   * Role of a team on its own resource group.
   * @default BuiltInRole.CONTRIBUTOR
   */
  readonly resourceGroup?: IAzureResourceRef;

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
