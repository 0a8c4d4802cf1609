import { WorkedTime } from '../../../engine/workers/worked-time';

const time = { now: 1_000, used: 50 };
const clock = { nowMs: () => time.now, usedMs: () => time.used };

function after(nowMs: number, usedMs: number, deadlineMs = 100): { readonly worked: number; readonly left: number } {
  const worked = new WorkedTime(clock);
  time.now += nowMs;
  time.used += usedMs;
  return { worked: worked.milliseconds, left: worked.left(deadlineMs) };
}

test.each([
  ['it has all of a processor', 60, 60, { worked: 60, left: 40 }],
  ['other threads of the process work too', 60, 120, { worked: 60, left: 40 }],
  ['the machine is busy with others', 200, 20, { worked: 20, left: 80 }],
  ['its deadline is over', 130, 100, { worked: 100, left: 0 }],
  ['it waits for a lock', 499, 0, { worked: 0, left: 1 }],
  ['it waits for ever', 500, 0, { worked: 0, left: 0 }],
])('a job: %s', (_, nowMs, usedMs, expected) => expect(after(nowMs, usedMs)).toEqual(expected));
