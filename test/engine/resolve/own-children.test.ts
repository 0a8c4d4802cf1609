import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { ownChildrenOf, type ObjectLookup } from '../../../engine/resolve';

const POOLS = 'Microsoft.ContainerService/managedClusters/agentPools';
const ID = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/k8s';
const object = (kind: string, name: string, spec: object, namespace = 'team'): KubernetesObject => (
  { apiVersion: 'containerservice.azure.com/v1api20240901', kind, metadata: { name, namespace }, spec: { ...spec } }
);
const parent = { object: object('ManagedCluster', 'k', { azureName: 'k8s' }), armId: ID };
const pool = (name: string, spec: object, namespace?: string) => object('ManagedClustersAgentPool', name, spec, namespace);
const lookup = (objects: readonly KubernetesObject[] | undefined): ObjectLookup => (
  { find: () => undefined, serves: () => true, list: () => objects }
);

test('children are those that name the object, or the resource, as their owner', () => {
  const found = ownChildrenOf(POOLS, parent, lookup([
    pool('one', { owner: { name: 'k' } }),
    pool('two', { owner: { name: 'k' }, azureName: 'Second' }),
    pool('by-id', { owner: { armId: ID.toUpperCase().replace('/SUBSCRIPTIONS', '/subscriptions') } }, 'other'),
    pool('of-another', { owner: { name: 'k2' } }),
    pool('elsewhere', { owner: { name: 'k' } }, 'other'),
    pool('broken', { owner: 'k' }),
  ]));
  expect(Object.fromEntries(found!)).toEqual({
    'one': 'ManagedClustersAgentPool team/one',
    'second': 'ManagedClustersAgentPool team/two',
    'by-id': 'ManagedClustersAgentPool other/by-id',
  });
});

test('what is not listed completely is not known, and a type without a kind has none', () => {
  expect(ownChildrenOf(POOLS, parent, lookup(undefined))).toBeUndefined();
  expect(ownChildrenOf('Microsoft.None/a/b', parent, lookup(undefined))).toEqual(new Map());
  expect(ownChildrenOf(POOLS, parent, { find: () => undefined, serves: () => true })).toEqual(new Map());
});
