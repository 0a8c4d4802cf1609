import type { StorageSubResource } from './storage-sub-resource';
import type { TrustedCertificates } from './trusted-certificates';
import type { IAzureResourceRef } from '../../core';

/**
 * The services that all teams share. They are referenced, never created: pass the result of `fromArmId`, or a construct of the app (which
 * is then referenced by its ARM id, because teams are in other namespaces).
 */
export interface SharedServices {
  /**
   * The Service Bus namespace for the teams' queues and topics.
   * @default - none: queues and topics are rejected
   */
  readonly serviceBus?: IAzureResourceRef;

  /**
   * The PostgreSQL flexible server for the teams' databases.
   * @default - none: databases are rejected
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
   * Certificates in the App Configuration store that are copied into every team's namespace.
   * @default - none
   */
  readonly trustedCertificates?: TrustedCertificates;

  /**
   * The Key Vault with the services' secrets.
   * @default - none: access to secrets is rejected
   */
  readonly keyVault?: IAzureResourceRef;

  /**
   * The container registry.
   * @default - none
   */
  readonly containerRegistry?: IAzureResourceRef;

  /**
   * The Front Door endpoint (`Microsoft.Cdn/profiles/afdEndpoints`) for the teams' routes; custom domains are on its profile.
   * @default - none: domains and routes are rejected
   */
  readonly frontDoorEndpoint?: IAzureResourceRef;

  /**
   * Private access to the resources of services.
   * @default - none: public endpoints, within the limits of the service's own network rules
   */
  readonly privateAccess?: PrivateAccess;

  /**
   * The private DNS zones (`privatelink.…`) by region.
   * @default - none: private endpoints get no DNS zone group, and records in zones are rejected
   */
  readonly privateDnsZones?: PrivateDnsZones[];
}

/** Settings of private endpoints. */
export interface PrivateAccess {
  /** The subnet for private endpoints. */
  readonly subnet: IAzureResourceRef;

  /**
   * Default private endpoints of a storage account.
   * @default [StorageSubResource.BLOB, StorageSubResource.TABLE]
   */
  readonly storage?: StorageSubResource[];
}

/** The private DNS zones of a region. */
export interface PrivateDnsZones {
  /** The region whose endpoints these zones serve, e.g. `uksouth`. */
  readonly location: string;
  /** The subscription that contains the zones, a UUID. */
  readonly subscriptionId: string;
  /** The resource group that contains the zones. */
  readonly resourceGroup: string;
}
