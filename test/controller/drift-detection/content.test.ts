import fc from 'fast-check';
import { changedPaths, contentOf, statusDigestOf } from '../../../controller/drift-detection/content';
import { bodyShape } from '../../../engine/compare';
import { Catalog } from '../../../src/catalog';

const ACCOUNT = bodyShape(Catalog.default().kind('storage.azure.com', 'StorageAccount')!.latest);
const row = (more: Record<string, unknown> = {}, properties: Record<string, unknown> = {}) => ({
  id: '/subscriptions/s/x',
  name: 'x',
  type: 'microsoft.storage/storageaccounts',
  location: 'westeurope',
  sku: { name: 'Standard_LRS', tier: 'Standard' },
  properties: { accessTier: 'Hot', networkAcls: { ipRules: [{ value: '1.2.3.4' }, { value: '5.6.7.8' }] }, ...properties },
  ...more,
});
const digest = (value: Record<string, unknown>) => contentOf(value, ACCOUNT).digest;

test.each([
  ['a tag', row({ tags: { lastUpdated: 'x' } })],
  ['a sku', row({ sku: { name: 'Standard_ZRS', tier: 'Standard' } })],
  ['a property that the catalog does not know', row({}, { novelty: true })],
  ['an element less', row({}, { networkAcls: { ipRules: [{ value: '1.2.3.4' }] } })],
  ['a kind', row({ kind: 'StorageV2' })],
])('%s counts', (_, changed) => {
  expect(digest(changed)).not.toBe(digest(row()));
});

test.each([
  ['the order of elements', row({}, { networkAcls: { ipRules: [{ value: '5.6.7.8' }, { value: '1.2.3.4' }] } })],
  ['null for absent', row({ tags: null, zones: null, identity: {}, extendedLocation: [] })],
  ['an etag', row({ etag: 'W/"1"' }, { etag: '2' })],
  ['times', row({ systemData: { lastModifiedAt: 'now' } }, { lastUpdatedTime: '2026-01-01', creationTimestamp: 'x' })],
  ['usage', row({}, { sizeInBytes: 12, countDetails: { activeMessageCount: 3 } })],
  ['where the row stands', row({ id: '/SUBSCRIPTIONS/s/x', tenantId: 't', subscriptionId: 's', resourceGroup: 'g' })],
])('%s does not count', (_, same) => {
  expect(digest(same)).toBe(digest(row()));
});

test('values of elements cannot swap their places unseen', () => {
  const pairs = (a: number, b: number) => row({}, { list: [{ name: 'one', value: a }, { name: 'two', value: b }] });
  expect(digest(pairs(1, 2))).not.toBe(digest(pairs(2, 1)));
});

test('what the spec has counts, whatever its name', () => {
  const shape = { members: new Map([['properties', { members: new Map([['lastWord', {}]]) }]]) };
  expect(contentOf({ properties: { lastWord: 1 } }, shape).digest).not.toBe(contentOf({ properties: { lastWord: 2 } }, shape).digest);
});

test('paths that differ are named, and a content without them is the same again', () => {
  const [a, b] = [row({}, { counter: 1, list: [{ at: 1 }] }), row({}, { counter: 2, list: [{ at: 2 }] })];
  const leaves = (value: Record<string, unknown>) => contentOf(value, ACCOUNT, undefined, true).leaves!;
  const paths = changedPaths(leaves(a), leaves(b));
  expect(paths.sort()).toEqual(['/properties/counter', '/properties/list/*/at']);
  expect(contentOf(a, ACCOUNT, new Set(paths)).digest).toBe(contentOf(b, ACCOUNT, new Set(paths)).digest);
});

test('a status is the same without its conditions and times', () => {
  expect(statusDigestOf({ a: 1, conditions: [1], etag: 'x' })).toBe(statusDigestOf({ a: 1, conditions: [2], etag: 'y' }));
  expect(statusDigestOf({ a: 1 })).not.toBe(statusDigestOf({ a: 2 }));
});

test('the order of members never counts, and every other difference does', () => {
  const anything = fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const reversed = (value: Record<string, unknown>) => Object.fromEntries(Object.entries(value).reverse());
  fc.assert(fc.property(anything, (properties) => {
    expect(digest(row({}, properties))).toBe(digest(row({}, reversed(properties))));
    expect(digest(row({}, { ...properties, 'quite new': 1 }))).not.toBe(digest(row({}, properties)));
  }), { numRuns: 100 });
});
