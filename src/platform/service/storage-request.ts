import type { Lifecycle } from './lifecycle';
import type { StorageRole } from './roles';
import type { DeleteRetentionPolicy } from '../../services/storage/shared';
import type { StorageAccountAccessTier } from '../../services/storage/storage-account';
import type { ChangeFeed, RestorePolicyProperties } from '../../services/storage/storage-accounts-blob-service';
import type { StorageAccountsFileServicesShareAccessTier } from '../../services/storage/storage-accounts-file-services-share';
import type { StorageSubResource } from '../model/storage-sub-resource';

/** A blob container. Never public. */
export interface ContainerRequest {
  /** Name of the container: 3 to 63 lower-case letters, digits and single hyphens. */
  readonly name: string;
}

/** What a file share is like. Its protocol is SMB. */
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
   * Log of all changes; `retentionInDays` is required when it is on.
   * @default - off
   */
  readonly changeFeed?: ChangeFeed;
  /**
   * How long deleted containers can be brought back.
   * @default - 7 days
   */
  readonly containerDeleteRetentionPolicy?: DeleteRetentionPolicy;
  /**
   * How long deleted blobs can be brought back.
   * @default - 7 days, and nobody may delete them for good before
   */
  readonly deleteRetentionPolicy?: DeleteRetentionPolicy;
  /**
   * Restore to a point in time; `days` is required when it is on. Azure wants change feed, versioning and soft delete of blobs for more days.
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
   * How long deleted shares can be brought back.
   * @default - 7 days
   */
  readonly shareDeleteRetentionPolicy?: DeleteRetentionPolicy;
}

/** What a storage account is like, who may use it, and what is in it. */
export interface StorageAccountOptions extends Lifecycle {
  /**
   * Whether the service has the account. If not, it is another service's of the same team: roles are given; containers, tables and shares
   * are made.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * What the service may do with the account's data.
   * @default - nothing
   */
  readonly roles?: StorageRole[];
  /**
   * Region.
   * @default - the environment's
   */
  readonly location?: string;
  /**
   * SKU, e.g. `Standard_ZRS`.
   * @default - the environment's
   */
  readonly sku?: string;
  /**
   * Access tier of blobs that have none of their own.
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
   * @default - left to Azure: no
   */
  readonly hierarchicalNamespace?: boolean;
  /**
   * Public addresses that may use the account: IPv4 addresses or ranges such as `203.0.113.0/29`. All others may not.
   * @default - without private endpoints everybody with a role, with them nobody
   */
  readonly allowedIpRanges?: string[];
  /**
   * Whether the account is reached by private endpoints, and not from the internet.
   * @default - whether the environment has private access
   */
  readonly privateAccess?: boolean;
  /**
   * Which endpoints it gets then.
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
   * @default - as each setting says
   */
  readonly blobService?: BlobServiceOptions;
  /**
   * Settings of file shares.
   * @default - as each setting says
   */
  readonly fileService?: FileServiceOptions;
  /**
   * Tags of the account and its endpoints besides those of environment, team and service.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
}

/** A storage account that a service asks for. */
export interface StorageAccountRequest extends StorageAccountOptions {
  /** What the team calls the account: letters and digits, 9 to 11 as the naming strategy allows. */
  readonly name: string;
}
