import { systemClock } from '../../../engine/clock';
import { SilenceGuard } from '../../../engine/informers/silence-guard';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('silence for the limit aborts the watch', () => {
  const guard = new SilenceGuard(systemClock, 1_000, new AbortController().signal);
  jest.advanceTimersByTime(999);
  expect(guard.signal.aborted).toBe(false);
  jest.advanceTimersByTime(1);
  expect(guard.signal.aborted).toBe(true);
  expect(guard.expired).toBe(true);
});

test('an event begins the silence anew', () => {
  const guard = new SilenceGuard(systemClock, 1_000, new AbortController().signal);
  jest.advanceTimersByTime(900);
  guard.heard();
  jest.advanceTimersByTime(999);
  expect(guard.expired).toBe(false);
  jest.advanceTimersByTime(1);
  expect(guard.expired).toBe(true);
});

test('a bookmark shortens the limit, and nothing makes it longer again', () => {
  const guard = new SilenceGuard(systemClock, 1_000, new AbortController().signal);
  guard.heard(300);
  guard.heard(5_000);
  jest.advanceTimersByTime(300);
  expect(guard.expired).toBe(true);
});

test('the end of the parent ends the watch, which is no silence', () => {
  const parent = new AbortController();
  const guard = new SilenceGuard(systemClock, 1_000, parent.signal);
  parent.abort(new Error('stopped'));
  expect(guard.signal.reason).toEqual(new Error('stopped'));
  expect(guard.expired).toBe(false);
});

test('a parent that has ended before ends the watch at once', () => {
  expect(new SilenceGuard(systemClock, 1_000, AbortSignal.abort()).signal.aborted).toBe(true);
});

test('a stopped guard releases the connection and its timer', () => {
  const guard = new SilenceGuard(systemClock, 1_000, new AbortController().signal);
  guard.stop();
  expect(guard.signal.aborted).toBe(true);
  expect(guard.expired).toBe(false);
  expect(jest.getTimerCount()).toBe(0);
});
