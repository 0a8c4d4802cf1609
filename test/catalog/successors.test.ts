import { Catalog, droppedVersion, successorOf } from '../../src/catalog';

const catalog = Catalog.default();

test.each([
  // The version of the same date, the shorter name first.
  ['storage.azure.com', 'StorageAccount', 'v1beta20210401', 'storage.azure.com/v20210401'],
  ['resources.azure.com', 'ResourceGroup', 'v1beta20200601', 'resources.azure.com/v1api20200601'],
  ['resources.azure.com', 'ResourceGroup', 'v1alpha1api20200601', 'resources.azure.com/v1api20200601'],
  // No version of that date is left: the next one.
  ['containerservice.azure.com', 'ManagedCluster', 'v1beta20210501', expect.stringMatching(/^containerservice\.azure\.com\/v\S+$/) as string],
  ['microsoft.storage.azure.com', 'StorageAccount', 'v1alpha1api20210401', 'storage.azure.com/v20210401'],
  ['microsoft.resources.infra.azure.com', 'ResourceGroup', 'v20191001', 'resources.azure.com/v1api20200601'],
  ['azure.microsoft.com', 'StorageAccount', 'v1alpha1', 'storage.azure.com/v20250601'],
])('%s %s %s has a successor', (group, kind, version, apiVersion) => {
  expect(successorOf(group, kind, version, catalog)).toEqual({ apiVersion, kind, why: expect.any(String) as string });
});

test.each([
  ['Route', expect.stringMatching(/^write network\.azure\.com\/v\d+, kind RouteTablesRoute$/)],
  ['Subnet', expect.stringMatching(/^write network\.azure\.com\/v\d+, kind VirtualNetworksSubnet$/)],
  // A part of a load balancer, and no kind of another service that has similar words.
  ['OutboundRule', expect.stringMatching(/^write one of the \d+ kinds of network\.azure\.com: cdk8s-aso explain network lists them$/)],
])('a kind of the first alpha group keeps to its service: %s', (kind, fix) => {
  expect(droppedVersion('microsoft.network.infra.azure.com', kind, 'v20191101', catalog)?.fix).toEqual(fix);
});

test('a kind of operator v1 that has another name', () => {
  expect(droppedVersion('azure.microsoft.com', 'BlobContainer', 'v1alpha2', catalog)).toEqual({
    message: 'Azure Service Operator does not serve azure.microsoft.com/v1alpha2 of BlobContainer any more: '
      + 'it is a kind of Azure Service Operator v1, which is no longer maintained',
    fix: 'write storage.azure.com/v20250601, kind StorageAccountsBlobServicesContainer, and StorageAccountsBlobService for what was a part of it: '
      + 'cdk8s-aso upgrade-check --fix writes it',
  });
  expect(droppedVersion('azure.microsoft.com', 'AzureSqlAction', 'v1alpha1', catalog)?.fix).toContain('write another one into the Secret');
  expect(droppedVersion('azure.microsoft.com', 'AzureSQLUser', 'v1alpha1', catalog)?.fix).toContain('write sql.azure.com/v1, kind User');
});

test('a kind that operator v1 never had', () => {
  expect(droppedVersion('azure.microsoft.com', 'Lighthouse', 'v1alpha1', catalog)?.message).toBe(
    'azure.microsoft.com is the group of Azure Service Operator v1, which is no longer maintained and had no kind Lighthouse',
  );
});

test.each([
  ['storage.azure.com', 'StorageAccount', 'v20210401'],
  ['storage.azure.com', 'StorageAccount', 'v1'],
  ['storage.azure.com', 'StorageAccount', 'v20990101'],
  ['storage.azure.com', 'Nothing', 'v1beta20210401'],
  ['karpenter.azure.com', 'AKSNodeClass', 'v1beta1'],
])('%s %s %s was never dropped', (group, kind, version) => {
  expect(droppedVersion(group, kind, version, catalog)).toBeUndefined();
});

test('every kind of operator v1 in the table leads to a kind of the catalog', () => {
  const kinds = ['ApimService', 'AzureSqlServer', 'CosmosDBSQLDatabase', 'AzureVirtualMachineExtension', 'AzureSQLVNetRule', 'MySQLAADUser', 'RedisCacheFirewallRule'];
  for (const kind of kinds) expect(successorOf('azure.microsoft.com', kind, 'v1alpha1', catalog)).toBeDefined();
});

test('a version that a release removed names the release, and the nearest version that is left', () => {
  expect(droppedVersion('containerservice.azure.com', 'ManagedCluster', 'v1api20240402preview', catalog)).toEqual({
    message: 'Azure Service Operator does not serve containerservice.azure.com/v1api20240402preview of ManagedCluster any more: '
      + 'v2.19.0 removed it',
    fix: 'write containerservice.azure.com/v1api20240901; its properties may differ',
  });
});
