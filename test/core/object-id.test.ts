import {
  apiVersionOf, groupOf, objectIdOf, objectKeyOf, objectTitleOf, parseApiVersion, parseObjectKey, versionNameOf,
} from '../../src/object-id';

test.each([
  ['storage.azure.com/v1', 'storage.azure.com', 'v1'],
  ['v1', '', 'v1'],
])('%s is of the group %s, in the version %s', (apiVersion, group, version) => {
  const parts = [parseApiVersion(apiVersion), groupOf({ apiVersion }), versionNameOf({ apiVersion })];
  expect(parts).toEqual([{ group, version }, group, version]);
  expect(apiVersionOf({ group, version })).toBe(apiVersion);
});

test('an object has one id in all versions, and a key from which it comes back', () => {
  const ids = ['v1', 'v1api20230101'].map((version) => (
    objectIdOf({ apiVersion: `storage.azure.com/${version}`, kind: 'StorageAccount', metadata: { name: 'data', namespace: 'shop' } })));
  expect(ids[0]).toEqual(ids[1]);
  expect(objectKeyOf(ids[0]!)).toBe('storage.azure.com/StorageAccount/shop/data');
  expect(parseObjectKey(objectKeyOf(ids[0]!))).toEqual(ids[0]);
});

test('an object without a namespace has none in its key and its title', () => {
  const id = objectIdOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  expect([id, objectKeyOf(id), objectTitleOf(id)]).toEqual([
    { group: '', kind: 'Namespace', namespace: '', name: 'shop' }, '/Namespace//shop', 'Namespace shop',
  ]);
  expect(objectTitleOf({ kind: 'StorageAccount', namespace: 'shop', name: 'data' })).toBe('StorageAccount shop/data');
});
