import type { StorageSubResource } from './storage-sub-resource';
import type { TrustedCertificates } from './trusted-certificates';
import type { IAzureResourceRef } from '../../core';

/**
 * What all teams share. It is referenced, never created: give what `fromArmId` gives, or a construct of the app (which is then
 * referred to by its ARM id, because teams live in other namespaces).
 */
export interface SharedServices {
  /**
   * The Service Bus namespace in which teams have their queues and topics.
   * @default - none: queues and topics are refused
   */
  readonly serviceBus?: IAzureResourceRef;

  /**
   * The PostgreSQL flexible server in which teams have their databases.
   * @default - none: databases are refused
   */
  readonly postgresServer?: IAzureResourceRef;

  /**
   * The App Configuration store.
   * @default - none
   */
  readonly appConfiguration?: IAzureResourceRef;

  /**
   * Client id, a UUID, of the identity that reads the App Configuration store.
   * @default - none
   */
  readonly appConfigurationReaderClientId?: string;

  /**
   * Certificates in the App Configuration store that every team's namespace gets.
   * @default - none
   */
  readonly trustedCertificates?: TrustedCertificates;

  /**
   * The Key Vault with the services' secrets.
   * @default - none: access to secrets is refused
   */
  readonly keyVault?: IAzureResourceRef;

  /**
   * The container registry.
   * @default - none
   */
  readonly containerRegistry?: IAzureResourceRef;

  /**
   * The Front Door endpoint (`Microsoft.Cdn/profiles/afdEndpoints`) on which teams have their routes; custom domains are on its profile.
   * @default - none: domains and routes are refused
   */
  readonly frontDoorEndpoint?: IAzureResourceRef;

  /**
   * Private access to what services create.
   * @default - none: public endpoints, as far as the service's own rules let anyone in
   */
  readonly privateAccess?: PrivateAccess;

  /**
   * Where the private DNS zones (`privatelink.…`) are, by region.
   * @default - none: private endpoints get no DNS zone group, and records in zones are refused
   */
  readonly privateDnsZones?: PrivateDnsZones[];
}

/** Private endpoints and their names. */
export interface PrivateAccess {
  /** The subnet in which private endpoints are made. */
  readonly subnet: IAzureResourceRef;

  /**
   * Which endpoints a storage account gets that does not ask for others.
   * @default [StorageSubResource.BLOB, StorageSubResource.TABLE]
   */
  readonly storage?: StorageSubResource[];
}

/** The private DNS zones of a region. */
export interface PrivateDnsZones {
  /** The region whose endpoints these zones serve, e.g. `uksouth`. */
  readonly location: string;
  /** The subscription that holds them, a UUID. */
  readonly subscriptionId: string;
  /** The resource group that holds them. */
  readonly resourceGroup: string;
}
