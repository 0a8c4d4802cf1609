import { latest, ownerReference, stored, storageAccount } from './fixtures';
import { exporterOf } from '../../../engine/credentials/exported-secret';
import { exportsOf, ownedBy } from '../../../engine/export';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const storage = latest('storage', 'StorageAccount');
const owner = storageAccount({
  secrets: { key1: { name: 's', key: 'k', labels: { l: 'v' } } },
});
const { secrets: [secret] } = exportsOf(storage, owner, { values: { key1: 'K' }, notThere: [] });

test('ownership is by uid', () => {
  expect(ownedBy(stored(secret!), owner)).toBe(true);
  expect(ownedBy({ ...secret!, metadata: { ...secret!.metadata, ownerReferences: [{ ...ownerReference, uid: 'other' }] } }, owner)).toBe(
    false,
  );
  expect(ownedBy({ ...secret!, metadata: { name: 's' } }, owner)).toBe(false);
  const unsaved = { ...owner, metadata: { ...owner.metadata, uid: '' } };
  expect(ownedBy({ ...secret!, metadata: { name: 's', ownerReferences: [{ ...ownerReference, uid: '' }] } }, unsaved)).toBe(false);
});

test.each([null, 'x', {}, [null]])('an object with owners %j is nobody\'s', (ownerReferences) => {
  const object = { ...secret, metadata: { name: 's', ownerReferences } } as unknown as KubernetesObject;
  expect(ownedBy(object, owner)).toBe(false);
  expect(exporterOf(object)).toBeUndefined();
});
