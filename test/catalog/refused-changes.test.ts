import { Catalog, immutableChanges } from '../../src/catalog';

const versionOf = (kind: string) => Catalog.default().kind(...(kind.split('/') as [string, string]))!.latest;

/** Whether Azure refuses the change: `always`, the condition, or `takes` it. */
function verdict(kind: string, before: object, after: object): string {
  const [change] = immutableChanges(versionOf(kind), before, after, 'spec');
  return change === undefined ? 'takes' : change.when === undefined ? 'always' : 'sometimes';
}

/** A nested object from a dotted path. */
function spec(path: string, value: unknown): Record<string, unknown> {
  const [step = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : spec(rest.join('.'), value);
  return value === undefined && rest.length === 0 ? {} : { [step]: inner };
}

const [STORAGE, VAULT, AKS, POOL] = ['storage.azure.com/StorageAccount', 'keyvault.azure.com/Vault', 'containerservice.azure.com/ManagedCluster', 'containerservice.azure.com/ManagedClustersAgentPool'] as const;
const [COSMOS, REDIS, REDIS_DB] = ['documentdb.azure.com/DatabaseAccount', 'cache.azure.com/Redis', 'cache.azure.com/RedisEnterpriseDatabase'] as const;
const [IP, BUS, QUEUE, HUB, POSTGRES, MYSQL] = [
  'network.azure.com/PublicIPAddress', 'servicebus.azure.com/Namespace', 'servicebus.azure.com/NamespacesQueue', 'eventhub.azure.com/NamespacesEventhub',
  'dbforpostgresql.azure.com/FlexibleServer', 'dbformysql.azure.com/FlexibleServer',
] as const;
const [VM, DISK, SUBNET] = ['compute.azure.com/VirtualMachine', 'compute.azure.com/Disk', 'network.azure.com/VirtualNetworksSubnet'] as const;

/** From Microsoft's documents and from reports of refused requests: the overlays have the addresses. `undefined`: left out. */
const CASES: readonly (readonly [kind: string, path: string, before: unknown, after: unknown, verdict: string])[] = [
  [STORAGE, 'kind', 'StorageV2', 'Storage', 'always'],
  [STORAGE, 'kind', 'StorageV2', 'BlobStorage', 'always'],
  [STORAGE, 'kind', 'BlobStorage', 'StorageV2', 'takes'],
  [STORAGE, 'kind', 'Storage', 'StorageV2', 'takes'],
  [STORAGE, 'kind', 'BlockBlobStorage', 'StorageV2', 'always'],
  [STORAGE, 'isHnsEnabled', false, true, 'always'],
  [STORAGE, 'isHnsEnabled', undefined, true, 'always'],
  [STORAGE, 'isHnsEnabled', undefined, false, 'takes'],
  [STORAGE, 'isHnsEnabled', true, undefined, 'takes'],
  [STORAGE, 'sku.name', 'Standard_LRS', 'Standard_GRS', 'takes'],
  [STORAGE, 'sku.name', 'Standard_LRS', 'Premium_LRS', 'always'],
  [STORAGE, 'largeFileSharesState', 'Enabled', 'Disabled', 'always'],
  [STORAGE, 'largeFileSharesState', undefined, 'Enabled', 'takes'],
  [VAULT, 'properties.enablePurgeProtection', true, false, 'always'],
  [VAULT, 'properties.enablePurgeProtection', undefined, true, 'takes'],
  [VAULT, 'properties.enableSoftDelete', true, false, 'always'],
  [VAULT, 'properties.enableSoftDelete', undefined, false, 'always'],
  [VAULT, 'properties.sku', { family: 'A', name: 'standard' }, { family: 'A', name: 'premium' }, 'takes'],
  [HUB, 'partitionCount', 8, 4, 'always'],
  [HUB, 'partitionCount', 4, 8, 'takes'],
  [BUS, 'sku.name', 'Premium', 'Standard', 'always'],
  [BUS, 'sku.name', 'Standard', 'Premium', 'always'],
  [BUS, 'sku.name', 'Basic', 'Standard', 'takes'],
  [QUEUE, 'requiresSession', undefined, true, 'always'],
  [QUEUE, 'enablePartitioning', true, false, 'always'],
  [QUEUE, 'maxDeliveryCount', 10, 5, 'takes'],
  [IP, 'publicIPAllocationMethod', 'Static', 'Dynamic', 'always'],
  [IP, 'publicIPAllocationMethod', 'Dynamic', 'Static', 'takes'],
  [IP, 'sku.name', 'Standard', 'Basic', 'always'],
  [IP, 'sku.name', 'Basic', 'Standard', 'takes'],
  [IP, 'zones', ['1'], ['1', '2'], 'always'],
  [IP, 'zones', undefined, ['1'], 'always'],
  [IP, 'zones', ['1'], undefined, 'always'],
  [IP, 'zones', ['1', '2', '3'], ['3', '1', '2'], 'takes'],
  [SUBNET, 'addressPrefix', '10.0.0.0/24', '10.0.1.0/24', 'sometimes'],
  [SUBNET, 'addressPrefixes', ['10.0.0.0/24'], ['10.0.0.0/24', '10.0.1.0/24'], 'takes'],
  [AKS, 'kubernetesVersion', '1.31.2', '1.30.9', 'always'],
  [AKS, 'kubernetesVersion', '1.9.0', '1.10.0', 'takes'],
  [AKS, 'kubernetesVersion', '1.31.2', '1.31', 'takes'],
  [AKS, 'networkProfile.networkPlugin', 'azure', 'kubenet', 'always'],
  [AKS, 'networkProfile.networkPlugin', 'kubenet', 'azure', 'takes'],
  [AKS, 'networkProfile.networkDataplane', 'cilium', 'azure', 'always'],
  [AKS, 'apiServerAccessProfile.enablePrivateCluster', undefined, true, 'always'],
  [AKS, 'apiServerAccessProfile.enablePrivateCluster', true, false, 'always'],
  [AKS, 'apiServerAccessProfile', { enablePrivateCluster: false, enableVnetIntegration: true }, { enablePrivateCluster: true, enableVnetIntegration: true }, 'takes'],
  [AKS, 'oidcIssuerProfile.enabled', true, false, 'always'],
  [AKS, 'dnsPrefix', 'a', 'b', 'always'],
  [AKS, 'sku.tier', 'Free', 'Standard', 'takes'],
  [POOL, 'vmSize', 'Standard_D2s_v5', 'Standard_D4s_v5', 'always'],
  [POOL, 'osDiskType', 'Managed', 'Ephemeral', 'always'],
  [POOL, 'maxPods', 30, 50, 'always'],
  [POOL, 'count', 3, 1, 'takes'],
  [POOL, 'availabilityZones', ['1'], ['2'], 'always'],
  [COSMOS, 'kind', 'GlobalDocumentDB', 'MongoDB', 'always'],
  [COSMOS, 'capabilities', [], [{ name: 'EnableServerless' }], 'always'],
  [COSMOS, 'capabilities', undefined, [{ name: 'EnableCassandra' }], 'always'],
  [COSMOS, 'capabilities', undefined, [{ name: 'EnableNoSQLVectorSearch' }], 'takes'],
  [COSMOS, 'backupPolicy', { continuous: { type: 'Continuous' } }, { periodic: { type: 'Periodic' } }, 'always'],
  [COSMOS, 'backupPolicy', { periodic: { type: 'Periodic' } }, { continuous: { type: 'Continuous' } }, 'takes'],
  [COSMOS, 'enableAnalyticalStorage', true, false, 'always'],
  ['documentdb.azure.com/SqlDatabaseContainer', 'resource.partitionKey.paths', ['/a'], ['/b'], 'always'],
  ['documentdb.azure.com/SqlDatabaseContainer', 'resource.uniqueKeyPolicy.uniqueKeys', [{ paths: ['/a'] }], [{ paths: ['/a', '/b'] }], 'always'],
  ['documentdb.azure.com/MongodbDatabaseCollection', 'resource.shardKey', { a: 'Hash' }, { b: 'Hash' }, 'always'],
  [POSTGRES, 'version', '16', '15', 'always'],
  [POSTGRES, 'version', '16', '17', 'takes'],
  [POSTGRES, 'storage.storageSizeGB', 128, 64, 'always'],
  [POSTGRES, 'backup.geoRedundantBackup', 'Disabled', 'Enabled', 'always'],
  [POSTGRES, 'network.delegatedSubnetResourceReference', { armId: '/a' }, { armId: '/b' }, 'always'],
  [POSTGRES, 'network.delegatedSubnetResourceReference', { armId: '/a' }, { group: 'g', kind: 'k', name: 'n' }, 'takes'],
  [MYSQL, 'storage.storageSizeGB', 64, 32, 'always'],
  [MYSQL, 'administratorLogin', 'a', 'b', 'always'],
  ['sql.azure.com/ServersDatabase', 'collation', 'SQL_Latin1_General_CP1_CI_AS', 'Latin1_General_100_CI_AS', 'always'],
  [REDIS, 'sku.name', 'Premium', 'Standard', 'always'],
  [REDIS, 'sku.name', 'Basic', 'Standard', 'takes'],
  [REDIS_DB, 'clusteringPolicy', 'EnterpriseCluster', 'OSSCluster', 'always'],
  [REDIS_DB, 'clusteringPolicy', 'NoCluster', 'OSSCluster', 'takes'],
  ['cache.azure.com/RedisEnterprise', 'zones', ['1'], ['2'], 'always'],
  [VM, 'hardwareProfile.vmSize', 'Standard_D2s_v5', 'Standard_D4s_v5', 'takes'],
  [VM, 'storageProfile.osDisk.diskSizeGB', 128, 64, 'always'],
  [VM, 'priority', undefined, 'Spot', 'always'],
  [VM, 'osProfile.linuxConfiguration.disablePasswordAuthentication', true, false, 'always'],
  ['compute.azure.com/VirtualMachineScaleSet', 'virtualMachineProfile.osProfile.linuxConfiguration.disablePasswordAuthentication', true, false, 'takes'],
  ['compute.azure.com/VirtualMachineScaleSet', 'zones', ['1'], ['1', '2'], 'takes'],
  ['compute.azure.com/VirtualMachineScaleSet', 'zones', ['1', '2'], ['1'], 'always'],
  [DISK, 'diskSizeGB', 64, 32, 'always'],
  [DISK, 'sku.name', 'Standard_LRS', 'UltraSSD_LRS', 'always'],
  [DISK, 'sku.name', 'Standard_LRS', 'Premium_LRS', 'takes'],
  ['compute.azure.com/Snapshot', 'sku.name', 'Standard_LRS', 'Premium_LRS', 'takes'],
  ['web.azure.com/ServerFarm', 'reserved', false, true, 'sometimes'],
  ['app.azure.com/ManagedEnvironment', 'zoneRedundant', undefined, true, 'always'],
  ['app.azure.com/ManagedEnvironment', 'workloadProfiles', undefined, [{ name: 'a' }], 'always'],
  ['app.azure.com/ManagedEnvironment', 'workloadProfiles', [{ name: 'a' }], [{ name: 'b' }], 'takes'],
  ['containerregistry.azure.com/Registry', 'zoneRedundancy', 'Disabled', 'Enabled', 'always'],
  ['containerregistry.azure.com/Registry', 'sku.name', 'Basic', 'Premium', 'takes'],
  ['search.azure.com/SearchService', 'sku.name', 'standard', 'basic', 'always'],
  ['search.azure.com/SearchService', 'sku.name', 'basic', 'standard2', 'takes'],
  ['apimanagement.azure.com/Service', 'sku.name', 'Developer', 'Consumption', 'always'],
  ['apimanagement.azure.com/Service', 'virtualNetworkType', 'None', 'External', 'takes'],
  ['network.azure.com/BastionHost', 'sku.name', 'Standard', 'Basic', 'always'],
  ['authorization.azure.com/RoleAssignment', 'description', 'a', 'b', 'takes'],
  ['authorization.azure.com/RoleAssignment', 'principalId', 'a', 'b', 'always'],
  ['managedidentity.azure.com/FederatedIdentityCredential', 'issuer', 'a', 'b', 'takes'],
];

test.each(CASES)('%s: %s %j → %j: %s', (kind, path, before, after, expected) => {
  expect(verdict(kind, spec(path, before), spec(path, after))).toBe(expected);
});

test('a value that only one body has is no change, except against a default that the catalog has', () => {
  const change = (before: object, after: object) => immutableChanges(versionOf(STORAGE), before, after, 'body').map(({ path }) => path);
  expect(change({ properties: {} }, { properties: { isHnsEnabled: true } })).toEqual(['isHnsEnabled']);
  expect(change({ properties: { isHnsEnabled: true } }, { properties: {} })).toEqual([]);
  expect(change({}, { kind: 'Storage' })).toEqual([]);
  // Azure's answer has zones that nobody wrote: leaving them out of a body is no removal.
  expect(immutableChanges(versionOf(IP), { zones: ['1', '2', '3'] }, {}, 'body')).toEqual([]);
});

test('pointers are those of the body, with a dash for elements', () => {
  const pools = (vmSize: string) => ({ properties: { agentPoolProfiles: [{ name: 'system', vmSize }] } });
  expect(immutableChanges(versionOf(AKS), pools('a'), pools('b'), 'body')).toEqual([
    { path: 'agentPoolProfiles[system].vmSize', pointer: '/properties/agentPoolProfiles/-/vmSize', before: 'a', after: 'b', code: 'PropertyChangeNotAllowed' },
  ]);
});
