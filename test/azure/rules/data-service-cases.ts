import { many, of, WARNING, type Case, type Parent } from './case';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const BLOB_STORE: Parent = { kind: ACCOUNT, spec: { kind: 'BlockBlobStorage' } };
const STORE: Parent = { kind: ACCOUNT, spec: { kind: 'StorageV2' } };
const NET = 'network.azure.com/PrivateDnsZone';
const lifecycle = (definition: object) => ({ policy: { rules: [{ name: 'r', definition }] } });
const indexed = (path: string) => ({ resource: { id: 'one', indexingPolicy: { includedPaths: [{ path }], excludedPaths: [{ path: '/"_etag"/?' }] } } });
const throughput = (maxThroughput: number) => ({ resource: { autoscaleSettings: { maxThroughput } } });

/** Cases of databases, caches and storage. */
export const DATA_SERVICE_CASES: readonly Case[] = [
  ...of('dbforpostgresql.azure.com/FlexibleServer', [
    ['database-server-source', { createMode: 'Replica' }, 'sourceServerResourceReference', { createMode: 'Replica', sourceServerResourceReference: { armId: '/s' } }],
    ['database-server-restore-time', { createMode: 'PointInTimeRestore' }, 'pointInTimeUTC', { createMode: 'PointInTimeRestore', pointInTimeUTC: '2026-01-31T12:00:00Z' }],
    ['database-server-restore-time', { pointInTimeUTC: 'yesterday' }, 'pointInTimeUTC', { createMode: 'Default' }],
    ['database-server-zone-name', { network: { privateDnsZoneArmResourceReference: {} } }, 'network.privateDnsZoneArmResourceReference', {}, { refersTo: { kind: NET, name: 'shop.internal', spec: {} } }],
    ['database-server-zone-name',
      { network: { privateDnsZoneArmResourceReference: { armId: '/r/providers/Microsoft.Network/privateDnsZones/shop.internal' } } }, 'network.privateDnsZoneArmResourceReference',
      { network: { privateDnsZoneArmResourceReference: { armId: '/r/providers/Microsoft.Network/privateDnsZones/shop.postgres.database.azure.com' } } }],
    ['postgresql-subnet-size', { network: { delegatedSubnetResourceReference: {} } }, 'network.delegatedSubnetResourceReference', {},
      { refersTo: { kind: 'network.azure.com/VirtualNetworksSubnet', name: 'pg', spec: { addressPrefix: '10.0.0.0/29' } } }],
    ['postgresql-version', { version: '15.4' }, 'version', { version: '16' }],
  ]),
  ...of('dbforpostgresql.azure.com/FlexibleServersDatabase', [['postgresql-charset', { charset: 'utf8mb4' }, 'charset', { charset: 'UTF-8' }]]),
  ...of('dbforpostgresql.azure.com/FlexibleServersAdministrator', [['postgresql-administrator-id', {}, 'azureName', { azureNameFromConfig: { name: 'c', key: 'k' } }, { name: 'admins' }]]),
  ...of('dbformysql.azure.com/FlexibleServersDatabase', [
    ['mysql-charset', { charset: 'UTF-8' }, 'charset', { charset: 'utf8mb4' }],
    ['mysql-collation', { charset: 'utf8mb4', collation: 'latin1_swedish_ci' }, 'collation', { charset: 'utf8', collation: 'utf8mb3_general_ci' }],
  ]),
  ...of('documentdb.azure.com/SqlDatabase', [['cosmos-id', { resource: { id: 'two' } }, 'resource.id', { resource: { id: 'one' } }]]),
  ...of('documentdb.azure.com/SqlDatabaseThroughputSetting', [['cosmos-throughput-setting', { resource: { throughput: 300 } }, 'resource.throughput', throughput(4000)]]),
  ...of('documentdb.azure.com/SqlDatabaseContainer', [
    ['cosmos-unique-keys', { resource: { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['email'] }] } } }, 'resource.uniqueKeyPolicy.uniqueKeys[0].paths[0]', { resource: { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email', '/name'] }] } } }],
    ['cosmos-unique-keys', { resource: { uniqueKeyPolicy: { uniqueKeys: many(11, () => ({ paths: ['/a'] })) } } }, 'resource.uniqueKeyPolicy.uniqueKeys', { resource: {} }],
    ['cosmos-index-path', indexed('/name'), 'resource.indexingPolicy.includedPaths[0].path', indexed('/items/[]/name/?')],
    ['cosmos-partition-version', { resource: { partitionKey: { kind: 'MultiHash', version: 1 } } }, 'resource.partitionKey.version', { resource: { partitionKey: { kind: 'Hash', version: 1 } } }],
    ['cosmos-analytical-store', { resource: { analyticalStorageTtl: -2 } }, 'resource.analyticalStorageTtl', { resource: { analyticalStorageTtl: -1 } }],
  ]),
  ...of('documentdb.azure.com/MongodbDatabaseCollection', [
    ['cosmos-shard-key', { resource: { shardKey: { user: 'Range' } } }, 'resource.shardKey', { resource: { shardKey: { user: 'Hash' } } }],
    ['cosmos-shard-key', { resource: { shardKey: { user: 'Hash', shop: 'Hash' } } }, 'resource.shardKey', { resource: {} }],
  ]),
  ...of('documentdb.azure.com/SqlRoleAssignment', [['cosmos-role-principal', { principalId: 'shop-identity' }, 'principalId', { principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52' }]]),
  ...of(ACCOUNT, [
    ['storage-tag-name', { tags: { ['x'.repeat(129)]: 'y' } }, 'tags', { tags: { ['x'.repeat(128)]: 'y' } }],
    ['storage-network-rules', { networkAcls: { virtualNetworkRules: many(401, () => ({})) } }, 'networkAcls.virtualNetworkRules', { networkAcls: { virtualNetworkRules: [] } }],
    ['storage-directory', { azureFilesIdentityBasedAuthentication: { directoryServiceOptions: 'AD' } }, 'azureFilesIdentityBasedAuthentication.activeDirectoryProperties',
      { azureFilesIdentityBasedAuthentication: { directoryServiceOptions: 'AADKERB' } }],
    ['storage-immutability', { immutableStorageWithVersioning: { immutabilityPolicy: { immutabilityPeriodSinceCreationInDays: 0 } } },
      'immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays', { immutableStorageWithVersioning: { enabled: true } }],
  ]),
  ...of('storage.azure.com/StorageAccountsQueueServicesQueue', [['storage-service', {}, 'owner', {}, { owner: { kind: 'storage.azure.com/StorageAccountsQueueService', spec: {}, owner: BLOB_STORE } }]]),
  ...of('storage.azure.com/StorageAccountsFileServicesShare', [
    ['storage-large-share', { shareQuota: 200_000 }, 'shareQuota', { shareQuota: 102_400 }, { owner: { kind: 'storage.azure.com/StorageAccountsFileService', spec: {}, owner: STORE } }],
  ]),
  ...of('storage.azure.com/StorageAccountsManagementPolicy', [
    ['storage-lifecycle-auto-tier', lifecycle({ actions: { baseBlob: { enableAutoTierToHotFromCool: true } } }), 'policy.rules[0].definition.actions.baseBlob.enableAutoTierToHotFromCool',
      lifecycle({ actions: { baseBlob: { enableAutoTierToHotFromCool: true, tierToCool: { daysAfterLastAccessTimeGreaterThan: 30 } } } })],
    ['storage-lifecycle-access-time', lifecycle({ actions: { baseBlob: { delete: { daysAfterLastAccessTimeGreaterThan: 30 } } } }), 'policy.rules[0].definition.actions.baseBlob.delete.daysAfterLastAccessTimeGreaterThan',
      lifecycle({ actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: 30 } } } }),
      { beside: [{ kind: 'storage.azure.com/StorageAccountsBlobService', spec: { lastAccessTimeTrackingPolicy: { enable: false } } }] }],
    ['storage-lifecycle-filters', lifecycle({ filters: { prefixMatch: many(11, (index) => `c${index}/`) } }), 'policy.rules[0].definition.filters.prefixMatch', lifecycle({ filters: { prefixMatch: ['c/'] } })],
  ]),
  ...of('cache.azure.com/RedisEnterprise', [
    ['redis-enterprise-capacity', { sku: { name: 'Enterprise_E10', capacity: 3 } }, 'sku.capacity', { sku: { name: 'EnterpriseFlash_F300', capacity: 9 } }],
  ]),
  ...of('cache.azure.com/RedisEnterpriseDatabase', [
    ['redis-enterprise-database-name', {}, 'azureName', {}, { name: 'shop' }],
    ['redis-enterprise-port', { port: 6379 }, 'port', { port: 10_000 }, WARNING],
    ['redis-enterprise-search', { modules: [{ name: 'RediSearch' }], clusteringPolicy: 'OSSCluster' }, 'clusteringPolicy', { modules: [{ name: 'RediSearch' }], clusteringPolicy: 'EnterpriseCluster', evictionPolicy: 'NoEviction' }],
    ['redis-enterprise-search', { modules: [{ name: 'RediSearch' }], evictionPolicy: 'AllKeysLRU' }, 'evictionPolicy', { modules: [{ name: 'RedisJSON' }], clusteringPolicy: 'OSSCluster' }],
    ['redis-enterprise-persistence', { persistence: { aofEnabled: true, rdbEnabled: true } }, 'persistence.rdbEnabled', { persistence: { aofEnabled: true, rdbEnabled: false } }],
    ['redis-enterprise-persistence', { persistence: { aofEnabled: true }, geoReplication: { groupNickname: 'g' } }, 'persistence', { geoReplication: { groupNickname: 'g' } }],
    ['redis-enterprise-geo-modules', { modules: [{ name: 'RedisBloom' }], geoReplication: {} }, 'modules[0].name', { modules: [{ name: 'RedisJSON' }], geoReplication: {} }],
    ['redis-enterprise-geo-group', { geoReplication: { groupNickname: 'our group' } }, 'geoReplication.groupNickname', { geoReplication: { groupNickname: 'our-group' } }],
  ]),
];
