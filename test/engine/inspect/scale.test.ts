import { azure, inspected, READY, warning } from './snapshots';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const COUNT = 5_000;

function milliseconds(act: () => void): number {
  const start = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** A hundred groups, each with children that wait for it. */
function groups(): KubernetesObject[] {
  return Array.from({ length: COUNT / 50 }, (_, group) => [
    azure('ResourceGroup', `group${group}`, { namespace: `team${group % 10}`, ready: group % 2 ? READY : warning('AuthorizationFailed', 'no') }),
    ...Array.from({ length: 49 }, (_unused, child) => azure('StorageAccount', `data${group}-${child}`, {
      namespace: `team${group % 10}`,
      spec: { owner: { name: `group${group}` }, sku: { name: 'Standard_LRS' }, kind: 'StorageV2' },
      ready: group % 2 ? READY : warning('WaitingForOwner'),
    })),
  ]).flat();
}

/** Each identity reads what the one before it exports. */
function chain(): KubernetesObject[] {
  return Array.from({ length: COUNT }, (_, index) => azure('RoleAssignment', `role${index}`, {
    spec: {
      owner: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: `role${index + 1}` },
      principalIdFromConfig: { name: `ids${index + 1}`, key: 'id' },
      operatorSpec: { configMapExpressions: [{ name: `ids${index}`, key: 'id', value: 'self.metadata.name' }] },
    },
    ready: warning('ConfigMapNotFound'),
  }));
}

/** All write to one Secret that all read. */
function oneSecret(): KubernetesObject[] {
  return Array.from({ length: COUNT }, (_, index) => azure('RoleAssignment', `role${index}`, {
    spec: {
      principalIdFromConfig: { name: 'ids', key: 'other' },
      operatorSpec: { configMapExpressions: [{ name: 'ids', key: `id${index}`, value: 'self.metadata.name' }] },
    },
    ready: warning('ConfigMapNotFound'),
  }));
}

test.each([['groups', groups], ['one chain', chain], ['one Secret', oneSecret]])('5,000 objects, %s: less than a second', (_title, make) => {
  const objects = make();
  inspected({ objects: objects.slice(0, 500) });
  const took = milliseconds(() => expect(inspected({ objects }).nodes).toHaveLength(COUNT));
  expect(took).toBeLessThan(1_000);
});

test('a chain of thousands has one cause', () => {
  expect(inspected({ objects: chain() }).causes).toMatchObject([{ code: 'ConfigMapMissing', object: { name: `ids${COUNT}` } }]);
});
