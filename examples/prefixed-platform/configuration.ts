import type { Cluster, TeamIdentities, TrustedCertificates } from 'cdk8s-aso/platform';

/** One environment in the platform's configuration: flat, with the names that its pipelines already use. */
export interface PlatformConfiguration {
  /** Name of the environment: `snd`, `dev`, `tst`, `pre`, `prd`. */
  readonly environment: string;
  /**
   * Instance of the environment, e.g. `01`.
   * @default - none
   */
  readonly environmentInstance?: string;
  /** The subscription, a UUID. */
  readonly subscriptionId: string;
  /** Name of the subscription; part of the names of role assignments, in lower case. */
  readonly subscriptionName: string;
  /** The Entra tenant, a UUID. */
  readonly tenantId: string;
  /**
   * The region.
   * @default uksouth
   */
  readonly location?: string;
  /** Name of the cluster, for tags. */
  readonly clusterName: string;
  /** The cluster's OpenID Connect issuer, with the trailing slash. */
  readonly clusterOidcIssuerUrl: string;
  /**
   * Further clusters of the environment.
   * @default - none
   */
  readonly moreClusters?: Cluster[];
  /**
   * Namespace of the operator.
   * @default azureserviceoperator-system
   */
  readonly operatorNamespace?: string;
  /**
   * Service account of the operator.
   * @default azureserviceoperator-default
   */
  readonly operatorServiceAccount?: string;
  /**
   * Client id, a UUID, of the identity of the cluster's operator.
   * @default - none: the platform's credential cannot be created
   */
  readonly operatorIdentityClientId?: string;
  /**
   * Namespace of the platform's own objects.
   * @default flux-config
   */
  readonly platformNamespace?: string;
  /**
   * Resource group of Service Bus, App Configuration, Key Vault and registry.
   * @default - none of these services
   */
  readonly sharedResourceGroup?: string;
  /**
   * The Service Bus namespace.
   * @default - none
   */
  readonly serviceBusNamespace?: string;
  /**
   * Resource group of the PostgreSQL server and of the database administrator's identity.
   * @default - none
   */
  readonly databaseResourceGroup?: string;
  /**
   * The PostgreSQL flexible server.
   * @default - none
   */
  readonly postgresServer?: string;
  /**
   * The App Configuration store.
   * @default - none
   */
  readonly appConfigurationName?: string;
  /**
   * Client id, a UUID, of the identity that reads the App Configuration store.
   * @default - none
   */
  readonly appConfigurationIdentityClientId?: string;
  /**
   * Certificates in the App Configuration store that are copied into every team's namespace.
   * @default - none
   */
  readonly trustedCertificates?: TrustedCertificates;
  /**
   * The Key Vault.
   * @default - none
   */
  readonly keyVaultName?: string;
  /**
   * The container registry.
   * @default - none
   */
  readonly containerRegistryName?: string;
  /**
   * Whether the operator acts for a team under another identity than the team's pods. Guard rails (`TeamOnboardingProps.policy`) need
   * `SEPARATE`.
   * @default TeamIdentities.SHARED
   */
  readonly teamIdentities?: TeamIdentities;
  /** Prefix of identity names. */
  readonly identityPrefix: string;
  /**
   * Prefix of storage account names, at most 15 characters.
   * @default - none
   */
  readonly storageAccountPrefix?: string;
  /**
   * SKU of storage accounts.
   * @default - the service's default
   */
  readonly storageAccountSku?: string;
  /**
   * Whether services get private endpoints.
   * @default false
   */
  readonly privateEndpoints?: boolean;
  /**
   * Prefix of private endpoint names.
   * @default - none
   */
  readonly privateEndpointPrefix?: string;
  /**
   * The subnet of private endpoints.
   * @default - none
   */
  readonly privateEndpointSubnet?: string;
  /**
   * The virtual network of that subnet.
   * @default - none
   */
  readonly virtualNetwork?: string;
  /**
   * Resource group of the virtual network.
   * @default - none
   */
  readonly virtualNetworkResourceGroup?: string;
  /**
   * The subscription of the private DNS zones, a UUID.
   * @default - the environment's
   */
  readonly privateDnsSubscriptionId?: string;
  /**
   * Resource group of the private DNS zones for each region.
   * @default - none
   */
  readonly privateDnsResourceGroups?: { [location: string]: string };
  /**
   * Id, a UUID, of the role of teams on the Service Bus namespace.
   * @default - none
   */
  readonly serviceBusRoleDefinitionId?: string;
  /**
   * Id, a UUID, of the role of teams on the PostgreSQL server.
   * @default - none
   */
  readonly databaseRoleDefinitionId?: string;
  /**
   * Id, a UUID, of the role for writing the data of a storage account.
   * @default - built-in roles
   */
  readonly storageDataWriterRoleDefinitionId?: string;
  /**
   * Id, a UUID, of the role for reading the data of a storage account.
   * @default - built-in roles
   */
  readonly storageDataReaderRoleDefinitionId?: string;
  /**
   * Service account of the platform's database administrator.
   * @default - none
   */
  readonly databaseAdministrator?: string;
  /**
   * Client id, a UUID, of the database administrator's identity.
   * @default - none
   */
  readonly databaseAdministratorClientId?: string;
}
