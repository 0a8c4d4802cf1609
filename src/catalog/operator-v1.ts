/**
 * The kinds of Azure Service Operator v1 (`azure.microsoft.com`), which was deleted in favour of v2: those of its last release, under their
 * own spelling, and those that earlier releases had.
 * @see https://github.com/Azure/azure-service-operator/tree/v1.0.59840/api
 * @see https://azure.github.io/azure-service-operator/guide/asov1-asov2-migration/
 */
export const OPERATOR_V1 = 'azure.microsoft.com';

/** A kind of v1, and those that have taken its place. */
export interface ReplacedKind {
  /** As v1 spelled it. */
  readonly kind: string;
  /** Service and kind of v2: first the one that is the same resource, then those that were a part of it. Empty: there is none. */
  readonly by: readonly string[];
  /** Whether `upgrade-check --fix` leaves it to people. */
  readonly byHand?: true;
  /** The way to it, or what to do where there is none. */
  readonly note?: string;
}

const SINGLE_SERVER = 'v1 had single servers, which Azure has retired: migrate it to a flexible server';
const NO_USER = 'v2 has no user of an identity in an Azure SQL database: databases.aso.cdk8s.io/v1, kind DatabaseAccess of this package gives access';

const KINDS: readonly ReplacedKind[] = [
  { kind: 'APIMgmtAPI', by: ['apimanagement/Api'], byHand: true },
  { kind: 'ApimService', by: ['apimanagement/Service'], byHand: true },
  { kind: 'AppInsights', by: ['insights/Component'] },
  { kind: 'AppInsightsApiKey', by: [], note: 'v2 has no keys of Application Insights; az monitor app-insights api-key create makes one' },
  { kind: 'AzureLoadBalancer', by: ['network/LoadBalancer'], byHand: true },
  { kind: 'AzureNetworkInterface', by: ['network/NetworkInterface'], byHand: true },
  { kind: 'AzurePublicIPAddress', by: ['network/PublicIPAddress'] },
  { kind: 'AzureSqlAction', by: [], note: 'it changed the password of an administrator: write another one into the Secret of administratorLoginPassword of the Server' },
  { kind: 'AzureSqlDatabase', by: ['sql/ServersDatabase'] },
  { kind: 'AzureSqlFailoverGroup', by: ['sql/ServersFailoverGroup'] },
  { kind: 'AzureSqlFirewallRule', by: ['sql/ServersFirewallRule'] },
  { kind: 'AzureSQLManagedUser', by: [], note: NO_USER },
  { kind: 'AzureSqlServer', by: ['sql/Server'] },
  { kind: 'AzureSQLUser', by: ['sql/User'] },
  { kind: 'AzureSQLVNetRule', by: ['sql/ServersVirtualNetworkRule'] },
  { kind: 'AzureVirtualMachine', by: ['compute/VirtualMachine'], byHand: true },
  { kind: 'AzureVirtualMachineExtension', by: ['compute/VirtualMachinesExtension'], byHand: true },
  { kind: 'AzureVMScaleSet', by: ['compute/VirtualMachineScaleSet'], byHand: true },
  { kind: 'BlobContainer', by: ['storage/StorageAccountsBlobServicesContainer', 'storage/StorageAccountsBlobService'] },
  { kind: 'ConsumerGroup', by: ['eventhub/NamespacesEventhubsConsumerGroup'] },
  { kind: 'CosmosDB', by: ['documentdb/DatabaseAccount'] },
  { kind: 'CosmosDBSQLDatabase', by: ['documentdb/SqlDatabase'] },
  { kind: 'Eventhub', by: ['eventhub/NamespacesEventhub', 'eventhub/NamespacesEventhubsAuthorizationRule'] },
  { kind: 'EventhubNamespace', by: ['eventhub/Namespace'] },
  { kind: 'KeyVault', by: ['keyvault/Vault'] },
  { kind: 'KeyVaultKey', by: [], note: 'v2 has no keys of a vault; az keyvault key create makes one' },
  { kind: 'MySQLAADUser', by: ['dbformysql/User'], byHand: true },
  { kind: 'MySQLDatabase', by: ['dbformysql/FlexibleServersDatabase'] },
  { kind: 'MySQLFirewallRule', by: ['dbformysql/FlexibleServersFirewallRule'] },
  { kind: 'MySQLServer', by: ['dbformysql/FlexibleServer'], note: SINGLE_SERVER },
  { kind: 'MySQLServerAdministrator', by: ['dbformysql/FlexibleServersAdministrator'], byHand: true },
  { kind: 'MySQLUser', by: ['dbformysql/User'] },
  { kind: 'MySQLVNetRule', by: [], note: 'flexible servers have no rules for networks: network.delegatedSubnetResourceReference of the FlexibleServer puts it into one' },
  { kind: 'PostgreSQLDatabase', by: ['dbforpostgresql/FlexibleServersDatabase'] },
  { kind: 'PostgreSQLFirewallRule', by: ['dbforpostgresql/FlexibleServersFirewallRule'] },
  { kind: 'PostgreSQLServer', by: ['dbforpostgresql/FlexibleServer'], note: SINGLE_SERVER },
  { kind: 'PostgreSQLUser', by: ['dbforpostgresql/User'] },
  { kind: 'PostgreSQLVNetRule', by: [], note: 'flexible servers have no rules for networks: network.delegatedSubnetResourceReference of the FlexibleServer puts it into one' },
  { kind: 'RedisCache', by: ['cache/Redis'] },
  { kind: 'RedisCacheAction', by: [], note: 'it restarted a cache once; az redis force-reboot does' },
  { kind: 'RedisCacheFirewallRule', by: ['cache/RedisFirewallRule'] },
  { kind: 'ResourceGroup', by: ['resources/ResourceGroup'] },
  { kind: 'StorageAccount', by: ['storage/StorageAccount'] },
  { kind: 'VirtualNetwork', by: ['network/VirtualNetwork', 'network/VirtualNetworksSubnet'] },
  // Of releases before the last.
  { kind: 'AzureDataLakeGen2FileSystem', by: ['storage/StorageAccountsBlobServicesContainer'] },
  { kind: 'SqlAction', by: [], note: 'it changed the password of an administrator: write another one into the Secret of administratorLoginPassword of the Server' },
  { kind: 'SqlDatabase', by: ['sql/ServersDatabase'] },
  { kind: 'SqlFirewallRule', by: ['sql/ServersFirewallRule'] },
  { kind: 'SqlServer', by: ['sql/Server'] },
  { kind: 'Storage', by: ['storage/StorageAccount'] },
];

const BY_NAME: ReadonlyMap<string, ReplacedKind> = new Map(KINDS.map((one) => [one.kind.toLowerCase(), one]));

/** All kinds of v1. */
export const OPERATOR_V1_KINDS: readonly string[] = KINDS.map(({ kind }) => kind);

/** The replacement of a kind of v1, in whatever case it is written; undefined where v1 had no such kind. */
export function replacedKind(kind: string): ReplacedKind | undefined {
  return BY_NAME.get(kind.toLowerCase());
}
