import type { SharedResourceKind } from './shared-resource-kind';
import { SharedRole } from './shared-role';
import { TeamIdentity } from './team-identities';
import { BuiltInRole } from '../../core';
import type { IAzureResourceRef } from '../../core';

/** The facts of a type of shared service. */
export interface SharedServiceType {
  /** The default name of a shared service of the type. */
  readonly name: string;
  /** ARM type of the resource. */
  readonly armType: string;
  /** The resource in messages. */
  readonly what: string;
  /** The role of a team, if a built-in role is narrow enough. */
  readonly role?: IAzureResourceRef;
  /** The identity that gets the role. */
  readonly to?: TeamIdentity;
  /** Whether a team that uses the service needs a role on it, because the operator creates resources in it on the team's behalf. */
  readonly needsRole: boolean;
  /** The kinds of resources that services can ask for. */
  readonly resources: readonly SharedResourceKind[];
  /** The roles that services can ask for on the whole service. */
  readonly roles: readonly SharedRole[];
}

export const SERVICE_BUS = 'Microsoft.ServiceBus/namespaces';
export const POSTGRES = 'Microsoft.DBforPostgreSQL/flexibleServers';
export const KEY_VAULT = 'Microsoft.KeyVault/vaults';
export const APP_CONFIGURATION = 'Microsoft.AppConfiguration/configurationStores';
/** In lower case. */
export const FRONT_DOOR_ENDPOINT = 'microsoft.cdn/profiles/afdendpoints';
export const DNS_ZONE = 'Microsoft.Network/dnsZones';
export const CONTAINER_REGISTRY = 'Microsoft.ContainerRegistry/registries';

const { assignment, access } = SharedRole;

/**
 * Only keys that begin with the team's namespace and a colon, which no namespace contains. The commands that list the keys of all teams are
 * left out.
 */
const redisRole = (name: string, commands: string): SharedRole => access(name, [
  {
    group: 'cache.azure.com',
    kind: 'RedisAccessPolicy',
    properties: {
      azureName: '{access}',
      permissions: `${commands} -scan -randomkey +cluster|info +cluster|nodes +cluster|slots ~{namespace}:*`,
    },
  },
  {
    group: 'cache.azure.com',
    kind: 'RedisAccessPolicyAssignment',
    principal: 'objectIdFromConfig',
    // https://github.com/Azure/AzureCacheForRedis/issues/14
    exclusive: true,
    properties: { azureName: '{access}', accessPolicyName: '{access}', objectIdAlias: '{access}' },
  },
]);

/** @see https://learn.microsoft.com/azure/cosmos-db/nosql/security/how-to-grant-data-plane-role-based-access */
const cosmosRole = (name: string, definition: number): SharedRole => access(name, [{
  group: 'documentdb.azure.com',
  kind: 'SqlRoleAssignment',
  principal: 'principalIdFromConfig',
  properties: {
    roleDefinitionId: `{service}/sqlRoleDefinitions/00000000-0000-0000-0000-00000000000${definition}`,
    scope: '{service}/dbs/{name}',
  },
}]);

