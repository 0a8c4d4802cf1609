import { keepingRecords } from '../../../cli/migrate/keeping-records';
import { managedFieldsOf, withManagedFields, type ManagedFieldsEntry } from '../../../cli/migrate/managed-fields';
import type { MigratedKind } from '../../../cli/migrate/migrated-kinds';
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

/** An API server that drops the records of so many writes, and a clock that counts its pauses. */
function cluster(losses: number, stored: KubernetesObject = object) {
  const state = { stored, writes: 0, pauses: 0 };
  const write = async (_: unknown, next: KubernetesObject) => {
    state.writes += 1;
    const { managedFields: __, ...metadata } = next.metadata as KubernetesObject['metadata'] & { managedFields?: unknown };
    state.stored = state.writes <= losses ? { ...next, metadata } : next;
    return state.stored;
  };
  const client = { get: async () => state.stored, replace: write, replaceStatus: write };
  const clock = { sleep: async () => void (state.pauses += 1) };
  return { state, context: { client, clock, catalog } as never };
}
const kindOf = (to: string): MigratedKind =>
  ({ crd: `storageaccounts.${group}`, group, kind: 'StorageAccount', plural: 'storageaccounts', from: version, to }) as MigratedKind;

test.each([0, 1, 3])('an object that is given back keeps its records when %s writes lose them', async (losses) => {
  const { state, context } = cluster(losses);
  await returnOne(context, kindOf(`${version}storage`), { type, versionOf: () => version }, 'data', 'shop');
  expect([managedFieldsOf(state.stored), state.writes, state.pauses]).toEqual([[users], 1 + losses, losses]);
});

test.each([0, 1, 3])('an object that is rewritten keeps its records when %s writes lose them', async (losses) => {
  const { state, context } = cluster(losses);
  const kind = { ...kindOf(version), from: `${version}storage` };
  const options = { client: keepingRecords(context), catalog, kinds: [kind] };
  await new Rewriter(options, kind, { at: '2026-01-02T00:00:00Z', byUid: new Map() }).rewrite('data', 'shop');
  expect([managedFieldsOf(state.stored), state.writes, state.pauses]).toEqual([[users], 1 + losses, losses]);
});

test('a write of the status keeps them, too', async () => {
  const { state, context } = cluster(1);
  await keepingRecords(context).replaceStatus(type, object);
  expect([managedFieldsOf(state.stored), state.writes]).toEqual([[users], 2]);
});

test('an object without records is written once', async () => {
  const { state, context } = cluster(100);
  await keepingRecords(context).replace(type, { ...object, metadata: { name: 'data' } });
  expect([state.writes, state.pauses]).toEqual([1, 0]);
});

test('where they are lost for half a minute, the object and what to do are named', async () => {
  const { state, context } = cluster(1000);
  await expect(keepingRecords(context).replace(type, object)).rejects.toThrow(
    /dropped metadata\.managedFields of the StorageAccount shop\/data, since no conversion webhook answers: .*start the command again/,
  );
  expect([state.writes, state.pauses]).toEqual([61, 60]);
});
