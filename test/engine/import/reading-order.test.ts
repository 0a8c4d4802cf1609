import type { ImportedResource } from '../../../engine/import/imported-resource';
import { parentOf } from '../../../engine/import/importer';
import { readingOrder } from '../../../engine/import/reading-order';
import { Catalog } from '../../../src/catalog';

const GROUP = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop';
const NETWORK = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
const CLUSTER = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/web`;
const version = (group: string, kind: string) => Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
const resource = (id: string, group: string, kind: string, references: string[] = []): ImportedResource => ({
  id,
  version: version(group, kind),
  owner: parentOf(id),
  name: id,
  answer: {},
  secrets: [],
  missing: [],
  refused: [],
  spec: { list: references.map((armId) => ({ armId })) },
});
const order = (...resources: ImportedResource[]) =>
  readingOrder(resources, new Map(resources.map((one) => [one.id.toLowerCase(), one]))).map(({ id }) => id.split('/').at(-1));

const group = resource(GROUP, 'resources', 'ResourceGroup');
const subnet = (name: string, ...references: string[]) => resource(`${NETWORK}/subnets/${name}`, 'network', 'VirtualNetworksSubnet', references);

test('a resource, what is in it, and before it what it refers to', () => {
  const cluster = resource(CLUSTER, 'containerservice', 'ManagedCluster', [`${NETWORK}/subnets/b`]);
  expect(order(cluster, subnet('b'), subnet('a'), resource(NETWORK, 'network', 'VirtualNetwork'), group)).toEqual(['shop', 'net', 'a', 'b', 'web']);
});

test('resources that refer to each other are all there', () => {
  const cluster = resource(CLUSTER, 'containerservice', 'ManagedCluster', [`${NETWORK}/subnets/a`]);
  expect(order(cluster, subnet('a', CLUSTER), resource(NETWORK, 'network', 'VirtualNetwork'), group)).toEqual(['shop', 'net', 'a', 'web']);
});
