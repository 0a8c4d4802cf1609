import { wrongInAzure } from './kill/losses';
import { momentsOf } from './kill/moments';
import { runKills } from './kill/run';
import { tree } from './kill/tree';
import { realKubernetes } from './real-kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes';
import type { LoggedRequest } from '../../sandbox/azure';
import { RESOURCE_ID } from '../../src/azure/annotations';

// The whole of it, 500 objects and 60 kills: scripts/kill-nine.mjs.
describe.each(realKubernetes ? (['sandbox', 'real'] as const) : (['sandbox'] as const))(
  'kill -9 of the controller, again and again (%s)',
  (on) => {
    test('during an apply and a deletion: nothing lost, nothing created twice, all Ready, then nothing left', async () => {
      const { losses, doneAtKill, goneAtKill } = await runKills({
        on,
        objects: on === 'real' ? 36 : 100,
        kills: on === 'real' ? 3 : 5,
        deletionKills: 2,
        seed: 20260807,
      });
      expect(losses).toEqual([]);
      expect([doneAtKill.length, goneAtKill.length]).toEqual(on === 'real' ? [expect.any(Number), expect.any(Number)] : [5, 2]);
    });
  },
);

test('a seed gives the same moments, another one others', () => {
  expect(momentsOf(7, 50, 300)).toEqual(momentsOf(7, 50, 300));
  expect(momentsOf(7, 50, 300)).not.toEqual(momentsOf(8, 50, 300));
  const moments = momentsOf(7, 500, 300);
  for (const { of, after } of moments) expect(after).toBeLessThanOrEqual(of === 'start' ? 400 : 300);
  expect(new Set(moments.map(({ of, arrives }) => `${of} ${arrives}`)).size).toBe(4);
});

test('the tree has so many objects as asked for, owners before what they own, names once', () => {
  const objects = tree(500);
  const names = objects.map(({ kind, metadata: { namespace, name } }) => `${namespace}/${kind}/${name}`);
  expect(new Set(names).size).toBe(500);
  objects.forEach(({ metadata: { namespace }, spec }, index) => {
    const owner = spec?.owner as { name: string } | undefined;
    if (owner) {
      expect(objects.findIndex(({ metadata }) => metadata.namespace === namespace && metadata.name === owner.name)).toBeLessThan(index);
    }
  });
});

test('what comes with its parent may be left as it is, unless its object asks for something', () => {
  const id = '/subscriptions/s/resourcegroups/g/providers/microsoft.storage/storageaccounts/a/blobservices/default';
  const service = (asked: Record<string, unknown>): KubernetesObject => ({
    apiVersion: 'storage.azure.com/v1api20230101',
    kind: 'StorageAccountsBlobService',
    metadata: { name: 'blobs', namespace: 'n', annotations: { [RESOURCE_ID]: id } },
    spec: { owner: { name: 'a' }, ...asked },
  });
  const retention = { deleteRetentionPolicy: { enabled: true, days: 7 } };
  const put: LoggedRequest = { at: '', method: 'PUT', path: id, apiVersion: '1', status: 200 };
  expect(wrongInAzure([service({})], [], [])).toEqual([]);
  expect(wrongInAzure([service({})], [put], [{ id, properties: {} }])).toEqual([]);
  expect(wrongInAzure([service(retention)], [], [])).toEqual([
    `${id} is not there`,
    `${id} was sent 0 times`,
    'StorageAccountsBlobService n/blobs asks for 7 days of retention, and Azure has undefined',
  ]);
  expect(wrongInAzure([service(retention)], [put], [{ id, properties: retention }])).toEqual([]);
});
