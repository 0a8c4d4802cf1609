import { reportOf, upgradeCheck } from './environment';
import { isRewritten } from '../../../cli/upgrade-check/operator-v1/rewritten';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { Catalog, OPERATOR_V1_KINDS, replacedKind } from '../../../src/catalog';
import { spellPath, validateSpec } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';

/**
 * Specs of v1 with the members that its types have: https://github.com/Azure/azure-service-operator/tree/v1.0.59840/api
 * `…` in a value makes it one of a kind, so that a member that is lost is missed.
 */
const SPECS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ResourceGroup: { location: 'westeurope' },
  StorageAccount: {
    location: 'westeurope',
    resourceGroup: 'shop',
    sku: { name: 'Standard_RAGRS' },
    kind: 'StorageV2',
    accessTier: 'Hot',
    supportsHttpsTrafficOnly: true,
    dataLakeEnabled: true,
    networkRule: {
      bypass: 'AzureServices',
      defaultAction: 'Deny',
      ipRules: [{ ipAddressOrRange: '20.1.2.3' }],
      virtualNetworkRules: [{ subnetId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/one' }],
    },
  },
  BlobContainer: { location: 'westeurope', resourcegroup: 'shop', accountname: 'shopdata', accesslevel: 'Container' },
  KeyVault: {
    location: 'westeurope',
    resourceGroup: 'shop',
    enableSoftDelete: true,
    sku: { name: 'Premium' },
    networkPolicies: { bypass: 'None', defaultAction: 'Deny', ipRules: ['20.1.2.4'], virtualNetworkRules: ['/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/two'] },
    accessPolicies: [{ tenantID: '11111111-2222-3333-4444-555555555555', clientID: 'client-one', permissions: { secrets: ['Get'] } }],
  },
  RedisCache: {
    location: 'westeurope',
    resourceGroup: 'shop',
    secretName: 'redis-keys',
    keyVaultToStoreSecrets: 'vault-one',
    properties: {
      sku: { name: 'Premium', family: 'P', capacity: 3 },
      enableNonSslPort: true,
      subnetId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/three',
      staticIp: '10.0.0.7',
      configuration: { 'maxmemory-policy': 'allkeys-lru' },
    },
  },
  RedisCacheFirewallRule: { resourceGroup: 'shop', redisCache: 'cart', properties: { startIP: '20.1.0.1', endIP: '20.1.0.9' } },
  EventhubNamespace: {
    location: 'westeurope',
    resourceGroup: 'shop',
    sku: { name: 'Standard', tier: 'Standard', capacity: 4 },
    properties: { isAutoInflateEnabled: true, maximumThroughputUnits: 7, kafkaEnabled: true },
    networkRule: { defaultAction: 'Deny', ipRules: [{ ipMask: '20.9.9.9', action: 'Allow' }] },
  },
  Eventhub: {
    location: 'westeurope',
    resourceGroup: 'shop',
    namespace: 'shop-events',
    secretName: 'orders-keys',
    properties: {
      messageRetentionInDays: 5,
      partitionCount: 6,
      captureDescription: {
        enabled: true,
        sizeLimitInBytes: 10485763,
        intervalInSeconds: 301,
        destination: {
          archiveNameFormat: '{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}',
          blobContainer: 'captured',
          name: 'EventHubArchive.AzureBlockBlob',
          storageAccount: { resourceGroup: 'archive-group', accountName: 'archivedata' },
        },
      },
    },
    authorizationRule: { name: 'Reader', rights: ['Listen'] },
  },
  ConsumerGroup: { resourceGroup: 'shop', namespace: 'shop-events', eventHub: 'orders', consumerGroupName: 'billing' },
  AzureSqlServer: { location: 'westeurope', resourceGroup: 'shop', keyVaultToStoreSecrets: 'vault-two' },
  AzureSqlDatabase: {
    location: 'westeurope',
    resourceGroup: 'shop',
    server: 'shop-sql',
    edition: 5,
    dbName: 'orders-db',
    sku: { name: 'GP_Gen5_2', tier: 'GeneralPurpose' },
    weeklyRetention: 'P3W',
  },
  AzureSqlFirewallRule: { resourcegroup: 'shop', server: 'shop-sql', startipaddress: '20.2.0.1', endipaddress: '20.2.0.8' },
  AzureSqlFailoverGroup: {
    location: 'westeurope',
    resourceGroup: 'shop',
    server: 'shop-sql',
    failoverPolicy: 'automatic',
    failoverGracePeriod: 61,
    secondaryServer: 'shop-sql-2',
    secondaryServerResourceGroup: 'shop-2',
    databaseList: ['orders'],
  },
  AzureSQLVNetRule: {
    resourceGroup: 'shop', server: 'shop-sql', vNetResourceGroup: 'net-group', vNetName: 'net-one', subnetName: 'data', ignoreMissingServiceEndpoint: true,
  },
  AzureSQLUser: { resourceGroup: 'shop', server: 'shop-sql', dbName: 'orders', roles: ['db_owner'], adminSecret: 'admin-one', username: 'shopper', keyVaultSecretPrefix: 'prefix-one' },
  MySQLUser: { resourceGroup: 'shop', server: 'shop-my', dbName: 'orders', roles: ['SELECT'], adminSecret: 'admin-two', username: 'shopper' },
  PostgreSQLUser: { resourceGroup: 'shop', server: 'shop-pg', dbName: 'orders', roles: ['pg_monitor'], username: 'shopper' },
  MySQLServer: { location: 'westeurope', resourceGroup: 'shop', serverVersion: '5.7', sslEnforcement: 'Enabled', sku: { name: 'B_Gen5_2', tier: 'Basic', family: 'Gen5' } },
  PostgreSQLServer: { location: 'westeurope', resourceGroup: 'shop', serverVersion: '10', createMode: 'Default' },
  MySQLDatabase: { resourceGroup: 'shop', server: 'shop-my' },
  PostgreSQLDatabase: { resourceGroup: 'shop', server: 'shop-pg' },
  MySQLFirewallRule: { resourceGroup: 'shop', server: 'shop-my', startIpAddress: '20.3.0.1', endIpAddress: '20.3.0.8' },
  PostgreSQLFirewallRule: { resourceGroup: 'shop', server: 'shop-pg', startIpAddress: '20.4.0.1', endIpAddress: '20.4.0.8' },
  CosmosDB: {
    location: 'westeurope',
    resourceGroup: 'shop',
    kind: 'MongoDB',
    properties: {
      databaseAccountOfferType: 'Standard', isVirtualNetworkFilterEnabled: true, enableMultipleWriteLocations: true, mongoDBVersion: '4.2', capabilities: [{ name: 'EnableMongo' }],
    },
    locations: [{ locationName: 'northeurope', failoverPriority: 0, isZoneRedundant: true }],
    virtualNetworkRules: [{ subnetID: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/four', ignoreMissingVNetServiceEndpoint: true }],
    ipRules: ['20.5.0.1'],
  },
  CosmosDBSQLDatabase: { resourceGroup: 'shop', cosmosDBAccount: 'shop-cosmos', throughput: 500, tags: { team: 'checkout' } },
  VirtualNetwork: { location: 'westeurope', resourceGroup: 'shop', addressSpace: '10.0.0.0/16', subnets: [{ subnetName: 'Data', subnetAddressPrefix: '10.0.1.0/24' }] },
  AzurePublicIPAddress: {
    location: 'westeurope', resourceGroup: 'shop', publicIPAllocationMethod: 'Static', idleTimeoutInMinutes: 11, publicIPAddressVersion: 'IPv4', skuName: 'Basic',
  },
  AppInsights: { kind: 'web', location: 'westeurope', applicationType: 'other', resourceGroup: 'shop' },
};

const named = (kind: string) => (/^(?:StorageAccount|Storage)$/.test(kind) ? 'shopdata' : `shop-${kind.toLowerCase()}`);
const manifest = (kind: string, spec: unknown, more: Record<string, unknown> = {}) => [
  `apiVersion: azure.microsoft.com/v1alpha1 # the old one of ${kind}`,
  `kind: ${kind}`,
  `metadata: { name: ${named(kind)}, namespace: shop, labels: { team: checkout }, annotations: { skipreconcile: "true", owner: us } }`,
  `spec: ${JSON.stringify(spec)}`,
  ...Object.entries(more).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  '',
].join('\n');

function leavesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesIn);
  return [String(value)];
}

test('every kind that is rewritten has a case, and every kind of v1 leads to kinds of v2 or says why not', () => {
  expect(OPERATOR_V1_KINDS.filter((kind) => isRewritten(kind) && replacedKind(kind)?.kind === kind).sort()).toEqual(
    [...Object.keys(SPECS), 'AzureDataLakeGen2FileSystem', 'SqlDatabase', 'SqlFirewallRule', 'SqlServer', 'Storage'].sort(),
  );
  for (const kind of OPERATOR_V1_KINDS) {
    const { by, note, byHand } = replacedKind(kind)!;
    for (const [service, name] of by.map((one) => one.split('/'))) expect([kind, Catalog.default().kind(`${service}.azure.com`, name!)?.kind]).toEqual([kind, name]);
    expect([kind, by.length > 0 || note !== undefined]).toEqual([kind, true]);
    expect([kind, byHand === true || by.length === 0]).toEqual([kind, !isRewritten(kind)]);
  }
});

test.each(Object.entries(SPECS))('%s: objects of v2 that only read, and nothing is lost', async (kind, spec) => {
  const { status, file } = await upgradeCheck(manifest(kind, spec), '--fix');
  expect(status).toBe(0);
  const objects = readYaml(file).map(({ value }) => value).filter(isRecord);
  expect(objects.length).toBeGreaterThan(0);
  for (const { apiVersion, kind: newKind, metadata, spec: newSpec } of objects) {
    const [group = '', version = ''] = String(apiVersion).split('/');
    const of = Catalog.default().kind(group, String(newKind))?.version(version);
    expect(replacedKind(kind)!.by).toContain(`${group.replace('.azure.com', '')}/${String(newKind)}`);
    expect(of && validateSpec(newSpec, of).map(({ path, message }) => `${spellPath(path)} ${message}`)).toEqual([]);
    expect(metadata).toMatchObject({
      namespace: 'shop', labels: { team: 'checkout' }, annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip', 'owner': 'us' },
    });
  }
  expect(leavesIn(spec).filter((leaf) => !file.toLowerCase().includes(leaf.toLowerCase()))).toEqual([]);
  expect(file).toContain(`the old one of ${kind}`);
  const again = await reportOf(file);
  expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('several documents, a list and JSON: what cannot be replaced is left', async () => {
  const rule = (name: string) => manifest('BlobContainer', { accountName: 'shopdata', accessLevel: 'Blob' }).replace('shop-blobcontainer', name);
  const block = `# Above.
apiVersion: azure.microsoft.com/v1alpha1
kind: ResourceGroup
metadata:
  name: shop # the group
spec:
  location: westeurope
`;
  const list = 'apiVersion: v1\nkind: List\nitems:\n- { apiVersion: azure.microsoft.com/v1alpha1, kind: ResourceGroup, metadata: { name: x }, spec: { location: y } }\n';
  const { status, file } = await upgradeCheck([block, rule('one'), rule('two'), list].join('---\n'), '--fix');
  expect(status).toBe(1);
  const kinds = readYaml(file).map(({ value }) => (isRecord(value) ? value.kind : value));
  expect(kinds).toEqual([
    'ResourceGroup', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer', 'StorageAccountsBlobServicesContainer', 'List',
  ]);
  expect(file).toContain(`# Above.
# the group
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata:
  name: shop
  annotations:
    serviceoperator.azure.com/reconcile-policy: skip
spec:
  azureName: shop
  location: westeurope
---
`);
  expect(file.endsWith(list)).toBe(true);
});
