import { SharedTimes } from '../../runtime/shared-times';

test('what one thread writes another one reads', () => {
  const times = new SharedTimes(2);
  const other = new SharedTimes(times.memory);
  expect([other.read(0), other.read(1)]).toEqual([0, 0]);
  times.write(1, 1_700_000_000_000);
  expect([other.read(0), other.read(1)]).toEqual([0, 1_700_000_000_000]);
});

test.each([
  [1234.9, 1234],
  [-1.5, -2],
  [Infinity, 0],
  [-Infinity, 0],
  [NaN, 0],
])('%p is stored as %p', (time, stored) => {
  const times = new SharedTimes(1);
  times.write(0, 1);
  times.write(0, time);
  expect(times.read(0)).toBe(stored);
});
