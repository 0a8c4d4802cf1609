/** Kinds whose deletion in Azure loses data that is stored nowhere else: `group/Kind` → the lost data. */
export const DATA_BEARING_KINDS: ReadonlyMap<string, string> = new Map([
  ['appconfiguration.azure.com/ConfigurationStore', 'its keys and snapshots'],
  ['appconfiguration.azure.com/Snapshot', 'the snapshot'],
  ['cache.azure.com/Redis', 'the cache'],
  ['cache.azure.com/RedisEnterprise', 'its databases'],
  ['cache.azure.com/RedisEnterpriseDatabase', 'the database'],
  ['compute.azure.com/Disk', 'the disk'],
  ['compute.azure.com/Image', 'the image'],
  ['compute.azure.com/Snapshot', 'the snapshot'],
  ['compute.azure.com/VirtualMachine', 'the machine and what is on its disks'],
  ['containerregistry.azure.com/Registry', 'its images and artefacts'],
  ['containerservice.azure.com/ManagedCluster', 'the cluster with all workloads and volumes'],
  ['dataprotection.azure.com/BackupVault', 'its backups'],
  ['dataprotection.azure.com/BackupVaultsBackupInstance', 'its backups'],
  ['dbformariadb.azure.com/Database', 'the database'],
  ['dbformariadb.azure.com/Server', 'its databases and backups'],
  ['dbformysql.azure.com/FlexibleServer', 'its databases and backups'],
  ['dbformysql.azure.com/FlexibleServersDatabase', 'the database'],
  ['dbforpostgresql.azure.com/FlexibleServer', 'its databases and backups'],
  ['dbforpostgresql.azure.com/FlexibleServersBackup', 'the backup'],
  ['dbforpostgresql.azure.com/FlexibleServersDatabase', 'the database'],
  ['devices.azure.com/IotHub', 'its device registry'],
  ['documentdb.azure.com/CassandraCluster', 'its keyspaces'],
  ['documentdb.azure.com/CassandraDataCenter', 'its replicas'],
  ['documentdb.azure.com/DatabaseAccount', 'its databases'],
  ['documentdb.azure.com/MongoCluster', 'its databases'],
  ['documentdb.azure.com/MongodbDatabase', 'the database'],
  ['documentdb.azure.com/MongodbDatabaseCollection', 'the collection'],
  ['documentdb.azure.com/SqlDatabase', 'the database'],
  ['documentdb.azure.com/SqlDatabaseContainer', 'the container'],
  ['eventhub.azure.com/Namespace', 'its event hubs and their events'],
  ['eventhub.azure.com/NamespacesEventhub', 'its events'],
  ['keyvault.azure.com/Vault', 'its keys, secrets and certificates'],
  ['kusto.azure.com/Cluster', 'its databases'],
  ['kusto.azure.com/Database', 'the database'],
  ['machinelearningservices.azure.com/Registry', 'its models and environments'],
  ['machinelearningservices.azure.com/Workspace', 'its models, data sets and runs'],
  ['monitor.azure.com/Account', 'its metrics'],
  ['operationalinsights.azure.com/Workspace', 'its logs'],
  ['redhatopenshift.azure.com/OpenShiftCluster', 'the cluster with all workloads and volumes'],
  ['search.azure.com/SearchService', 'its indexes'],
  ['servicebus.azure.com/Namespace', 'its queues and topics with their messages'],
  ['servicebus.azure.com/NamespacesQueue', 'its messages'],
  ['servicebus.azure.com/NamespacesTopic', 'its subscriptions with their messages'],
  ['servicebus.azure.com/NamespacesTopicsSubscription', 'its messages'],
  ['sql.azure.com/Server', 'its databases'],
  ['sql.azure.com/ServersDatabase', 'the database'],
  ['sql.azure.com/ServersKey', 'the key, and what is encrypted with it'],
  ['storage.azure.com/StorageAccount', 'its blobs, files, queues and tables'],
  ['storage.azure.com/StorageAccountsBlobServicesContainer', 'its blobs'],
  ['storage.azure.com/StorageAccountsFileServicesShare', 'its files'],
  ['storage.azure.com/StorageAccountsQueueServicesQueue', 'its messages'],
  ['storage.azure.com/StorageAccountsTableServicesTable', 'its rows'],
  ['synapse.azure.com/Workspace', 'its pools and databases'],
]);

/** Kinds without data of their own, whose deletion deletes all resources in them. */
export const CONTAINER_KINDS: ReadonlyMap<string, string> = new Map([
  ['resources.azure.com/ResourceGroup', 'all that is in the group'],
]);

/**
 * Parts of a resource that own data and that Azure deletes only together with the resource. An object of them that is managed can therefore
 * not be deleted while the resource is kept.
 */
export const INSEPARABLE_KINDS: ReadonlySet<string> = new Set([
  'storage.azure.com/StorageAccountsBlobService',
  'storage.azure.com/StorageAccountsFileService',
  'storage.azure.com/StorageAccountsQueueService',
  'storage.azure.com/StorageAccountsTableService',
]);

/** Whether deleting the resource in Azure loses data that is stored nowhere else. */
export function isDataBearing(group: string, kind: string): boolean {
  return DATA_BEARING_KINDS.has(`${group}/${kind}`);
}

/** Whether a removal policy for data includes the resource: it has data of its own, or owns resources that have. */
export function takesDataAlong(group: string, kind: string): boolean {
  const key = `${group}/${kind}`;
  return isDataBearing(group, kind) || CONTAINER_KINDS.has(key) || INSEPARABLE_KINDS.has(key);
}
