import fc from 'fast-check';
import { matching } from '../../../engine/compare/matching';

/** As many pairs as there can be, by trying all. */
function most(equal: readonly (readonly boolean[])[], others: number, item = 0, taken = new Set<number>()): number {
  if (item === equal.length) return 0;
  const pairs = [...Array(others).keys()].filter((other) => equal[item]![other] && !taken.has(other));
  return Math.max(
    most(equal, others, item + 1, taken),
    ...pairs.map((other) => 1 + most(equal, others, item + 1, new Set([...taken, other]))),
  );
}

test('as many as can be are paired, each with an equal one, none twice', () => {
  const rows = (width: number) => fc.array(fc.array(fc.boolean(), { minLength: width, maxLength: width }), { maxLength: 5 });
  const tables = fc.nat(5).chain((others) => fc.tuple(fc.constant(others), rows(others)));
  fc.assert(fc.property(tables, ([others, equal]) => {
    const partners = matching(equal.length, others, (item, other) => equal[item]![other]!);
    const pairs = [...partners.entries()].filter((pair): pair is [number, number] => pair[1] !== undefined);
    expect(pairs.every(([item, other]) => equal[item]![other])).toBe(true);
    expect(new Set(pairs.map(([, other]) => other)).size).toBe(pairs.length);
    expect(pairs).toHaveLength(most(equal, others));
  }), { numRuns: 500 });
});

test('what is equal in its own place stays there', () => {
  expect(matching(2, 2, () => true)).toEqual([0, 1]);
  expect(matching(2, 2, (_, other) => other === 1)).toEqual([undefined, 1]);
});

test('one that fits many makes room for one that fits few', () => {
  expect(matching(2, 2, (item, other) => item === 0 || other === 0)).toEqual([1, 0]);
});
