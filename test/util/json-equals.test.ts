import { isDeepStrictEqual } from 'node:util';
import { assert, property, string, integer, boolean, constant, letrec, array, dictionary, oneof } from 'fast-check';
import { jsonEquals } from '../../src/util/json-equals';

const arrived = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const { value: anyValue } = letrec((tie) => ({
  value: oneof(
    { depthSize: 'small' },
    constant(undefined),
    constant(null),
    boolean(),
    integer({ min: 0, max: 3 }),
    string({ maxLength: 1 }),
    array(tie('value'), { maxLength: 3 }),
    dictionary(oneof(constant('a'), constant('b'), constant('toString')), tie('value'), { maxKeys: 3 }),
  ),
}));

test('two values travel alike exactly when what arrives is the same', () => {
  assert(property(anyValue, anyValue, (a, b) => jsonEquals(a, b) === isDeepStrictEqual(arrived(a), arrived(b))), { numRuns: 2_000 });
});

test('a value travels as its own copy does', () => {
  assert(property(anyValue, (value) => jsonEquals(value, structuredClone(value)) && jsonEquals(value, arrived(value))), { numRuns: 1_000 });
});

test.each([
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: null }, {}, false],
  [[undefined], [null], true],
  [[1, 2], [2, 1], false],
  [{ 0: 'x' }, ['x'], false],
  [{ toString: undefined }, {}, true],
  [undefined, {}, false],
])('%j and %j: %s', (a, b, expected) => {
  expect(jsonEquals(a, b)).toBe(expected);
});
