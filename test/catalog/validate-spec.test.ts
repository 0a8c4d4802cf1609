import { Catalog } from '../../src/catalog';
import { parsePath, spellPath, validateSpec } from '../../src/catalog/validate-spec';

const version = Catalog.default().kind('storage.azure.com', 'StorageAccount')!.version('v20250601')!;
const good = { owner: { name: 'rg' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
const lines = (spec: unknown) =>
  validateSpec(spec, version).map(({ path, message, fix, fatal }) => `${fatal ? 'fatal' : 'minor'} ${spellPath(path)}: ${message}; ${fix}`);

test('a good spec has no violations', () => {
  expect(lines(good)).toEqual([]);
  expect(lines({ ...good, accessTier: null })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['unknown', { ...good, locatoin: 'x' }, 'minor spec.locatoin: is no field of this kind and version; did you mean location?'],
  ['unknown, of an object below', { ...good, bypass: 'None' }, 'minor spec.bypass: is no field of this kind and version; did you mean networkAcls.bypass?'],
  ['missing', { ...good, kind: undefined }, 'fatal spec.kind: is missing; add it'],
  [
    'missing owner',
    { ...good, owner: undefined },
    'fatal spec.owner: is missing; add the name of a ResourceGroup (name: …) or its ARM id (armId: …)',
  ],
  ['type', { ...good, location: 5 }, 'fatal spec.location: is a number; put it in quotes'],
  ['object', { ...good, sku: [] }, 'fatal spec.sku: is an array; write an object'],
  ['enum', { ...good, kind: 'StorageV3' }, "fatal spec.kind: is not an allowed value; did you mean 'StorageV2'? Allowed: 'BlobStorage', 'BlockBlobStorage', 'FileStorage', 'Storage', 'StorageV2'"],
  ['pattern', { ...good, owner: { armId: 'rg' } }, 'fatal spec.owner.armId: does not match the pattern '],
  ['length', { ...good, azureName: 'ab' }, 'fatal spec.azureName: has 2 characters; at least 3 are needed'],
  [
    'nested',
    { ...good, networkAcls: { defaultAction: 'Allow', ipRules: [{ value: 1 }] } },
    'fatal spec.networkAcls.ipRules[0].value: is a number; put it in quotes',
  ],
  ['no key of JavaScript', { ...good, constructor: 1 }, 'minor spec.constructor: is no field of this kind and version; remove it'],
])('%s', (_, spec, line) => {
  expect(lines(spec)).toEqual([expect.stringContaining(line)]);
});

test('paths are spelt and read', () => {
  expect(parsePath('spec.a[0].b')).toEqual(['spec', 'a', 0, 'b']);
  expect(spellPath(['spec', 'a', 0, 'b'])).toBe('spec.a[0].b');
});
