import { Catalog } from '../../../../src/catalog';

test('its catalog has no other kinds', () => expect(Catalog.default().revision).toBe(0));
