import { latest, ownerReference, storageAccount } from './fixtures';
import { exporterOf } from '../../../engine/credentials/exported-secret';
import { exportsOf, exportWrite, ownedBy } from '../../../engine/export';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const storage = latest('storage', 'StorageAccount');
const owner = storageAccount({
  secrets: { key1: { name: 's', key: 'k', labels: { l: 'v' } } },
  configMaps: { blobEndpoint: { name: 'c', key: 'blob' } },
});
const {
  secrets: [secret],
  configMaps: [configMap],
} = exportsOf(storage, owner, { values: { key1: 'K' }, notThere: [] });

/** As the API server keeps a Secret. */
function stored(object: KubernetesObject): KubernetesObject {
  const { stringData, ...rest } = object;
  const data = stringData
    ? Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
    : rest.data;
  return {
    ...rest,
    ...(data && { data }),
    metadata: { ...object.metadata, uid: 'its-own', resourceVersion: '7', creationTimestamp: '2025-01-01T00:00:00Z' },
  };
}

test('ownership is by uid', () => {
  expect(ownedBy(stored(secret!), owner)).toBe(true);
  expect(ownedBy({ ...secret!, metadata: { ...secret!.metadata, ownerReferences: [{ ...ownerReference, uid: 'other' }] } }, owner)).toBe(
    false,
  );
  expect(ownedBy({ ...secret!, metadata: { name: 's' } }, owner)).toBe(false);
  const unsaved = { ...owner, metadata: { ...owner.metadata, uid: '' } };
  expect(ownedBy({ ...secret!, metadata: { name: 's', ownerReferences: [{ ...ownerReference, uid: '' }] } }, unsaved)).toBe(false);
});

describe('writing', () => {
  test('what is absent is created, what is equal is left alone', () => {
    expect(exportWrite(undefined, secret!, owner)).toEqual({ action: 'create', object: secret });
    expect(exportWrite(stored(secret!), secret!, owner)).toEqual({ action: 'none' });
    expect(exportWrite(stored(configMap!), configMap!, owner)).toEqual({ action: 'none' });
  });

  test.each<[string, (object: KubernetesObject) => KubernetesObject]>([
    ['another value', (object) => ({ ...object, data: { k: 'eA==' } })],
    ['a foreign key', (object) => ({ ...object, data: { ...object.data, foreign: 'eA==' } })],
    ['a missing key', (object) => ({ ...object, data: {} })],
    ['a foreign label', (object) => ({ ...object, metadata: { ...object.metadata, labels: { l: 'v', m: 'w' } } })],
    ['a foreign annotation', (object) => ({ ...object, metadata: { ...object.metadata, annotations: { a: 'b' } } })],
    [
      'a further owner',
      (object) => ({
        ...object,
        metadata: { ...object.metadata, ownerReferences: [...object.metadata.ownerReferences!, { ...ownerReference, uid: 'x' }] },
      }),
    ],
  ])('%s is replaced as a whole, at the version that was read', (_, change) => {
    const write = exportWrite(change(stored(secret!)), secret!, owner);
    expect(write).toEqual({
      action: 'replace',
      object: { ...secret, metadata: { ...secret!.metadata, resourceVersion: '7', uid: 'its-own' } },
    });
  });

  test.each<[string, object, object]>([
    ['data and labels of null', { data: null }, { labels: null, annotations: null }],
    ['data and labels that are texts', { data: 'x' }, { labels: 'x', annotations: 'x' }],
    ['owners that are none', {}, { ownerReferences: [null, 'x', ownerReference] }],
  ])('%s are taken as they come', (_, members, metadata) => {
    const existing = stored(configMap!);
    const write = exportWrite(
      { ...existing, ...members, metadata: { ...existing.metadata, ...metadata } } as KubernetesObject,
      configMap!,
      owner,
    );
    expect(write.action).toBe('ownerReferences' in metadata ? 'none' : 'replace');
  });

  test.each([null, 'x', {}, [null]])('an object with owners %j is nobody\'s', (ownerReferences) => {
    const object = { ...secret, metadata: { name: 's', ownerReferences } } as unknown as KubernetesObject;
    expect(ownedBy(object, owner)).toBe(false);
    expect(exporterOf(object)).toBeUndefined();
  });

  test('what belongs to somebody else is not touched', () => {
    const foreign = { ...stored(secret!), metadata: { name: 's', namespace: 'team' } };
    expect(() => exportWrite(foreign, secret!, owner)).toThrow(
      'cannot overwrite Secret team/s which is not owned by StorageAccount.storage.azure.com team/acc',
    );
  });
});
