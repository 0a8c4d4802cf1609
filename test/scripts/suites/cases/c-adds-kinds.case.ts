import { Catalog } from '../../../../src/catalog';

test('it adds a kind to the catalog', () => {
  Catalog.default().add({ services: [] } as never);
  expect(Catalog.default().revision).toBe(1);
});
