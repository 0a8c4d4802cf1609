import fc from 'fast-check';
import { fewestUnequal } from './all-pairings';
import type * as Compare from '../../../engine/compare';
import { candidatesOf } from '../../../engine/compare/candidates';
import { matching } from '../../../engine/compare/matching';
import type { Shape } from '../../../engine/compare/shape';
import { isRecord } from '../../../src/util/records';
import { counted, growth } from '../../setup/work';

const { compare } = counted<typeof Compare>('engine/compare');

const NOTHING: Shape = {};
const NAMED: Shape = { members: new Map([['list', { element: { members: new Map([['name', { spelling: 'caseless' }]]) } }]]) };
const word = fc.constantFrom(
  'a',
  'A',
  'b',
  'West US',
  'westus',
  'PT1H',
  'PT60M',
  '',
  'public',
  'Public',
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00.0Z',
  'true',
  '0',
  '1',
);
const scalar = fc.oneof(word, fc.constantFrom(0, 1, 2), fc.boolean(), fc.constant(null));
const key = fc.constantFrom('x', 'y', 'Y', 'location', 'name');
const flat = fc.dictionary(key, scalar, { maxKeys: 3 });
const nested = fc.oneof(scalar, flat, fc.array(fc.oneof(scalar, flat), { maxLength: 3 }));
const element = fc.oneof(scalar, flat, fc.dictionary(key, nested, { maxKeys: 3 }), fc.array(nested, { maxLength: 3 }));
const shape: Shape = {
  members: new Map([
    [
      'list',
      {
        element: {
          members: new Map<string, Shape>([
            ['x', { word: true }],
            ['y', { secret: true }],
            ['location', {}],
          ]),
        },
      },
    ],
  ]),
};

/** The differences of two elements, by paths that begin at the element; `other` empty: Azure has none in its place. */
function differencesOf(wanted: unknown, other: readonly [unknown?], use: Shape): string {
  return textOf(compare({ list: [wanted] }, { list: other }, use), '/list/0');
}

function textOf(differences: readonly Compare.Difference[], place: string): string {
  const below = differences.filter(({ path }) => path === place || path.startsWith(`${place}/`));
  return JSON.stringify(below.map(({ path, named: _, ...rest }) => [path.slice(place.length), rest]));
}

test('short lists: as many elements as can be have an equal partner, and each has its own', () => {
  const anonymous = element.filter((value) => !isRecord(value) || !Object.hasOwn(value, 'name'));
  const list = fc.array(anonymous, { maxLength: 5 });
  fc.assert(fc.property(list, list, fc.boolean(), (wanted, actual, isTyped) => {
    const use = isTyped ? shape : NOTHING;
    const table = wanted.map((own) => [...actual.map((other) => differencesOf(own, [other], use)), differencesOf(own, [], use)]);
    const found = compare({ list: wanted }, { list: actual }, use);
    const texts = wanted.map((_, index) => textOf(found, `/list/${index}`));
    expect(fewestUnequal(table, texts)).toBe(fewestUnequal(table));
  }), { numRuns: 2000 });
});

test('elements with names are compared with those of the same name, in whatever order Azure has them', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'B', 'c', 'D', 'e', 'F'), { minLength: 1 });
  const orders = names.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
  );
  fc.assert(
    fc.property(orders, ([own, theirs, changed]) => {
      const wanted = own.map((name) => ({ name, x: 1 }));
      const actual = theirs.map((name) => ({ name: name.toLowerCase(), x: changed.includes(name) ? 2 : 1, defaulted: true }));
      const paths = compare({ list: wanted }, { list: actual }, NAMED).map(({ path }) => path);
      expect(paths).toEqual(own.flatMap((name, index) => (changed.includes(name) ? [`/list/${index}/x`] : [])));
    }),
  );
});

test('candidates: whatever is equal is among them, so that as many find a partner', () => {
  const long = fc.array(element, { minLength: 33, maxLength: 40 });
  fc.assert(fc.property(long, long, (wanted, actual) => {
    const use = shape.members!.get('list')!.element!;
    const equal = (item: number, other: number) => compare({ list: [wanted[item]] }, { list: [actual[other]] }, shape).length === 0;
    const candidates = candidatesOf(wanted, actual, use)!;
    wanted.forEach((_, item) => {
      const places = new Set(candidates(item));
      actual.forEach((__, other) => expect(equal(item, other) && !places.has(other)).toBe(false));
    });
    const count = (partners: readonly (number | undefined)[]) => partners.filter((place) => place !== undefined).length;
    expect(count(matching(wanted.length, actual.length, equal, candidates))).toBe(count(matching(wanted.length, actual.length, equal)));
  }), { numRuns: 20 });
});

const SIZE = 10_000;
type Make = (size: number) => unknown[];
const range = <T>(make: (index: number, size: number) => T): Make =>
  (size) => Array.from({ length: size }, (_, index) => make(index, size));
const LISTS: readonly (readonly [name: string, wanted: Make, actual: Make, differences: number])[] = [
  ['the same', range((index) => ({ value: `v${index}` })), range((index) => ({ value: `v${index}` })), 0],
  [
    'backwards, with defaults',
    range((index) => ({ value: `v${index}` })),
    range((index, size) => ({ value: `v${size - 1 - index}`, action: 'Allow' })),
    0,
  ],
  ['texts backwards', range((index) => `v${index}`), range((index, size) => `V${size - 1 - index}`), SIZE],
  ['numbers backwards', range((index) => index + 1), range((index, size) => size - index), 0],
  ['all the same, none equal', range(() => ({ value: 'x' })), range(() => ({ value: 'y' })), SIZE],
  ['all equal to all', range(() => ({ value: 'x' })), range(() => ({ value: 'x', more: 1 })), 0],
  ['no names in common', range((index) => ({ name: `a${index}` })), range((index) => ({ name: `b${index}` })), SIZE],
  ['names backwards', range((index) => ({ name: `a${index}`, x: 1 })), range((index, size) => ({ name: `A${size - 1 - index}`, x: 1 })), 0],
  ['lists in lists, none equal', range((index) => [[index], [index + 1]]), range((index) => [[-index], [-index - 1]]), SIZE],
  ['nothing that marks an element', range(() => ({ x: { y: 1 } })), range((index) => ({ x: { y: index } })), SIZE - 1],
  ['longer', range(() => ({ x: 1 })), (size) => [...range(() => ({ x: 1 }))(size), { x: 2 }], 1],
];

test.each(LISTS)('10,000 elements take work by their number: %s', (_, wanted, actual, differences) => {
  const lists = new Map([SIZE / 4, SIZE].map((size) => [size, [{ list: wanted(size) }, { list: actual(size) }] as const]));
  let found: readonly unknown[] = [];
  expect(growth(SIZE / 4, (size) => (found = compare(...lists.get(size)!, NAMED)))).toBeLessThan(5);
  if (differences < SIZE) expect(found).toHaveLength(differences);
  else expect(found.length).toBeGreaterThan(SIZE / 2);
});

test('lists in lists take work by their depth', () => {
  const deep = (levels: number, leaf: unknown) => Array.from({ length: levels }).reduce<unknown>((inner, _, level) => [inner, level], leaf);
  const compareDeep = (levels: number) => {
    expect(compare({ list: deep(levels, 'a') }, { list: deep(levels, 'a') }, NOTHING)).toEqual([]);
    expect(compare({ list: deep(levels, 'a') }, { list: deep(levels, 'b') }, NOTHING).length).toBeGreaterThan(0);
  };
  expect(growth(5, compareDeep)).toBeLessThan(5);
  compareDeep(60);
});
