import { setNewest } from '../../src/util/set-newest';

test.each<[string, string, number, string]>([
  ['as many as may be', 'abc', 3, 'abc'],
  ['one too many: the oldest goes', 'abcd', 3, 'bcd'],
  ['what is set again is the newest', 'abca', 3, 'bca'],
  ['what is set again and again stays', 'abacadae', 3, 'dae'],
  ['the same one alone', 'aaaa', 1, 'a'],
  ['none may be kept', 'ab', 0, ''],
])('%s', (_, keys, max, kept) => {
  const map = new Map<string, number>();
  [...keys].forEach((key, index) => setNewest(map, key, index, max));
  expect([...map.keys()].join('')).toBe(kept);
  for (const [key, value] of map) expect(value).toBe(keys.lastIndexOf(key));
});

test('a map that has too many already loses all that are too many', () => {
  const map = new Map([...'abcdef'].map((key) => [key, 0]));
  setNewest(map, 'b', 1, 2);
  expect([...map]).toEqual([['f', 0], ['b', 1]]);
});
