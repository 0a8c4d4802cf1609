import { ATTACKS } from './rows';

const all = Object.values(ATTACKS).flat();

test('every row has a name of its own and says who, what and what must hold', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { id, who, what, holds } of all) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const text of [who, what, holds]) expect(text.length).toBeGreaterThan(4);
  }
});
