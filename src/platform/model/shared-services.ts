import type { SharedService } from './shared-service';
import type { StorageSubResource } from './storage-sub-resource';
import type { TrustedCertificates } from './trusted-certificates';
import type { IAzureResourceRef } from '../../core';

/** The services and the network that all teams share. They are referenced, never created. */
export interface SharedServices {
  /**
   * The shared services, several of one type too: `[SharedService.serviceBus({ resource })]`.
   * @default - none
   */
  readonly services?: SharedService[];

  /**
   * Client id, a UUID, of the identity that reads the App Configuration stores.
   * @default - none
   */
  readonly appConfigurationReaderClientId?: string;

  /**
   * Certificates in an App Configuration store that are copied into every team's namespace.
   * @default - none
   */
  readonly trustedCertificates?: TrustedCertificates;

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
