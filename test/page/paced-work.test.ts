import { PacedWork, TooMuchWork } from '../../page/paced-work';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Work of the event loop's thread for so long. */
const busy = (milliseconds: number) => () => {
  jest.setSystemTime(Date.now() + milliseconds);
  jest.advanceTimersByTime(milliseconds);
};

test('work pauses after each piece, so that others have the rest of the time', async () => {
  const paced = new PacedWork(0.25);
  const began: number[] = [];
  const start = performance.now();
  const work = [100, 40, 0].map((milliseconds) => paced.run(() => {
    began.push(performance.now() - start);
    busy(milliseconds)();
  }));
  await jest.advanceTimersByTimeAsync(10_000);
  await Promise.all(work);
  // 100 ms of work and 300 ms for others, then 40 ms and 120 ms.
  expect(began).toEqual([0, 400, 560]);
});

test('a piece that fails pauses as well, and the next one is done', async () => {
  const paced = new PacedWork(0.5);
  const failing = paced.run(() => {
    busy(100)();
    throw new Error('no');
  });
  const start = performance.now();
  const next = paced.run(() => performance.now() - start);
  await expect(failing).rejects.toThrow('no');
  await jest.advanceTimersByTimeAsync(1_000);
  await expect(next).resolves.toBe(200);
});

test('more than fifty pieces in line are refused', async () => {
  const paced = new PacedWork(1);
  const work = Array.from({ length: 60 }, () => paced.run(() => 'done').catch((error: unknown) => error));
  await jest.advanceTimersByTimeAsync(1_000);
  const results = await Promise.all(work);
  expect(results.filter((result) => result === 'done')).toHaveLength(50);
  expect(results.filter((result) => result instanceof TooMuchWork)).toHaveLength(10);
});
