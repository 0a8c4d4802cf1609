/** A part of a resource to which a private endpoint leads, and the DNS zones for its names, in the public cloud. */
export interface PrivateLinkTarget {
  /** Name of the part, `groupId` in Azure: `blob`. */
  readonly groupId: string;
  /** The private DNS zones: `privatelink.blob.core.windows.net`; `{region}` stands for the region of the resource. */
  readonly zones: readonly string[];
}

/** The parts of a kind. */
export interface PrivateLinkParts {
  /** ARM type, in lower case. */
  readonly type: string;
  /** The part that most people mean comes first. */
  readonly targets: readonly PrivateLinkTarget[];
}

const target = (groupId: string, ...zones: readonly string[]): PrivateLinkTarget => ({ groupId, zones: zones.map((zone) => `privatelink.${zone}`) });
const parts = (type: string, ...targets: readonly PrivateLinkTarget[]): PrivateLinkParts => ({ type, targets });

const STORAGE = ['blob', 'queue', 'table', 'file', 'dfs', 'web'];
const storage = (suffix: string) => STORAGE.map((name) => target(`${name}${suffix}`, `${name}.core.windows.net`));

/**
 * Kind → its parts.
 * @see https://learn.microsoft.com/azure/private-link/private-endpoint-dns
 */
export const PRIVATE_LINK: Readonly<Record<string, PrivateLinkParts>> = {
  'apimanagement.azure.com/Service': parts('microsoft.apimanagement/service', target('Gateway', 'azure-api.net')),
  'app.azure.com/ManagedEnvironment': parts('microsoft.app/managedenvironments', target('managedEnvironments', '{region}.azurecontainerapps.io')),
  'appconfiguration.azure.com/ConfigurationStore': parts('microsoft.appconfiguration/configurationstores', target('configurationStores', 'azconfig.io')),
  'batch.azure.com/BatchAccount': parts(
    'microsoft.batch/batchaccounts', target('batchAccount', 'batch.azure.com'), target('nodeManagement', 'batch.azure.com'),
  ),
  'cache.azure.com/Redis': parts('microsoft.cache/redis', target('redisCache', 'redis.cache.windows.net')),
  'cache.azure.com/RedisEnterprise': parts('microsoft.cache/redisenterprise', target('redisEnterprise', 'redis.azure.net')),
  // Azure OpenAI and AI Foundry answer under names of their own beside the common one.
  'cognitiveservices.azure.com/Account': parts(
    'microsoft.cognitiveservices/accounts', target('account', 'cognitiveservices.azure.com', 'openai.azure.com', 'services.ai.azure.com'),
  ),
  'containerregistry.azure.com/Registry': parts('microsoft.containerregistry/registries', target('registry', 'azurecr.io')),
  'containerservice.azure.com/ManagedCluster': parts('microsoft.containerservice/managedclusters', target('management', '{region}.azmk8s.io')),
  'datafactory.azure.com/Factory': parts(
    'microsoft.datafactory/factories', target('dataFactory', 'datafactory.azure.net'), target('portal', 'adf.azure.com'),
  ),
  'dbformariadb.azure.com/Server': parts('microsoft.dbformariadb/servers', target('mariadbServer', 'mariadb.database.azure.com')),
  'dbformysql.azure.com/FlexibleServer': parts('microsoft.dbformysql/flexibleservers', target('mysqlServer', 'mysql.database.azure.com')),
  'dbforpostgresql.azure.com/FlexibleServer': parts('microsoft.dbforpostgresql/flexibleservers', target('postgresqlServer', 'postgres.database.azure.com')),
  'devices.azure.com/IotHub': parts('microsoft.devices/iothubs', target('iotHub', 'azure-devices.net', 'servicebus.windows.net')),
  'documentdb.azure.com/DatabaseAccount': parts(
    'microsoft.documentdb/databaseaccounts',
    target('Sql', 'documents.azure.com'),
    target('MongoDB', 'mongo.cosmos.azure.com'),
    target('Cassandra', 'cassandra.cosmos.azure.com'),
    target('Gremlin', 'gremlin.cosmos.azure.com'),
    target('Table', 'table.cosmos.azure.com'),
    target('SqlDedicated', 'sqlx.cosmos.azure.com'),
    target('Analytical', 'analytics.cosmos.azure.com'),
  ),
  'documentdb.azure.com/MongoCluster': parts('microsoft.documentdb/mongoclusters', target('MongoCluster', 'mongocluster.cosmos.azure.com')),
  'eventgrid.azure.com/Domain': parts('microsoft.eventgrid/domains', target('domain', 'eventgrid.azure.net')),
  'eventgrid.azure.com/Topic': parts('microsoft.eventgrid/topics', target('topic', 'eventgrid.azure.net')),
  'eventhub.azure.com/Namespace': parts('microsoft.eventhub/namespaces', target('namespace', 'servicebus.windows.net')),
  'keyvault.azure.com/Vault': parts('microsoft.keyvault/vaults', target('vault', 'vaultcore.azure.net')),
  'kusto.azure.com/Cluster': parts(
    'microsoft.kusto/clusters',
    target('cluster', '{region}.kusto.windows.net', 'blob.core.windows.net', 'queue.core.windows.net', 'table.core.windows.net'),
  ),
  'machinelearningservices.azure.com/Workspace': parts(
    'microsoft.machinelearningservices/workspaces', target('amlworkspace', 'api.azureml.ms', 'notebooks.azure.net'),
  ),
  'search.azure.com/SearchService': parts('microsoft.search/searchservices', target('searchService', 'search.windows.net')),
  'servicebus.azure.com/Namespace': parts('microsoft.servicebus/namespaces', target('namespace', 'servicebus.windows.net')),
  'signalrservice.azure.com/SignalR': parts('microsoft.signalrservice/signalr', target('signalr', 'service.signalr.net')),
  'sql.azure.com/Server': parts('microsoft.sql/servers', target('sqlServer', 'database.windows.net')),
  'storage.azure.com/StorageAccount': parts('microsoft.storage/storageaccounts', ...storage(''), ...storage('_secondary')),
  'synapse.azure.com/Workspace': parts(
    'microsoft.synapse/workspaces',
    target('Sql', 'sql.azuresynapse.net'),
    target('SqlOnDemand', 'sql.azuresynapse.net'),
    target('Dev', 'dev.azuresynapse.net'),
  ),
  'web.azure.com/Site': parts('microsoft.web/sites', target('sites', 'azurewebsites.net')),
};
