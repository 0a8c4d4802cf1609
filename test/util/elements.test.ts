import { elementAt, ownValue, valueAt } from '../../src/util/elements';

describe('elementAt', () => {
  test('is the element, also an empty one', () => {
    expect([elementAt(['a', ''], 1), elementAt([0], 0), elementAt([null], 0)]).toEqual(['', 0, null]);
  });

  test('throws for an index outside the list', () => {
    expect(() => elementAt(['a'], 1)).toThrow(new RangeError('a list of 1 has no element 1'));
    expect(() => elementAt([], -1)).toThrow(RangeError);
  });

  test('throws for a group of a regular expression that took no part in the match', () => {
    const match = /^(a)|(b)$/.exec('a')!;
    expect(elementAt(match, 1)).toBe('a');
    expect(() => elementAt(match, 2)).toThrow(RangeError);
  });
});

describe('valueAt', () => {
  test("is the record's own value", () => {
    expect(valueAt({ a: 1 }, 'a')).toBe(1);
  });

  test.each(['b', 'toString'])('throws for %s, which the record does not have itself', (key) => {
    expect(() => valueAt({ a: 1 }, key)).toThrow(new RangeError(`a record has no value of "${key}"`));
  });
});

describe('ownValue', () => {
  test('is the value of an own key', () => {
    expect(ownValue({ a: 1 }, 'a')).toBe(1);
    expect(ownValue({ a: 1 }, 'b')).toBeUndefined();
  });

  test('is undefined for an inherited name', () => {
    expect(ownValue<unknown>({}, 'constructor')).toBeUndefined();
    expect(ownValue<unknown>(JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>, 'a')).toBeUndefined();
  });
});
