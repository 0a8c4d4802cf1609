import { endInTime } from '../../runtime/grace-period';

const never = () => new Promise<void>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function ending(drain: () => Promise<unknown>, cutOff: () => Promise<void> = async () => undefined) {
  return { drain: jest.fn(drain), cutOff: jest.fn(cutOff) };
}

test('work that ends within the grace period is not aborted, and leaves no timer', async () => {
  const work = ending(async () => undefined);
  await endInTime(work, 8_000);
  expect(work.cutOff).not.toHaveBeenCalled();
  expect(jest.getTimerCount()).toBe(0);
});

test('work that takes longer is aborted when the grace period is over', async () => {
  const work = ending(never);
  const ended = endInTime(work, 8_000);
  await jest.advanceTimersByTimeAsync(7_999);
  expect(work.cutOff).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(work.cutOff).toHaveBeenCalledTimes(1);
  await ended;
});

test('without a grace period the work is aborted at once, and not drained', async () => {
  const work = ending(never);
  await endInTime(work, 0);
  expect(work.drain).not.toHaveBeenCalled();
  expect(work.cutOff).toHaveBeenCalledTimes(1);
});

test('aborted work that does not end is left behind after a second', async () => {
  let isOver = false;
  const ended = endInTime(ending(never, never), 0).then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await ended;
  expect(isOver).toBe(true);
});

test('an error of the draining work is the caller\'s', async () => {
  const work = ending(async () => {
    throw new Error('broken');
  });
  await expect(endInTime(work, 8_000)).rejects.toThrow('broken');
  expect(work.cutOff).not.toHaveBeenCalled();
});