/** The table of shared services. A type more is an entry more. */
export const SHARED_SERVICE_TYPES = {
  serviceBus: {
    name: 'service-bus',
    armType: SERVICE_BUS,
    what: 'Service Bus namespace',
    needsRole: true,
    roles: [],
    resources: [
      {
        group: 'servicebus.azure.com',
        kind: 'NamespacesQueue',
        roles: [
          assignment('QueueSender', BuiltInRole.SERVICE_BUS_DATA_SENDER),
          assignment('QueueReceiver', BuiltInRole.SERVICE_BUS_DATA_RECEIVER),
        ],
        defaults: {
          deadLetteringOnMessageExpiration: false,
          defaultMessageTimeToLive: 'P14D',
          duplicateDetectionHistoryTimeWindow: 'PT10M',
          enableBatchedOperations: true,
          enableExpress: false,
          enablePartitioning: false,
          lockDuration: 'PT1M',
          maxDeliveryCount: 10,
          maxMessageSizeInKilobytes: 1024,
          maxSizeInMegabytes: 1024,
          requiresDuplicateDetection: false,
          requiresSession: false,
        },
      },
      {
        group: 'servicebus.azure.com',
        kind: 'NamespacesTopic',
        roles: [
          assignment('TopicSender', BuiltInRole.SERVICE_BUS_DATA_SENDER),
          assignment('TopicReceiver', BuiltInRole.SERVICE_BUS_DATA_RECEIVER),
        ],
        defaults: {
          defaultMessageTimeToLive: 'P14D',
          duplicateDetectionHistoryTimeWindow: 'PT10M',
          enableBatchedOperations: true,
          enableExpress: false,
          enablePartitioning: false,
          maxMessageSizeInKilobytes: 1024,
          maxSizeInMegabytes: 1024,
          requiresDuplicateDetection: false,
          supportOrdering: true,
        },
      },
    ],
  },
  eventHubs: {
    name: 'event-hubs',
    armType: 'Microsoft.EventHub/namespaces',
    what: 'Event Hubs namespace',
    needsRole: true,
    roles: [],
    resources: [{
      group: 'eventhub.azure.com',
      kind: 'NamespacesEventhub',
      roles: [
        assignment('EventHubSender', BuiltInRole.fromName('Azure Event Hubs Data Sender')),
        assignment('EventHubReceiver', BuiltInRole.fromName('Azure Event Hubs Data Receiver')),
      ],
      // One day is all that the Basic tier keeps.
      defaults: { partitionCount: 4, messageRetentionInDays: 1 },
      children: [{ group: 'eventhub.azure.com', kind: 'NamespacesEventhubsConsumerGroup' }],
    }],
  },
  postgresServer: {
    name: 'postgres',
    armType: POSTGRES,
    what: 'PostgreSQL server',
    needsRole: true,
    roles: [],
    resources: [{ group: 'dbforpostgresql.azure.com', kind: 'FlexibleServersDatabase' }],
  },
  mysqlServer: {
    name: 'mysql',
    armType: 'Microsoft.DBforMySQL/flexibleServers',
    what: 'MySQL server',
    needsRole: true,
    roles: [],
    resources: [{
      group: 'dbformysql.azure.com',
      kind: 'FlexibleServersDatabase',
      defaults: { charset: 'utf8mb4', collation: 'utf8mb4_0900_ai_ci' },
    }],
  },
  sqlServer: {
    name: 'sql',
    armType: 'Microsoft.Sql/servers',
    what: 'SQL server',
    // The role manages databases, and neither the server nor their data.
    role: BuiltInRole.fromName('SQL DB Contributor'),
    needsRole: true,
    roles: [],
    resources: [{
      group: 'sql.azure.com',
      kind: 'ServersDatabase',
      // Without a SKU Azure creates two virtual cores of General Purpose.
      defaults: { sku: { name: 'S0' } },
      // The other modes read a database of the server, which may be another team's.
      fixed: { createMode: 'Default' },
    }],
  },
  cosmosDb: {
    name: 'cosmos-db',
    armType: 'Microsoft.DocumentDB/databaseAccounts',
    what: 'Cosmos DB account',
    needsRole: true,
    roles: [],
    resources: [{
      group: 'documentdb.azure.com',
      kind: 'SqlDatabase',
      roles: [cosmosRole('DatabaseReader', 1), cosmosRole('DatabaseWriter', 2)],
      // The other modes read a database of the account, which may be another team's.
      fixed: { resource: { id: '{name}', createMode: 'Default' } },
      children: [{
        group: 'documentdb.azure.com',
        kind: 'SqlDatabaseContainer',
        fixed: { resource: { id: '{name}', createMode: 'Default' } },
      }],
    }],
  },
  redis: {
    name: 'redis',
    armType: 'Microsoft.Cache/redis',
    what: 'Redis cache',
    needsRole: false,
    roles: [redisRole('CacheReader', '+@read +@connection'), redisRole('CacheWriter', '+@all -@dangerous')],
    resources: [],
  },
  managedRedis: {
    name: 'managed-redis',
    armType: 'Microsoft.Cache/redisEnterprise/databases',
    what: 'database of a managed Redis',
    needsRole: false,
    // In this API version there is no other policy than that of all keys.
    roles: [access('CacheOwner', [{
      group: 'cache.azure.com',
      kind: 'RedisEnterpriseDatabaseAccessPolicyAssignment',
      principal: 'user.objectIdFromConfig',
      exclusive: true,
      properties: { azureName: '{accessId}', accessPolicyName: 'default' },
    }])],
    resources: [],
  },
  keyVault: {
    name: 'key-vault',
    armType: KEY_VAULT,
    what: 'Key Vault',
    needsRole: false,
    roles: [],
    resources: [{
      kind: 'Secret',
      path: 'secrets',
      roles: [assignment('KeyVaultSecretUser', BuiltInRole.KEY_VAULT_SECRETS_USER)],
    }],
  },
  appConfiguration: {
    name: 'app-configuration',
    armType: APP_CONFIGURATION,
    what: 'App Configuration store',
    // Pods read the store; the operator creates nothing in it.
    role: BuiltInRole.APP_CONFIGURATION_DATA_READER,
    to: TeamIdentity.WORKLOAD,
    needsRole: true,
    roles: [assignment('ConfigurationReader', BuiltInRole.APP_CONFIGURATION_DATA_READER)],
    resources: [],
  },
  containerRegistry: {
    name: 'container-registry',
    armType: CONTAINER_REGISTRY,
    what: 'container registry',
    needsRole: false,
    roles: [assignment('ImagePuller', BuiltInRole.fromName('AcrPull'))],
    resources: [],
  },
  storageAccount: {
    name: 'storage',
    armType: 'Microsoft.Storage/storageAccounts',
    what: 'storage account',
    needsRole: true,
    roles: [],
    resources: [{
      group: 'storage.azure.com',
      kind: 'StorageAccountsBlobServicesContainer',
      roles: [
        assignment('ContainerReader', BuiltInRole.STORAGE_BLOB_DATA_READER),
        assignment('ContainerWriter', BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR),
      ],
      fixed: { publicAccess: 'None' },
    }],
  },
  frontDoorEndpoint: {
    name: 'front-door',
    armType: 'Microsoft.Cdn/profiles/afdEndpoints',
    what: 'Front Door endpoint',
    needsRole: true,
    roles: [],
    resources: [],
  },
  dnsZone: {
    name: 'dns-zone',
    armType: DNS_ZONE,
    what: 'public DNS zone',
    // The platform writes the records of services.
    needsRole: false,
    roles: [],
    resources: [],
  },
} satisfies Record<string, SharedServiceType>;
