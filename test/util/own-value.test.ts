import { ownValue } from '../../src/util/own-value';

test('the value of an own key', () => {
  expect(ownValue({ a: 1 }, 'a')).toBe(1);
  expect(ownValue({ a: 1 }, 'b')).toBeUndefined();
});

test('an inherited name is no key', () => {
  expect(ownValue<unknown>({}, 'constructor')).toBeUndefined();
  expect(ownValue<unknown>(JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>, 'a')).toBeUndefined();
});
