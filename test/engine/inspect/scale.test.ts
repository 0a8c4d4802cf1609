import { azure, READY, snapshotOf, warning } from './snapshots';
import type * as Inspect from '../../../engine/inspect';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { counted, growth } from '../../setup/work';

const COUNT = 5_000;
const { inspect } = counted<typeof Inspect>('engine/inspect');

/** A hundred groups, each with children that wait for it. */
function groups(count: number): KubernetesObject[] {
  return Array.from({ length: count / 50 }, (_, group) => [
    azure('ResourceGroup', `group${group}`, { namespace: `team${group % 10}`, ready: group % 2 ? READY : warning('AuthorizationFailed', 'no') }),
    ...Array.from({ length: 49 }, (_unused, child) => azure('StorageAccount', `data${group}-${child}`, {
      namespace: `team${group % 10}`,
      spec: { owner: { name: `group${group}` }, sku: { name: 'Standard_LRS' }, kind: 'StorageV2' },
      ready: group % 2 ? READY : warning('WaitingForOwner'),
    })),
  ]).flat();
}

/** Each identity reads what the one before it exports. */
function chain(count: number): KubernetesObject[] {
  return Array.from({ length: count }, (_, index) => azure('RoleAssignment', `role${index}`, {
    spec: {
      owner: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: `role${index + 1}` },
      principalIdFromConfig: { name: `ids${index + 1}`, key: 'id' },
      operatorSpec: { configMapExpressions: [{ name: `ids${index}`, key: 'id', value: 'self.metadata.name' }] },
    },
    ready: warning('ConfigMapNotFound'),
  }));
}

/** All write to one Secret that all read. */
function oneSecret(count: number): KubernetesObject[] {
  return Array.from({ length: count }, (_, index) => azure('RoleAssignment', `role${index}`, {
    spec: {
      principalIdFromConfig: { name: 'ids', key: 'other' },
      operatorSpec: { configMapExpressions: [{ name: 'ids', key: `id${index}`, value: 'self.metadata.name' }] },
    },
    ready: warning('ConfigMapNotFound'),
  }));
}

test.each([['groups', groups], ['one chain', chain], ['one Secret', oneSecret]])('5,000 objects take work by their number: %s', (_title, make) => {
  const snapshots = new Map([COUNT / 4, COUNT].map((count) => [count, snapshotOf({ objects: make(count) })]));
  let found!: Inspect.Inspection;
  expect(growth(COUNT / 4, (count) => (found = inspect(snapshots.get(count)!)))).toBeLessThan(5);
  expect(found.nodes).toHaveLength(COUNT);
});

test('a chain of thousands has one cause', () => {
  expect(inspect(snapshotOf({ objects: chain(COUNT) })).causes).toMatchObject([{ code: 'ConfigMapMissing', object: { name: `ids${COUNT}` } }]);
});
