import { App, Chart, Testing } from 'cdk8s';
import { AdoptionPolicy, AzureResourceProps, CredentialReference, Defaults, ReconcilePolicy, SecretValue } from '../../src/core';
import { Registry, RegistryProps } from '../../src/services/containerregistry';
import { ManagedCluster } from '../../src/services/containerservice';
import { FlexibleServer } from '../../src/services/dbforpostgresql';
import { Vault } from '../../src/services/keyvault';
import { PrivateDnsZone, VirtualNetwork } from '../../src/services/network';
import { ResourceGroup } from '../../src/services/resources';
import { Namespace } from '../../src/services/servicebus';
import { Server } from '../../src/services/sql';
import { SkuName, StorageAccount, StorageAccountKind } from '../../src/services/storage';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly spec: Record<string, any>;
}

const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
const app = () => new App();
const chartIn = (scope: App | Chart, id = 'shop') => new Chart(scope, id, { namespace: 'shop' });
const specOf = (chart: Chart, kind: string) => (Testing.synth(chart) as Manifest[]).find((object) => object.kind === kind)!.spec;
const administrator = { administratorLogin: 'shopadmin', administratorLoginPassword: SecretValue.fromSecret('db', 'password') };
const storage = { azureName: 'shopdata', kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS } };

describe('the location', () => {
  test('is that of the resource group', () => {
    const chart = chartIn(app());
    const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
    new StorageAccount(chart, 'data', { owner, ...storage });
    new VirtualNetwork(chart, 'net', { owner, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
    expect(specOf(chart, 'StorageAccount').location).toBe('uksouth');
    expect(specOf(chart, 'VirtualNetwork').location).toBe('uksouth');
  });

  test('is that of the nearest owner in a region', () => {
    const chart = chartIn(app());
    const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
    const server = new Server(chart, 'server', { owner, location: 'ukwest', azureName: 'shop-sql', ...administrator });
    server.addDatabase('shop');
    expect(specOf(chart, 'ServersDatabase').location).toBe('ukwest');
  });

  test('is that of the scope, for groups as well', () => {
    const chart = chartIn(app());
    Defaults.of(chart).use({ location: 'uksouth' });
    const owner = new ResourceGroup(chart, 'group', {});
    new StorageAccount(chart, 'data', { owner, ...storage });
    new StorageAccount(chart, 'more', { owner: ResourceGroup.fromName('shared'), ...storage, azureName: 'shopmore' });
    const locations = (Testing.synth(chart) as Manifest[]).map(({ spec }) => spec.location);
    expect(locations).toEqual(['uksouth', 'uksouth', 'uksouth']);
  });

  test('of the group wins over that of a scope of both; a scope without the group wins over the group', () => {
    const root = app();
    Defaults.of(root).use({ location: 'westeurope' });
    const [first, second] = [chartIn(root, 'one'), chartIn(root, 'two')];
    Defaults.of(second!).use({ location: 'ukwest' });
    const owner = new ResourceGroup(first!, 'group', { location: 'uksouth' });
    new StorageAccount(first!, 'data', { owner, ...storage });
    new StorageAccount(second!, 'data', { owner, ...storage, azureName: 'shopmore' });
    new Namespace(second!, 'bus', { owner, location: 'francecentral', azureName: 'shop-bus' });
    expect(specOf(first!, 'StorageAccount').location).toBe('uksouth');
    expect(specOf(second!, 'StorageAccount').location).toBe('ukwest');
    expect(specOf(second!, 'Namespace').location).toBe('francecentral');
  });

  test('is global for kinds without a region', () => {
    const chart = chartIn(app());
    Defaults.of(chart).use({ location: 'uksouth' });
    new PrivateDnsZone(chart, 'zone', { owner: new ResourceGroup(chart, 'group'), azureName: 'shop.internal' });
    expect(specOf(chart, 'PrivateDnsZone').location).toBe('global');
  });

  test('may be in additionalSpec', () => {
    const chart = chartIn(app());
    Defaults.of(chart).use({ location: 'uksouth' });
    new ResourceGroup(chart, 'group', { additionalSpec: { location: 'ukwest' } });
    expect(specOf(chart, 'ResourceGroup').location).toBe('ukwest');
  });

  test('that nobody gives is missing', () => {
    const chart = chartIn(app());
    new ResourceGroup(chart, 'group', {});
    expect(() => Testing.synth(chart)).toThrow('ResourceGroup location: is required, but missing.');
  });
});

test('the tenant goes where a kind has one, and a value of the resource stays', () => {
  const chart = chartIn(app());
  Defaults.of(chart).use({ location: 'uksouth', tenantId: TENANT });
  const owner = new ResourceGroup(chart, 'group');
  const properties = { sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true } as any;
  new Vault(chart, 'vault', { owner, azureName: 'shop-vault', properties });
  const server = new FlexibleServer(chart, 'db', { owner, azureName: 'shop-db', ...administrator });
  server.addAdministrator('22222222-3333-4444-5555-666666666666', { tenantId: '00000000-1111-2222-3333-444444444444' });
  expect(specOf(chart, 'Vault').properties.tenantId).toBe(TENANT);
  expect(properties).not.toHaveProperty('tenantId');
  expect(specOf(chart, 'FlexibleServer')).not.toHaveProperty('authConfig');
  expect(specOf(chart, 'FlexibleServersAdministrator').tenantId).toBe('00000000-1111-2222-3333-444444444444');
});

test('the tier goes to kinds whose SKU is a tier; a kind without the tier takes that of a wider scope', () => {
  const root = app();
  const chart = chartIn(root);
  Defaults.of(root).use({ location: 'uksouth', skuTier: 'Standard' });
  Defaults.of(chart).use({ skuTier: 'basic' });
  const owner = new ResourceGroup(chart, 'group');
  new Registry(chart, 'registry', { owner, azureName: 'shopregistry' });
  new ManagedCluster(chart, 'cluster', { owner, dnsPrefix: 'shop' });
  new Vault(chart, 'vault', { owner, azureName: 'shop-vault', properties: { tenantId: TENANT, enableRbacAuthorization: true } });
  const bus = new Namespace(chart, 'bus', { owner, azureName: 'shop-bus', sku: { name: 'Premium' as any } });
  expect(specOf(chart, 'Registry').sku).toEqual({ name: 'Basic' });
  expect(specOf(chart, 'ManagedCluster').sku).toEqual({ name: 'Base', tier: 'Standard' });
  expect(specOf(chart, 'Vault').properties.sku).toEqual({ family: 'A', name: 'standard' });
  expect(bus._check().spec.sku).toEqual({ name: 'Premium' });
});

test('tags, credential and policy are those of Tags, Credentials and ReconcilePolicies', () => {
  const chart = chartIn(app());
  const credential = CredentialReference.fromSecretName('shop-credential');
  Defaults.of(chart).use({ location: 'uksouth', tags: { team: 'shop' }, credential, reconcilePolicy: ReconcilePolicy.SKIP });
  const group = new ResourceGroup(chart, 'group');
  expect(specOf(chart, 'ResourceGroup').tags).toEqual({ team: 'shop' });
  expect((Testing.synth(chart) as Manifest[])[0]!.metadata.annotations).toEqual({
    'serviceoperator.azure.com/credential-from': 'shop-credential', 'serviceoperator.azure.com/reconcile-policy': 'skip',
  });
  expect(group.azureName).toBe(group.name);
});

test('kinds choose the resources', () => {
  const chart = chartIn(app());
  Defaults.of(chart).use({ location: 'uksouth' }).use({ location: 'ukwest', kinds: ['StorageAccount'] }).use({ tags: { a: 'b' }, exceptKinds: ['StorageAccount'] });
  const owner = new ResourceGroup(chart, 'group');
  new StorageAccount(chart, 'data', { owner: ResourceGroup.fromName('shared'), ...storage });
  expect([specOf(chart, 'StorageAccount').location, specOf(chart, 'StorageAccount').tags]).toEqual(['ukwest', undefined]);
  expect(owner._check().spec).toMatchObject({ location: 'uksouth', tags: { a: 'b' } });
});

test('values that fit no resource are refused', () => {
  const chart = chartIn(app());
  expect(() => Defaults.of(chart).use({ location: ' ' })).toThrow('[shop] Defaults.use: location: has to be a text that is not empty.');
  expect(() => Defaults.of(chart).use({ tenantId: 'contoso' })).toThrow(/tenant id of \[shop\] Defaults\.use/);
  const props: AzureResourceProps & Partial<RegistryProps> = { azureName: 'shopregistry', location: 'uksouth' };
  new Registry(chart, 'registry', { owner: ResourceGroup.fromName('shared'), ...props });
  expect(() => Testing.synth(chart)).toThrow('sku: is required, but missing.');
});

describe('the adoption', () => {
  const adoptions = (chart: Chart) =>
    (Testing.synth(chart) as Manifest[]).map(({ metadata: { annotations } }) => annotations?.['aso.cdk8s.io/adopt'] ?? 'none');

  test('is that of the scope, unless a resource has another, or is not managed', () => {
    const chart = chartIn(app());
    Defaults.of(chart).use({ location: 'uksouth', adopt: AdoptionPolicy.IF_PRESENT });
    new ResourceGroup(chart, 'a');
    new ResourceGroup(chart, 'b', { adopt: AdoptionPolicy.NEVER });
    new ResourceGroup(chart, 'c', { reconcilePolicy: ReconcilePolicy.SKIP });
    expect(adoptions(chart)).toEqual(['IfPresent', 'Never', 'none']);
  });

  test('is one of three', () => {
    const chart = chartIn(app());
    expect(() => Defaults.of(chart).use({ adopt: 'Always' as AdoptionPolicy })).toThrow('Allowed: IfPresent, OrCreate, Never');
  });
});
