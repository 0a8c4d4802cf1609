import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Azure, GROUP } from './client';

const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`;

/** The form of https://github.com/Azure/bicep-types-az, with a few members of a storage account. */
const ref = (place: number) => ({ $ref: `#/${place}` });
const TYPES = [
  { $type: 'ResourceType', name: 'Microsoft.Storage/storageAccounts@2024-01-01', body: ref(1) },
  {
    $type: 'ObjectType',
    name: 'Microsoft.Storage/storageAccounts',
    properties: {
      id: { type: ref(2), flags: 10 },
      name: { type: ref(2), flags: 9 },
      location: { type: ref(2), flags: 1 },
      kind: { type: ref(3), flags: 1 },
      sku: { type: ref(4), flags: 0 },
      tags: { type: ref(6), flags: 0 },
      zones: { type: ref(7), flags: 0 },
      state: { type: ref(8), flags: 2 },
      open: { type: ref(10), flags: 0 },
    },
  },
  { $type: 'StringType', minLength: 3, maxLength: 24, pattern: '^[a-z]+$' },
  { $type: 'UnionType', elements: [ref(5), ref(9)] },
  { $type: 'ObjectType', name: 'Sku', properties: { capacity: { type: ref(8), flags: 0 } } },
  { $type: 'StringLiteralType', value: 'StorageV2' },
  { $type: 'ObjectType', name: 'Tags', properties: {}, additionalProperties: ref(2) },
  { $type: 'ArrayType', itemType: ref(2), maxLength: 2 },
  { $type: 'IntegerType', minValue: 1, maxValue: 9 },
  { $type: 'StringLiteralType', value: 'BlobStorage' },
  { $type: 'UnionType', elements: [ref(5), ref(2)] },
];

let directory: string;
let azure: Azure;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'types-'));
  mkdirSync(join(directory, 'generated', 'storage'), { recursive: true });
  writeFileSync(join(directory, 'generated', 'storage', 'types.json'), JSON.stringify(TYPES));
  const newest = { 'Microsoft.Storage/storageAccounts': { file: 'generated/storage/types.json', version: '2024-01-01' } };
  writeFileSync(join(directory, 'generated', 'newest.json'), JSON.stringify(newest));
  azure = await Azure.start({ azureTypes: directory });
  await azure.group();
});
afterAll(async () => {
  await azure.close();
  rmSync(directory, { recursive: true });
});

test.each([
  ['a wrong type', { sku: 'Standard' }, 'sku: the value is not an object'],
  ['a word that there is not', { kind: 'Lukewarm' }, 'kind: the value is not one of StorageV2, BlobStorage'],
  ['a number that is too large', { sku: { capacity: 10 } }, 'sku.capacity: 10 is more than 9'],
  ['a fraction', { sku: { capacity: 1.5 } }, 'sku.capacity: the value is not a whole number'],
  ['a pattern', { tags: { a: 'UPPER' } }, 'tags.a: the value does not match ^[a-z]+$'],
  ['a short text', { tags: { a: 'b' } }, 'tags.a: there are 1 characters; at least 3 are needed'],
  ['a long list', { zones: ['one', 'two', 'three'] }, 'zones: there are 3 items; at most 2 are allowed'],
])('%s is refused', async (_what, change, message) => {
  const { status, body } = await azure.put(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', ...change });
  expect([status, body.error.code]).toEqual([400, 'InvalidRequestContent']);
  expect(body.error.message).toContain(message);
});

test('a member that is missing is refused', async () => {
  const { body } = await azure.put(ACCOUNT, { location: 'uksouth' });
  expect(body.error.message).toContain('kind: the member is required');
});

test('words in another case, open enumerations, null and read-only members are taken', async () => {
  const body = { location: 'uksouth', kind: 'storagev2', open: 'another', zones: null, state: 'x', id: 7, unknown: {} };
  expect((await azure.put(ACCOUNT, body)).status).toBeLessThan(300);
});

test('another version needs no member', async () => {
  const { status } = await azure.send('PUT', `${ACCOUNT}s?api-version=2021-01-01`, { location: 'uksouth' });
  expect(status).toBeLessThan(300);
});

test('a directory without types is an error', async () => {
  await expect(Azure.start({ azureTypes: tmpdir() })).rejects.toThrow(/has no types: give a copy of https:\/\/github.com\/Azure\/bicep-types-az/);
});
