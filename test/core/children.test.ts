import { App, Chart, Testing } from 'cdk8s';
import { AzureNaming, RemovalPolicy } from '../../src/core';
import { UserAssignedIdentity } from '../../src/services/managedidentity';
import { DnsZone, VirtualNetwork } from '../../src/services/network';
import { ResourceGroup } from '../../src/services/resources';
import { Namespace, SBSkuName } from '../../src/services/servicebus';
import { SkuName, StorageAccount, StorageAccountKind, StorageAccountsBlobService } from '../../src/services/storage';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Record<string, string> };
  readonly spec: { readonly azureName?: string; readonly owner: { readonly name: string } };
}

function shop() {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  const group = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  const account = new StorageAccount(chart, 'data', {
    owner: group, azureName: 'shopdata', location: 'uksouth', kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS },
  });
  return { chart, group, account };
}

const objects = (chart: Chart) => Testing.synth(chart) as Manifest[];
const named = (chart: Chart, kind: string) => objects(chart).filter((object) => object.kind === kind);

test('an owner creates its children, which have their id as their name in Azure', () => {
  const { chart, account } = shop();
  const container = account.addBlobService('blobs').addContainer('orders');
  expect(container.azureName).toBe('orders');
  expect(container.node.path).toBe('shop/data-blobs-blob-service-orders-container');
  const [service] = named(chart, 'StorageAccountsBlobService');
  expect(named(chart, 'StorageAccountsBlobServicesContainer')[0]!.spec).toEqual({ azureName: 'orders', owner: { name: service!.metadata.name } });
});

test('a singleton is created when it is first needed, once, and found wherever it was created', () => {
  const { chart, account } = shop();
  account.addContainer('orders');
  account.addContainer('bills');
  account.addQueue('orders');
  expect(account.blobService).toBe(account.blobService);
  expect(named(chart, 'StorageAccountsBlobService')).toHaveLength(1);
  expect(named(chart, 'StorageAccountsQueueService')).toHaveLength(1);

  const { chart: other, account: second } = shop();
  const own = new StorageAccountsBlobService(other, 'own', { owner: second, isVersioningEnabled: true });
  second.addContainer('orders');
  expect(second.blobService).toBe(own);
  expect(named(other, 'StorageAccountsBlobService')).toHaveLength(1);
});

test('two children of different kinds may have one id', () => {
  const { chart, group } = shop();
  const zone = new DnsZone(chart, 'zone', { owner: group, azureName: 'shop.example', location: 'global' });
  zone.addARecord('www', { ttl: 60, aRecords: [{ ipv4Address: '203.0.113.7' }] });
  zone.addTxtRecord('www', { ttl: 60, txtRecords: [{ value: ['x'] }] });
  const names = objects(chart).filter(({ kind }) => /Record$/.test(kind)).map(({ spec }) => spec.azureName);
  expect(names).toEqual(['www', 'www']);
  expect(() => zone.addARecord('www')).toThrow(/already a Construct with name 'zone-www-a-record'/);
});

test('two networks that are each other\'s peers are no cycle', () => {
  const { chart, group } = shop();
  const [one, two] = ['one', 'two'].map((id, index) => new VirtualNetwork(chart, id, { owner: group, location: 'uksouth', addressSpace: { addressPrefixes: [`10.${index}.0.0/16`] } }));
  one!.addPeering('to-two', { remoteVirtualNetwork: { reference: two! } });
  two!.addPeering('to-one', { remoteVirtualNetwork: { reference: one! } });
  expect(named(chart, 'VirtualNetworksVirtualNetworkPeering').map(({ spec }) => spec.azureName)).toEqual(['to-two', 'to-one']);
});

test('the options have metadata, policy and an own azureName; the namespace is that of the owner', () => {
  const { chart, group } = shop();
  const bus = new Namespace(chart, 'bus', {
    owner: group, azureName: 'shop-bus', location: 'uksouth', sku: { name: SBSkuName.STANDARD }, metadata: { namespace: 'messages' },
  });
  const queue = bus.addQueue('orders', { azureName: 'orders-v2', metadata: { labels: { team: 'shop' } }, removalPolicy: RemovalPolicy.RETAIN });
  expect(queue.metadata.namespace).toBe('messages');
  expect(queue.azureName).toBe('orders-v2');
  expect(queue.metadata.getLabel('team')).toBe('shop');
});

test('an id that no Kubernetes object may have as a name stays the name in Azure', () => {
  const { chart, group } = shop();
  const bus = new Namespace(chart, 'bus', { owner: group, azureName: 'shop-bus', location: 'uksouth', sku: { name: SBSkuName.STANDARD } });
  const queues = ['q_2.x-y', 'q-2.x-y', 'eu~orders.', '_jobs_'].map((id) => bus.addQueue(id, { azureName: 'orders' + id.length }));
  expect(queues.map(({ name }) => name.replace(/-[0-9a-f]{8}$/, ''))).toEqual([
    'shop-bus-q-2.x-y-queue', 'shop-bus-q-2.x-y-queue', 'shop-bus-euorders.queue', 'shop-bus--jobs--queue',
  ]);
  expect(new Set(queues.map(({ name }) => name)).size).toBe(4);
  expect(bus.addQueue('q_3').azureName).toBe('q_3');
  expect(bus.addQueue('given', { metadata: { name: 'my.queue' } }).name).toBe('my.queue');
});

test('a naming of the scope comes before the id', () => {
  const { chart, account } = shop();
  AzureNaming.cloudAdoptionFramework({ workload: 'shop', environment: 'prod' }).applyTo(chart);
  expect(account.addContainer('orders').azureName).not.toBe('orders');
});

test('a bad id is reported as the name that it is', () => {
  const { chart, account } = shop();
  account.addContainer('Orders!');
  expect(() => objects(chart)).toThrow(/azureName: .*It is the construct's id, for want of an azureName: give azureName\./);
  expect(() => account.addContainer('')).toThrow('[shop/data-blob-service] The id of the container is missing.');
});

test('the children of other services: federated credentials', () => {
  const { chart, group } = shop();
  const identity = new UserAssignedIdentity(chart, 'identity', { owner: group, location: 'uksouth' });
  const trust = { issuer: 'https://issuer.example/', subject: 'system:serviceaccount:shop:web', audiences: ['api://AzureADTokenExchange'] };
  expect(identity.addFederatedCredential('web', trust).azureName).toBe('web');
});
