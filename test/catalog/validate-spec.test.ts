import { Catalog } from '../../src/catalog';
import { parsePath, spellPath, validateSpec } from '../../src/catalog/validate-spec';

const version = Catalog.default().kind('storage.azure.com', 'StorageAccount')!.version('v20250601')!;
const good = { owner: { name: 'rg' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
const lines = (spec: unknown) =>
  validateSpec(spec, version).map(({ path, message, fix, fatal }) => `${fatal ? 'fatal' : 'minor'} ${spellPath(path)}: ${message}; ${fix}`);

test('a good spec has no violations', () => {
  expect(lines(good)).toEqual([]);
  expect(lines({ ...good, accessTier: null })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['unknown', { ...good, locatoin: 'x' }, 'minor spec.locatoin: is no field of this kind and version; did you mean location?'],
  ['unknown, of an object below', { ...good, bypass: 'None' }, 'minor spec.bypass: is no field of this kind and version; did you mean networkAcls.bypass?'],
  ['missing', { ...good, kind: undefined }, 'fatal spec.kind: is missing; add it'],
  [
    'missing owner',
    { ...good, owner: undefined },
    'fatal spec.owner: is missing; add the name of a ResourceGroup (name: …) or its ARM id (armId: …)',
  ],
  ['type', { ...good, location: 5 }, 'fatal spec.location: is a number; put it in quotes'],
  ['object', { ...good, sku: [] }, 'fatal spec.sku: is an array; write an object'],
  ['enum', { ...good, kind: 'StorageV3' }, "fatal spec.kind: is not an allowed value; did you mean 'StorageV2'? Allowed: 'BlobStorage', 'BlockBlobStorage', 'FileStorage', 'Storage', 'StorageV2'"],
  ['pattern', { ...good, owner: { armId: 'rg' } }, 'fatal spec.owner.armId: does not match the pattern '],
  ['length', { ...good, azureName: 'ab' }, 'fatal spec.azureName: has 2 characters; at least 3 are needed'],
  [
    'nested',
    { ...good, networkAcls: { defaultAction: 'Allow', ipRules: [{ value: 1 }] } },
    'fatal spec.networkAcls.ipRules[0].value: is a number; put it in quotes',
  ],
  ['capitals', { ...good, AccessTier: 'Hot' }, 'minor spec.AccessTier: is no field of this kind and version; write accessTier'],
  ['properties of ARM', { ...good, properties: { minimumTlsVersion: 'TLS1_2' } }, 'minor spec.properties.minimumTlsVersion: stands below properties, as in an ARM template; write it as spec.minimumTlsVersion'],
  ['a required field below properties', { ...good, kind: undefined, properties: { kind: 'StorageV2' } }, 'fatal spec.properties.kind: stands below properties, as in an ARM template; write it as spec.kind'],
  ['properties, with nothing in them', { ...good, properties: {} }, 'minor spec.properties: is no field of this kind and version; remove it'],
  ['twice', { ...good, properties: { kind: 'StorageV2' } }, 'minor spec.properties.kind: stands below properties, as in an ARM template; remove it: spec.kind is given'],
  ['type', { ...good, type: 'Microsoft.Storage/storageAccounts' }, 'minor spec.type: is a member of ARM templates; remove it: apiVersion and kind of the object say the type'],
  ['name', { ...good, name: 'shopdata' }, 'minor spec.name: is a member of ARM templates; write it as spec.azureName, or as metadata.name'],
  ['dependsOn', { ...good, dependsOn: [] }, 'minor spec.dependsOn: is a member of ARM templates; remove it: the operator waits for the owner, and for what the object refers to'],
  ['resourceGroup', { ...good, owner: undefined, resourceGroup: 'rg' }, 'fatal spec.resourceGroup: is a member of ARM templates; write it as the owner: spec.owner.name, with the metadata.name of the ResourceGroup'],
  ['a switch with other words around it', { ...good, enableHttpsTrafficOnly: true }, 'minor spec.enableHttpsTrafficOnly: is no field of this kind and version; did you mean supportsHttpsTrafficOnly?'],
  ['a switch of another order', { ...good, enableNfsV3: true }, 'minor spec.enableNfsV3: is no field of this kind and version; did you mean isNfsV3Enabled?'],
  ['no key of JavaScript', { ...good, constructor: 1 }, 'minor spec.constructor: is no field of this kind and version; remove it'],
])('%s', (_, spec, line) => {
  expect(lines(spec)).toEqual([expect.stringContaining(line)]);
});

test.each<[string, string, unknown, string]>([
  ['network.azure.com', 'LoadBalancer', { owner: { name: 'rg' }, frontendIPConfigurations: [{ name: 'a', properties: { privateIPAddress: '10.0.0.4' } }] },
    'minor spec.frontendIPConfigurations[0].properties.privateIPAddress: stands below properties, as in an ARM template; write it as spec.frontendIPConfigurations[0].privateIPAddress'],
  ['network.azure.com', 'VirtualNetwork', { owner: { name: 'rg' }, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/8'] }, subnets: [] },
    'minor spec.subnets: is no field of this kind and version; write an object of kind VirtualNetworksSubnet for each of them, with this one as its owner'],
  ['network.azure.com', 'VirtualNetworksSubnet', { owner: { name: 'v' }, location: 'uksouth', addressPrefix: '10.0.0.0/8' },
    'minor spec.location: is a member of ARM templates; remove it: the resource is where its owner is'],
  ['storage.azure.com', 'StorageAccountsBlobService', { owner: { name: 'v' }, name: 'default' },
    "minor spec.name: is a member of ARM templates; remove it: every StorageAccountsBlobService is called 'default' in Azure"],
  ['storage.azure.com', 'StorageAccountsBlobServicesContainer', { owner: { name: 'v' }, resourceGroup: 'rg' },
    'minor spec.resourceGroup: is a member of ARM templates; remove it: spec.owner is given'],
  ['keyvault.azure.com', 'Vault', { owner: { name: 'rg' }, location: 'uksouth', sku: { family: 'A', name: 'standard' }, properties: { tenantId: '00000000-0000-0000-0000-000000000001' } },
    'minor spec.sku: is no field of this kind and version; did you mean properties.sku?'],
  ['sql.azure.com', 'Server', { owner: { name: 'rg' }, location: 'uksouth', administratorLoginPassword: { value: 'x' } },
    'fatal spec.administratorLoginPassword: names no key of a Secret; write name and key of a Secret that has the value'],
  ['sql.azure.com', 'Server', { owner: { name: 'rg' }, location: 'uksouth', administratorLoginPassword: { secretKeyRef: { name: 'a', key: 'b' } } },
    'fatal spec.administratorLoginPassword: names no key of a Secret; write name and key of a Secret that has the value'],
  ['sql.azure.com', 'Server', { owner: { name: 'rg' }, location: 'uksouth', administratorLoginPassword: 'x' },
    'fatal spec.administratorLoginPassword: names no key of a Secret; write name and key of a Secret that has the value'],
  ['sql.azure.com', 'Server', { owner: { name: 'rg' }, location: 'uksouth', administratorLoginPassword: { name: 'a' } },
    'fatal spec.administratorLoginPassword.key: is missing; add it'],
  ['managedidentity.azure.com', 'FederatedIdentityCredential', { owner: { name: 'i' }, audiences: ['a'], subject: 's', issuerFromConfig: 'https://x' },
    'fatal spec.issuerFromConfig: names no key of a ConfigMap; write name and key of a ConfigMap that has the value'],
])('%s %s', (group, kind, spec, line) => {
  const of = Catalog.default().kind(group, kind)!.latest;
  expect(validateSpec(spec, of).map(({ path, message, fix, fatal }) => `${fatal ? 'fatal' : 'minor'} ${spellPath(path)}: ${message}; ${fix}`)).toEqual([line]);
});

test('paths are spelt and read', () => {
  expect(parsePath('spec.a[0].b')).toEqual(['spec', 'a', 0, 'b']);
  expect(spellPath(['spec', 'a', 0, 'b'])).toBe('spec.a[0].b');
});
