import { trendOf } from '../../bench/soak/trend';

/** An hour, every half minute. */
const hour = (value: (minute: number) => number) => Array.from({ length: 120 }, (_, at) => ({ minute: at / 2, value: value(at / 2) }));
const sockets = (value: (minute: number) => number) => trendOf('sockets', hour(value), (sample) => sample.value, 10);
/** 75, give or take four. */
const busy = (minute: number) => 75 + ((minute * 14) % 9) - 4;

test('what goes up and down is flat', () => {
  expect(sockets(busy)).toMatchObject({ flat: true });
});

test('moments with few connections are no growth, whenever they fall', () => {
  for (const from of [30, 45, 53]) {
    const { perHour, flat } = sockets((minute) => (minute >= from && minute < from + 7 && minute % 1 === 0.5 ? 35 : busy(minute)));
    expect(Math.abs(perHour)).toBeLessThan(10);
    expect(flat).toBe(true);
  }
});

test('what leaks is not flat, and such moments at the end do not hide it', () => {
  const leaks = (minute: number) => busy(minute) + minute / 2;
  expect(sockets(leaks)).toMatchObject({ flat: false });
  expect(sockets((minute) => (minute >= 53 && minute % 1 === 0.5 ? 35 : leaks(minute)))).toMatchObject({ flat: false });
});

test('one sample, or none, says nothing', () => {
  expect(trendOf('x', [], () => 1, 1)).toMatchObject({ perHour: 0, flat: true });
  expect(trendOf('x', [{ minute: 1 }], () => 1, 1)).toMatchObject({ perHour: 0, flat: true });
});
