import { systemClock } from '../../../engine/clock';
import { waitForSync } from '../../../engine/informers/wait-for-sync';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** An informer whose first list the test completes, refuses or ends. */
function informer() {
  let resolve = (): void => undefined;
  let reject = (_: Error): void => undefined;
  const synced = new Promise<void>((settle, refuse) => {
    resolve = settle;
    reject = refuse;
  });
  synced.catch(() => undefined);
  return { synced, isRefused: false, resolve, reject };
}

/** Waits for the informers that are not synced, and tells whether the wait is over. */
function waiting(informers: ReturnType<typeof informer>[], limit = 30_000, signal = new AbortController().signal) {
  const late = new Set(informers);
  for (const one of informers) one.synced.then(() => late.delete(one), () => undefined);
  const state = { over: false, error: undefined as unknown };
  waitForSync(() => [...late], limit, systemClock, signal).then(
    () => (state.over = true),
    (error: unknown) => (state.error = error),
  );
  return state;
}

test('the wait ends with the last list', async () => {
  const [a, b] = [informer(), informer()];
  const state = waiting([a, b]);
  a.resolve();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(state.over).toBe(false);
  b.resolve();
  await jest.advanceTimersByTimeAsync(0);
  expect(state.over).toBe(true);
});

test('a list that the server refuses is not waited for', async () => {
  const refused = informer();
  const state = waiting([refused]);
  await jest.advanceTimersByTimeAsync(100);
  refused.isRefused = true;
  await jest.advanceTimersByTimeAsync(250);
  expect(state.over).toBe(true);
});

test('an informer that ended before its first list is not waited for', async () => {
  const ended = informer();
  const state = waiting([ended]);
  ended.reject(new Error('the kind is gone'));
  await jest.advanceTimersByTimeAsync(0);
  expect(state.over).toBe(true);
});

test('the wait ends at the limit', async () => {
  const state = waiting([informer()], 1_000);
  await jest.advanceTimersByTimeAsync(999);
  expect(state.over).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(state.over).toBe(true);
});

test('an aborted wait is an error', async () => {
  const stop = new AbortController();
  const state = waiting([informer()], 30_000, stop.signal);
  stop.abort(new Error('stopped'));
  await jest.advanceTimersByTimeAsync(0);
  expect(state.error).toEqual(new Error('stopped'));
});
