import { Fence, momentOf } from '../../../runtime/shards/fence';

function environment() {
  const clocks = { wall: 1_700_000_000_000, monotonic: 50_000 };
  const time = { now: () => clocks.wall, elapsed: () => clocks.monotonic };
  const fence = new Fence(time);
  const other = new Fence(time, fence.memory);
  const pass = (milliseconds: number) => {
    clocks.wall += milliseconds;
    clocks.monotonic += milliseconds;
  };
  return { clocks, time, fence, other, pass };
}

test('a term begins with the first renewal and ends 10 s after that was sent, on every thread at once', () => {
  const { fence, other, pass, time } = environment();
  expect([fence.isCurrent('own'), fence.hasEnded('own')]).toEqual([false, true]);
  const sent = momentOf(time);
  pass(3_000);
  fence.renew('own', sent);
  expect([other.isCurrent('own'), other.isCurrent('group'), other.left('own')]).toEqual([true, false, 7_000]);
  pass(6_999);
  expect(other.isCurrent('own')).toBe(true);
  pass(1);
  expect([other.isCurrent('own'), other.hasEnded('own')]).toEqual([false, true]);
});

test.each([
  ['a suspended machine, whose monotonic clock stood still', 60_000],
  ['a wall clock that jumped forward', 3_600_000],
  ['a wall clock that jumped back', -3_600_000],
])('%s: the term is in doubt until the next renewal, and the process is not lost', (_, jump) => {
  const { fence, pass, time, clocks } = environment();
  fence.renew('own', momentOf(time));
  clocks.wall += jump;
  expect([fence.isCurrent('own'), fence.hasEnded('own')]).toEqual([false, false]);
  pass(10);
  fence.renew('own', momentOf(time));
  expect(fence.isCurrent('own')).toBe(true);
});

test('a clock that is corrected by less than 2 s changes nothing', () => {
  const { fence, clocks, time } = environment();
  fence.renew('own', momentOf(time));
  clocks.wall -= 1_900;
  expect(fence.isCurrent('own')).toBe(true);
});

test('an older renewal does not shorten a term, and an end ends it', () => {
  const { fence, pass, time } = environment();
  const before = momentOf(time);
  pass(1_000);
  fence.renew('group', momentOf(time));
  fence.renew('group', before);
  expect(fence.left('group')).toBe(10_000);
  fence.end('group');
  expect(fence.hasEnded('group')).toBe(true);
});
