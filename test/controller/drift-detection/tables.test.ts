import { resourceGraphTableOf, resourceGraphTypes } from '../../../src/azure/resource-graph-tables';
import { Catalog } from '../../../src/catalog';

const types = Catalog.default().allKinds.flatMap(({ latest }) => (latest.isArm ? [latest.facts.arm!.type] : []));

test('types of the catalog have the table that Azure documents', () => {
  const tableOf = Object.fromEntries(types.map((type) => [type, resourceGraphTableOf(type)]));
  expect(tableOf['Microsoft.Storage/storageAccounts']).toBe('resources');
  expect(tableOf['Microsoft.Resources/resourceGroups']).toBe('resourcecontainers');
  expect(tableOf['Microsoft.Authorization/roleAssignments']).toBe('authorizationresources');
  expect(tableOf['Microsoft.Network/dnsZones/TXT']).toBe('dnsresources');
  expect(tableOf['Microsoft.Network/dnsZones/CAA']).toBeUndefined();
  expect(tableOf['Microsoft.Storage/storageAccounts/blobServices/containers']).toBeUndefined();
  expect(tableOf['Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials']).toBeUndefined();
  const known = new Set(types.map((type) => type.toLowerCase()));
  expect(resourceGraphTypes().filter((type) => !known.has(type))).toEqual([]);
});
