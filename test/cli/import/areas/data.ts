import { common, diagnosticSetting, put, SHOP, TENANT, type Area, type Put } from './put';

const GROUP = `${SHOP}-data`;
const SERVER = `${GROUP}/providers/Microsoft.Sql/servers/shop-sql-4711`;
const MYSQL = `${GROUP}/providers/Microsoft.DBforMySQL/flexibleServers/shop-mysql-4711`;
const POSTGRES = `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/shop-reports-4711`;
const COSMOS = `${GROUP}/providers/Microsoft.DocumentDB/databaseAccounts/shop-cosmos-4711`;
const CARTS = `${COSMOS}/sqlDatabases/carts`;
const REDIS = `${GROUP}/providers/Microsoft.Cache/redis/shop-cache-4711`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shopfiles4711`;

const sql: readonly Put[] = [
  put('2023-08-01', SERVER, {
    ...common,
    properties: {
      version: '12.0',
      administratorLogin: 'shopadmin',
      administratorLoginPassword: 'never-shown-4711',
      minimalTlsVersion: '1.2',
      publicNetworkAccess: 'Enabled',
    },
  }),
  put('2023-08-01', `${SERVER}/elasticPools/shop`, {
    ...common,
    sku: { name: 'GP_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 2 },
    properties: { perDatabaseSettings: { minCapacity: 0, maxCapacity: 2 } },
  }),
  put('2023-08-01', `${SERVER}/databases/stock`, {
    ...common,
    sku: { name: 'ElasticPool', tier: 'GeneralPurpose', capacity: 0 },
    properties: { collation: 'SQL_Latin1_General_CP1_CI_AS', elasticPoolId: `${SERVER}/elasticPools/shop` },
  }),
  put('2023-08-01', `${SERVER}/databases/stock/backupShortTermRetentionPolicies/default`, {
    properties: { retentionDays: 14, diffBackupIntervalInHours: 12 },
  }),
  put('2023-08-01', `${SERVER}/databases/stock/backupLongTermRetentionPolicies/default`, {
    properties: { weeklyRetention: 'P4W', monthlyRetention: 'P12M', yearlyRetention: 'P5Y', weekOfYear: 1 },
  }),
  put('2023-08-01', `${SERVER}/databases/stock/transparentDataEncryption/current`, { properties: { state: 'Enabled' } }),
  put('2023-08-01', `${SERVER}/firewallRules/office`, { properties: { startIpAddress: '203.0.113.10', endIpAddress: '203.0.113.20' } }),
  put('2023-08-01', `${SERVER}/connectionPolicies/default`, { properties: { connectionType: 'Redirect' } }),
];

const flexible: readonly Put[] = [
  put('2023-12-30', MYSQL, {
    ...common,
    sku: { name: 'Standard_D2ads_v5', tier: 'GeneralPurpose' },
    properties: {
      version: '8.0.21',
      createMode: 'Default',
      administratorLogin: 'shopadmin',
      administratorLoginPassword: 'never-shown-4711',
      storage: { storageSizeGB: 128, autoGrow: 'Enabled' },
      backup: { backupRetentionDays: 14, geoRedundantBackup: 'Disabled' },
    },
  }),
  put('2023-12-30', `${MYSQL}/databases/reviews`, { properties: { charset: 'utf8mb4', collation: 'utf8mb4_0900_ai_ci' } }),
  put('2023-12-30', `${MYSQL}/firewallRules/office`, { properties: { startIpAddress: '203.0.113.10', endIpAddress: '203.0.113.20' } }),
  put('2024-08-01', POSTGRES, {
    ...common,
    sku: { name: 'Standard_B2s', tier: 'Burstable' },
    properties: {
      version: '16',
      createMode: 'Default',
      administratorLogin: 'shopadmin',
      administratorLoginPassword: 'never-shown-4711',
      storage: { storageSizeGB: 64 },
      backup: { backupRetentionDays: 7, geoRedundantBackup: 'Disabled' },
    },
  }),
  put('2024-08-01', `${POSTGRES}/configurations/log_statement`, { properties: { value: 'ddl', source: 'user-override' } }),
  put('2024-08-01', `${POSTGRES}/firewallRules/office`, { properties: { startIpAddress: '203.0.113.10', endIpAddress: '203.0.113.20' } }),
];

const documents: readonly Put[] = [
  put('2024-08-15', COSMOS, {
    ...common,
    kind: 'GlobalDocumentDB',
    properties: {
      databaseAccountOfferType: 'Standard',
      consistencyPolicy: { defaultConsistencyLevel: 'Session' },
      locations: [{ locationName: 'uksouth', failoverPriority: 0, isZoneRedundant: false }],
      disableLocalAuth: true,
    },
  }),
  put('2024-08-15', CARTS, { properties: { resource: { id: 'carts' }, options: {} } }),
  put('2024-08-15', `${CARTS}/throughputSettings/default`, { properties: { resource: { throughput: 400 } } }),
  put('2024-08-15', `${CARTS}/containers/open`, {
    properties: {
      resource: {
        id: 'open',
        partitionKey: { paths: ['/customer'], kind: 'Hash', version: 2 },
        defaultTtl: 86400,
        indexingPolicy: {
          indexingMode: 'consistent',
          automatic: true,
          includedPaths: [{ path: '/*' }],
          excludedPaths: [{ path: '/"_etag"/?' }],
        },
      },
      options: {},
    },
  }),
  put('2024-08-15', `${CARTS}/containers/open/triggers/stamp`, {
    properties: { resource: { id: 'stamp', body: 'function stamp() { }', triggerType: 'Pre', triggerOperation: 'Create' }, options: {} },
  }),
];

const caches: readonly Put[] = [
  put('2024-11-01', REDIS, {
    ...common,
    properties: {
      sku: { name: 'Premium', family: 'P', capacity: 1 },
      enableNonSslPort: false,
      minimumTlsVersion: '1.2',
      redisVersion: '6',
    },
  }),
  put('2024-11-01', `${REDIS}/firewallRules/office`, { properties: { startIP: '203.0.113.10', endIP: '203.0.113.20' } }),
  put('2024-11-01', `${REDIS}/patchSchedules/default`, {
    properties: { scheduleEntries: [{ dayOfWeek: 'Sunday', startHourUtc: 3, maintenanceWindow: 'PT5H' }] },
  }),
  put('2023-11-01', `${GROUP}/providers/Microsoft.Search/searchServices/shop-search-4711`, {
    ...common,
    sku: { name: 'standard' },
    properties: {
      replicaCount: 2,
      partitionCount: 1,
      hostingMode: 'default',
      publicNetworkAccess: 'enabled',
    },
  }),
];

const files: readonly Put[] = [
  put('2023-01-01', ACCOUNT, {
    ...common,
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {
      accessTier: 'Hot',
      minimumTlsVersion: 'TLS1_2',
      supportsHttpsTrafficOnly: true,
    },
  }),
  put('2023-01-01', `${ACCOUNT}/managementPolicies/default`, {
    properties: {
      policy: {
        rules: [{
          name: 'old',
          type: 'Lifecycle',
          enabled: true,
          definition: {
            filters: { blobTypes: ['blockBlob'] },
            actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: 365 } } },
          },
        }],
      },
    },
  }),
  put('2023-01-01', `${ACCOUNT}/queueServices/default/queues/thumbnails`, { properties: { metadata: { owner: 'shop' } } }),
  put('2023-01-01', `${ACCOUNT}/fileServices/default/shares/reports`, {
    properties: { shareQuota: 100, accessTier: 'TransactionOptimized' },
  }),
  put('2023-01-01', `${ACCOUNT}/tableServices/default/tables/sessions`),
];

const keys: readonly Put[] = [
  put('2023-07-01', `${GROUP}/providers/Microsoft.KeyVault/vaults/shop-data-4711`, {
    ...common,
    properties: {
      tenantId: TENANT,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
      enableSoftDelete: true,
      accessPolicies: [],
    },
  }),
];

/** Databases, caches and files of the shop. */
export const DATA_AREA: Area = {
  group: GROUP,
  resources: () => [
    ...sql,
    ...flexible,
    ...documents,
    ...caches,
    ...files,
    ...keys,
    diagnosticSetting(`${SERVER}/databases/stock`, 'errors', 'Errors'),
  ],
};
