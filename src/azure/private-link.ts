/** A part of a resource to which a private endpoint leads, and the DNS zone for its names, in the public cloud. */
export interface PrivateLinkTarget {
  /** Name of the part, `groupId` in Azure: `blob`. */
  readonly groupId: string;
  /** The private DNS zone: `privatelink.blob.core.windows.net`. */
  readonly zone: string;
}

const target = (groupId: string, zone: string): PrivateLinkTarget => ({ groupId, zone: `privatelink.${zone}` });

/**
 * ARM type, in lower case, → its parts; the first is the one that most people mean.
 * @see https://learn.microsoft.com/azure/private-link/private-endpoint-dns
 */
export const PRIVATE_LINK_TARGETS: Readonly<Record<string, readonly PrivateLinkTarget[]>> = {
  'microsoft.appconfiguration/configurationstores': [target('configurationStores', 'azconfig.io')],
  'microsoft.cache/redis': [target('redisCache', 'redis.cache.windows.net')],
  'microsoft.cognitiveservices/accounts': [target('account', 'cognitiveservices.azure.com')],
  'microsoft.containerregistry/registries': [target('registry', 'azurecr.io')],
  'microsoft.dbformysql/flexibleservers': [target('mysqlServer', 'mysql.database.azure.com')],
  'microsoft.dbforpostgresql/flexibleservers': [target('postgresqlServer', 'postgres.database.azure.com')],
  'microsoft.documentdb/databaseaccounts': [
    target('Sql', 'documents.azure.com'),
    target('MongoDB', 'mongo.cosmos.azure.com'),
    target('Cassandra', 'cassandra.cosmos.azure.com'),
    target('Gremlin', 'gremlin.cosmos.azure.com'),
    target('Table', 'table.cosmos.azure.com'),
  ],
  'microsoft.eventgrid/domains': [target('domain', 'eventgrid.azure.net')],
  'microsoft.eventgrid/topics': [target('topic', 'eventgrid.azure.net')],
  'microsoft.eventhub/namespaces': [target('namespace', 'servicebus.windows.net')],
  'microsoft.keyvault/vaults': [target('vault', 'vaultcore.azure.net')],
  'microsoft.search/searchservices': [target('searchService', 'search.windows.net')],
  'microsoft.servicebus/namespaces': [target('namespace', 'servicebus.windows.net')],
  'microsoft.signalrservice/signalr': [target('signalr', 'service.signalr.net')],
  'microsoft.sql/servers': [target('sqlServer', 'database.windows.net')],
  'microsoft.storage/storageaccounts': [
    target('blob', 'blob.core.windows.net'),
    target('queue', 'queue.core.windows.net'),
    target('table', 'table.core.windows.net'),
    target('file', 'file.core.windows.net'),
    target('dfs', 'dfs.core.windows.net'),
    target('web', 'web.core.windows.net'),
  ],
  'microsoft.web/sites': [target('sites', 'azurewebsites.net')],
};
