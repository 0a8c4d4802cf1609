import { FakeCluster } from './fake-cluster';
import { GROUPS, group, IDENTITIES, identity } from './harness';
import { blockingOwnerOf } from '../../../controller/reconcile/blocking-owner';
import { Cluster } from '../../../controller/reconcile/cluster';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';

const OWNER = { group: 'resources.azure.com', kind: 'ResourceGroup', namespace: 'default', name: 'rg' };
const withReady = (status: 'True' | 'False'): KubernetesObject => ({
  ...group(), status: { conditions: [{ type: 'Ready', status, reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
});
const withMetadata = (more: Partial<KubernetesObject['metadata']>) => ({ ...identity(), metadata: { ...identity().metadata, ...more } });

async function blocking(object: KubernetesObject, owner?: KubernetesObject, watchesOwner = true) {
  const stored = new FakeCluster();
  const cluster = new Cluster();
  if (owner) await stored.create(GROUPS, owner);
  if (owner?.status) await stored.replaceStatus(GROUPS, owner);
  for (const type of watchesOwner ? [GROUPS, IDENTITIES] : [IDENTITIES]) cluster.add(stored.watch(type));
  return blockingOwnerOf(object, cluster);
}

test.each([
  ['is missing', undefined], ['has no status', group()], ['is not Ready', withReady('False')],
])('an owner that %s blocks', async (_, owner) => {
  expect(await blocking(identity(), owner)).toEqual(OWNER);
});

test.each([
  ['with an owner that is Ready', identity(), withReady('True')],
  ['with an owner in Azure', identity('id', { owner: { armId: '/subscriptions/s/resourceGroups/rg' } }), undefined],
  ['without an owner', group(), undefined],
  ['with an owner that makes no sense', identity('id', { owner: { name: 3 } }), undefined],
  ['that is being deleted', withMetadata({ deletionTimestamp: '2026-01-01T00:00:00Z' }), undefined],
  ['that Azure may have', withMetadata({ annotations: { [RESOURCE_ID]: '/subscriptions/s/resourceGroups/rg' } }), undefined],
])('an object %s is not blocked', async (_, object, owner) => {
  expect(await blocking(object, owner)).toBeUndefined();
});

test('an owner whose kind is not watched is unknown, and does not block', async () => {
  expect(await blocking(identity(), undefined, false)).toBeUndefined();
});
