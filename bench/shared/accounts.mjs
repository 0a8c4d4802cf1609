// The same storage accounts as typed constructs and as plain ApiObjects.

export const nameOf = (i) => `account${String(i).padStart(6, '0')}`;

/** An account as a platform team writes it, with every setting that its policy requires. */
export const settings = {
  location: 'uksouth',
  kind: 'StorageV2',
  accessTier: 'Hot',
  allowBlobPublicAccess: false,
  allowSharedKeyAccess: false,
  defaultToOAuthAuthentication: true,
  minimumTlsVersion: 'TLS1_2',
  supportsHttpsTrafficOnly: true,
  encryption: { keySource: 'Microsoft.Storage', requireInfrastructureEncryption: true, services: { blob: { enabled: true }, file: { enabled: true } } },
  networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny', ipRules: [{ value: '203.0.113.7', action: 'Allow' }] },
  sku: { name: 'Standard_LRS' },
  tags: { Environment: 'dev', ServiceCode: 'ledger', ManagedBy: 'platform' },
};

export const group = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'group' }, spec: { azureName: 'group', location: 'uksouth' } };

export const accountManifest = (i) => ({
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: { name: nameOf(i) },
  spec: { azureName: nameOf(i), owner: { name: 'group' }, ...settings },
});

/** Plain ApiObjects, in the same order as the typed ones. */
export function plainAccounts(chart, count, ApiObject) {
  const owner = new ApiObject(chart, 'group', group);
  for (let i = 0; i < count; i++) new ApiObject(chart, nameOf(i), accountManifest(i)).addDependency(owner);
}
