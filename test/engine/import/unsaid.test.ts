import { specFromArm } from '../../../engine/import/spec-from-arm';
import { documentedUnsaid } from '../../../engine/import/unsaid';
import { Catalog } from '../../../src/catalog';

const catalog = Catalog.default();
const imported = (group: string, kind: string, answer: object, defaults = true) =>
  specFromArm(catalog.kind(`${group}.azure.com`, kind)!.latest, answer, documentedUnsaid(catalog, { defaults })).spec;
const CLUSTER = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/Shop/providers/Microsoft.ContainerService/managedClusters/web';
const kubelet = (group: string) => ({
  kubeletidentity: { resourceId: `/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/web-agentpool` },
});

test('documented defaults are left out on demand, read-only properties always', () => {
  const answer = { properties: { provisioningState: 'Succeeded', enableSoftDelete: true, enableRbacAuthorization: true, sku: { family: 'A', name: 'standard' } } };
  expect(imported('keyvault', 'Vault', answer)).toEqual({ properties: { enableRbacAuthorization: true, sku: { family: 'A', name: 'standard' } } });
  const { provisioningState: _, ...written } = answer.properties;
  expect(imported('keyvault', 'Vault', answer, false)).toEqual({ properties: written });
});

test('a required property stays, whatever its value', () => {
  const answer = { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: { accessTier: 'Hot' } };
  expect(imported('storage', 'StorageAccount', answer)).toEqual({ kind: 'StorageV2', sku: { name: 'Standard_LRS' } });
});

test.each([
  ['as AKS names it', 'MC_shop_web_uksouth', 'MC_Shop_web_uksouth', ['dnsPrefix', 'location']],
  ['as somebody named it', 'web-nodes', 'web-nodes', ['dnsPrefix', 'identityProfile', 'location', 'nodeResourceGroup']],
])('the node group of a cluster %s', (_, nodeResourceGroup, group, expected) => {
  const properties = { dnsPrefix: 'web', nodeResourceGroup, identityProfile: kubelet(group) };
  const spec = imported('containerservice', 'ManagedCluster', { id: CLUSTER, location: 'uksouth', properties });
  expect(Object.keys(spec).sort()).toEqual(expected);
});
