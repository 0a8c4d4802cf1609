import type { Lifecycle } from './lifecycle';
import type { StorageRole } from './roles';
import type { DeleteRetentionPolicy } from '../../services/storage/shared';
import type { StorageAccountAccessTier } from '../../services/storage/storage-account';
import type { ChangeFeed, RestorePolicyProperties } from '../../services/storage/storage-accounts-blob-service';
import type { StorageAccountsFileServicesShareAccessTier } from '../../services/storage/storage-accounts-file-services-share';
import type { StorageSubResource } from '../model/storage-sub-resource';

/** A blob container without public access. */
export interface ContainerRequest {
  /** Name of the container: 3 to 63 lower-case letters, digits and single hyphens. */
  readonly name: string;
}

/** Settings of a file share. Its protocol is SMB. */
export interface FileShareOptions {
  /**
   * Access tier.
   * @default StorageAccountsFileServicesShareAccessTier.TRANSACTION_OPTIMIZED
   */
  readonly accessTier?: StorageAccountsFileServicesShareAccessTier;
  /**
   * Size in GiB.
   * @default 10
   */
  readonly shareQuota?: number;
}

/** A file share. */
export interface FileShareRequest extends FileShareOptions {
  /** Name of the share: 3 to 63 lower-case letters, digits and single hyphens. */
  readonly name: string;
}

/** Settings of an account's blobs. */
export interface BlobServiceOptions {
  /**
   * Log of all changes; `retentionInDays` is required if enabled.
   * @default - off
   */
  readonly changeFeed?: ChangeFeed;
  /**
   * Time for which deleted containers can be restored.
   * @default - 7 days
   */
  readonly containerDeleteRetentionPolicy?: DeleteRetentionPolicy;
  /**
   * Time for which deleted blobs can be restored.
   * @default - 7 days, without permanent deletion before that
   */
  readonly deleteRetentionPolicy?: DeleteRetentionPolicy;
  /**
   * Restore to a point in time; `days` is required if enabled. Azure requires change feed, versioning and soft delete of blobs for more
   * days.
   * @default - off
   */
  readonly restorePolicy?: RestorePolicyProperties;
  /**
   * Whether earlier versions of blobs are kept.
   * @default false
   */
  readonly isVersioningEnabled?: boolean;
}

/** Settings of an account's file shares. */
export interface FileServiceOptions {
  /**
   * Time for which deleted shares can be restored.
   * @default - 7 days
   */
  readonly shareDeleteRetentionPolicy?: DeleteRetentionPolicy;
}

/** Settings of a storage account, the service's roles on its data, and its contents. */
export interface StorageAccountOptions extends Lifecycle {
  /**
   * Whether the service owns the account. If not, another service of the same team owns it; this service gets roles, and creates
   * containers, tables and shares.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * The service's roles on the account's data.
   * @default - none
   */
  readonly roles?: StorageRole[];
  /**
   * Region.
   * @default - that of the resource group
   */
  readonly location?: string;
  /**
   * SKU, e.g. `Standard_ZRS`.
   * @default - the environment's
   */
  readonly sku?: string;
  /**
   * Name of the team's resource group that has the account.
   * @default - the first of the team's groups
   */
  readonly resourceGroup?: string;
  /**
   * Access tier of blobs without one of their own.
   * @default StorageAccountAccessTier.HOT
   */
  readonly accessTier?: StorageAccountAccessTier;
  /**
   * Whether clients may use the account's keys.
   * @default false
   */
  readonly allowSharedKeyAccess?: boolean;
  /**
   * Whether blobs may be replicated to accounts of other tenants.
   * @default false
   */
  readonly allowCrossTenantReplication?: boolean;
  /**
   * Whether the portal uses Entra rather than the account's keys.
   * @default true
   */
  readonly defaultToOAuthAuthentication?: boolean;
  /**
   * Whether blobs are in folders (Data Lake Storage). Cannot be changed.
   * @default - Azure's default: false
   */
  readonly hierarchicalNamespace?: boolean;
  /**
   * Public addresses that may access the account: IPv4 addresses or ranges such as `203.0.113.0/29`. All others are denied.
   * @default - without private endpoints all addresses, with private endpoints none
   */
  readonly allowedIpRanges?: string[];
  /**
   * Whether the account is accessible through private endpoints only.
   * @default - true if the environment has private access
   */
  readonly privateAccess?: boolean;
  /**
   * Sub-resources with a private endpoint, with `privateAccess`.
   * @default - the environment's, else blobs and tables
   */
  readonly privateEndpoints?: StorageSubResource[];
  /**
   * Blob containers.
   * @default - none
   */
  readonly containers?: ContainerRequest[];
  /**
   * Tables, by name.
   * @default - none
   */
  readonly tables?: string[];
  /**
   * File shares.
   * @default - none
   */
  readonly fileShares?: FileShareRequest[];
  /**
   * Settings of blobs.
   * @default - the default of each setting
   */
  readonly blobService?: BlobServiceOptions;
  /**
   * Settings of file shares.
   * @default - the default of each setting
   */
  readonly fileService?: FileServiceOptions;
  /**
   * Tags of the account and its endpoints besides those of environment, team and service.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
}

/** A storage account of a service. */
export interface StorageAccountRequest extends StorageAccountOptions {
  /** The team's name for the account: letters and digits, at most 9 to 11 depending on the naming strategy. */
  readonly name: string;
}
