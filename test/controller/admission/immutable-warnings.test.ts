import { objectOf, RESOURCE_ID, versionOf } from './objects';
import { immutableWarnings } from '../../../controller/admission/validation/immutable-warnings';

const account = versionOf('storage', 'StorageAccount');
const plan = versionOf('web', 'ServerFarm');
const created = { annotations: { [RESOURCE_ID]: '/subscriptions/s/resourceGroups/g' } };
const warned = (version: typeof account, before: Record<string, unknown>, after: Record<string, unknown>, metadata: object = created) =>
  immutableWarnings(version, objectOf(version, after, 'x', metadata), objectOf(version, before, 'x', metadata));

test('a change that Azure refuses is a warning, once the resource exists', () => {
  expect(warned(account, { kind: 'StorageV2' }, { kind: 'Storage' })).toEqual([
    'spec.kind: Azure refuses this change once the resource exists; keep the value, or delete the resource, with its data, and create it anew',
  ]);
  expect(warned(account, { kind: 'StorageV2' }, { kind: 'Storage' }, {})).toEqual([]);
});

test('what Azure takes is none, and a condition is said', () => {
  expect(warned(account, { kind: 'BlobStorage' }, { kind: 'StorageV2' })).toEqual([]);
  expect(warned(plan, { reserved: false }, { reserved: true })).toEqual([
    'spec.reserved: Azure refuses this change once the resource exists, while the plan has apps; keep the value, or delete the resource and create it anew',
  ]);
});
