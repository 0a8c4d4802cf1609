import { Catalog } from '../../src/catalog';
import { meantProperty } from '../../src/catalog/azure-names';

const meant = (group: string, kind: string, type: string | undefined, name: string) => {
  const version = Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
  return meantProperty(name, type === undefined ? version.specType : version.type(type), (ref) => version.type(ref));
};

test.each([
  ['containerservice', 'ManagedCluster', 'ManagedClusterAgentPoolProfile', 'vnetSubnetID', 'vnetSubnetReference'],
  ['dbforpostgresql', 'FlexibleServer', 'Network', 'delegatedSubnetResourceId', 'delegatedSubnetResourceReference'],
  ['dbforpostgresql', 'FlexibleServer', 'Network', 'privateDnsZoneArmResourceId', 'privateDnsZoneArmResourceReference'],
  ['insights', 'DiagnosticSetting', undefined, 'workspaceId', 'workspaceReference'],
  ['insights', 'MetricAlert', undefined, 'scopes', 'scopesReferences'],
  ['insights', 'MetricAlert', undefined, 'Scopes', 'scopesReferences'],
  ['network', 'PrivateEndpoint', undefined, 'privateLinkServiceId', 'manualPrivateLinkServiceConnections.privateLinkServiceReference'],
])('%s %s %s: Azure calls it %s', (group, kind, type, name, path) => {
  expect(meant(group, kind, type, name)).toEqual({ path: path.split('.'), inAzure: true, isReference: true });
});

test('another spelling, a level below, and nothing', () => {
  expect(meant('storage', 'StorageAccount', undefined, 'acessTier')).toEqual({ path: ['accessTier'], inAzure: false, isReference: false });
  expect(meant('storage', 'StorageAccount', undefined, 'accesstier')).toEqual({ path: ['accessTier'], inAzure: false, isReference: false });
  expect(meant('keyvault', 'Vault', undefined, 'tenantId')).toEqual({ path: ['properties', 'tenantId'], inAzure: false, isReference: false });
  expect(meant('keyvault', 'Vault', undefined, 'wombat')).toBeUndefined();
});
