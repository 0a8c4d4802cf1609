import { Catalog } from '../../src/catalog';

test('a copy has the same kinds, and reads them for itself', () => {
  const catalog = new Catalog(`${__dirname}/../../catalog`);
  const copy = catalog.copy();
  expect(copy.allKinds.map(({ group, kind }) => `${group}/${kind}`)).toEqual(catalog.allKinds.map(({ group, kind }) => `${group}/${kind}`));
  expect(copy.revision).toBe(catalog.revision);
  expect(copy.service('storage')).not.toBe(catalog.service('storage'));
});
