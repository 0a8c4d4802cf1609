import { App, Chart } from 'cdk8s';
import {
  AdoptionPolicy, AsoAuthentication, AsoCredential, Defaults, GraphFormat, OwnerGraph, ReconcilePolicies, ReconcilePolicy, RemovalPolicies,
  RemovalPolicy, SecureDefaults, Tags,
} from '../../src/core';
import { Vault, VaultProps } from '../../src/services/keyvault';
import { PrivateDnsZone } from '../../src/services/network';
import { ResourceGroup } from '../../src/services/resources';
import { SkuName, StorageAccount, StorageAccountKind, StorageAccountProps } from '../../src/services/storage';

const ID = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
const chartIn = (app: App, id = 'shop') => new Chart(app, id, { namespace: 'shop' });
const defaultsOf = (construct: Chart['node']['children'][number]) => OwnerGraph.of(construct.node.root).nodeOf(construct)!.defaults;
const storage = { azureName: 'shopdata', kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS } };
const account = (scope: Chart, owner: ResourceGroup, props: Partial<StorageAccountProps> = {}) =>
  new StorageAccount(scope, 'data', { owner, ...storage, ...props });

test('values of scopes name the nearest scope that has them; values of the props are not among them', () => {
  const app = new App();
  const chart = chartIn(app);
  Defaults.of(app).use({ location: 'westeurope', tags: { team: 'shop', cost: '1' } });
  Defaults.of(chart).use({ location: 'uksouth', tenantId: ID, skuTier: 'Standard' });
  const group = new ResourceGroup(chart, 'group', { tags: { cost: '2' } });
  expect(defaultsOf(group)).toEqual({ 'location': 'shop', 'tags.team': '' });
  const vault = new Vault(chart, 'vault', { owner: group, properties: {} } as VaultProps);
  expect(defaultsOf(vault)).toEqual({
    'location': 'shop', 'properties.sku': 'shop', 'properties.tenantId': 'shop', 'tags.cost': '', 'tags.team': '',
  });
  expect(defaultsOf(account(chart, group, { location: 'ukwest', tags: { team: 'a', cost: '3' } }))).toBeUndefined();
});

test('a location of an owner names the owner, or the scope that has it for the owner', () => {
  const app = new App();
  const [own, scoped] = [chartIn(app, 'own'), chartIn(app, 'scoped')];
  expect(defaultsOf(account(own, new ResourceGroup(own, 'group', { location: 'uksouth' })))).toEqual({ location: 'own/group' });
  Defaults.of(scoped).use({ location: 'uksouth' });
  const group = new ResourceGroup(scoped, 'group', {});
  expect(defaultsOf(account(scoped, group, { azureName: 'other' }))).toEqual({ location: 'scoped' });
  expect(defaultsOf(new PrivateDnsZone(scoped, 'zone', { owner: group, azureName: 'shop.example.com' }))).toBeUndefined();
});

test('SecureDefaults name the scope for the values that they set', () => {
  const chart = chartIn(new App());
  const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  SecureDefaults.of(chart).apply();
  const found = defaultsOf(account(chart, owner, { location: 'uksouth', allowBlobPublicAccess: true }));
  expect(found).toMatchObject({ minimumTlsVersion: 'shop', supportsHttpsTrafficOnly: 'shop' });
  expect(Object.keys(found!)).not.toContain('allowBlobPublicAccess');
});

test('credentials and policies of scopes, where they are what is written', () => {
  const app = new App();
  const chart = chartIn(app);
  const authentication = AsoAuthentication.workloadIdentity(ID);
  const { reference } = new AsoCredential(chart, 'credential', { subscriptionId: ID, tenantId: ID, authentication });
  Defaults.of(app).use({ credential: reference, reconcilePolicy: ReconcilePolicy.MANAGE });
  RemovalPolicies.of(chart).apply(RemovalPolicy.RETAIN);
  const group = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  expect(defaultsOf(group)).toEqual({ credential: '', removalPolicy: 'shop' });
  ReconcilePolicies.of(chart).apply(ReconcilePolicy.SKIP);
  expect(defaultsOf(group)).toEqual({ credential: '', reconcilePolicy: 'shop' });
  const own = new ResourceGroup(chart, 'own', { location: 'uksouth', reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE, credential: reference });
  expect(defaultsOf(own)).toEqual({ removalPolicy: 'shop' });
});

test('the adoption of a scope', () => {
  const chart = chartIn(new App());
  Defaults.of(chart).use({ adopt: AdoptionPolicy.IF_PRESENT });
  expect(defaultsOf(new ResourceGroup(chart, 'group', { location: 'uksouth' }))).toEqual({ adopt: 'shop' });
  expect(defaultsOf(new ResourceGroup(chart, 'own', { location: 'uksouth', adopt: AdoptionPolicy.IF_PRESENT }))).toBeUndefined();
});

test('the tree has the scopes behind the resource, JSON has all of them', () => {
  const app = new App();
  const chart = chartIn(app);
  Defaults.of(chart).use({ location: 'uksouth', tags: { team: 'shop' } });
  Tags.of(app).add('cost', '1');
  new ResourceGroup(chart, 'group', { metadata: { name: 'rg' } });
  const graph = OwnerGraph.of(app);
  expect(graph.render(GraphFormat.TREE)).toBe('shop\n└─ ResourceGroup rg  ≔ location, tags.team of shop  ≔ tags.cost of the app');
  const [node] = (JSON.parse(graph.render(GraphFormat.JSON)) as { nodes: object[] }).nodes;
  expect(node).toMatchObject({ defaults: { 'location': 'shop', 'tags.cost': '', 'tags.team': 'shop' } });
});
