import { keepRecords } from '../../../cli/migrate/keep-records';
import { managedFieldsOf, withManagedFields, type ManagedFieldsEntry } from '../../../cli/migrate/managed-fields';
import { Rewriter } from '../../../cli/migrate/rewriter';
import { returnOne } from '../../../cli/migrate/to-aso/return-objects';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';

const catalog = Catalog.default();
const [group, version] = ['storage.azure.com', 'v20250601'];
const type = { group, version, plural: 'storageaccounts', kind: 'StorageAccount', namespaced: true };
const users: ManagedFieldsEntry = {
  manager: 'kubectl', operation: 'Update', apiVersion: `${group}/${version}`, time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': { 'f:kind': {} } },
};
const object = withManagedFields({
  apiVersion: `${group}/${version}`, kind: 'StorageAccount', metadata: { name: 'data', namespace: 'shop', resourceVersion: '1' }, spec: { kind: 'StorageV2' },
}, [users]);

/** An API server that drops the records of so many writes. */
function cluster(losses: number) {
  let stored: KubernetesObject = object;
  let writes = 0;
  return {
    get: async () => stored,
    replace: async (_: unknown, next: KubernetesObject) => {
      writes += 1;
      const { managedFields: __, ...metadata } = next.metadata as KubernetesObject['metadata'] & { managedFields?: unknown };
      stored = writes <= losses ? { ...next, metadata } : next;
      return stored;
    },
    stored: () => stored,
    writes: () => writes,
  };
}
const kindOf = (to: string) => ({ crd: `storageaccounts.${group}`, group, kind: 'StorageAccount', plural: 'storageaccounts', from: version, to });

test.each([0, 1, 3])('an object that is given back keeps its records when %s writes lose them', async (losses) => {
  const server = cluster(losses);
  await returnOne({ client: server, catalog } as never, kindOf(`${version}storage`) as never, { type, versionOf: () => version }, 'data', 'shop');
  expect([managedFieldsOf(server.stored()), server.writes()]).toEqual([[users], 1 + losses]);
});

test.each([0, 1, 3])('an object that is rewritten keeps its records when %s writes lose them', async (losses) => {
  const server = cluster(losses);
  const kind = { ...kindOf(version), from: `${version}storage` };
  const rewriter = new Rewriter({ client: server as never, catalog, kinds: [kind as never] }, kind as never, { at: '2026-01-02T00:00:00Z', byUid: new Map() });
  await rewriter.rewrite('data', 'shop');
  expect([managedFieldsOf(server.stored()), server.writes()]).toEqual([[users], 1 + losses]);
});

test('an object without records is written once, and what always loses them is written a few times', async () => {
  const server = cluster(100);
  await keepRecords(server as never, type, { ...object, metadata: { name: 'data' } }, []);
  expect(server.writes()).toBe(0);
  await keepRecords(server as never, type, { ...object, metadata: { name: 'data' } }, [users]);
  expect(server.writes()).toBe(5);
});
