import { Heartbeat, MAIN_THREAD_READY_MS, MAIN_THREAD_TIMEOUT_MS } from '../../../controller/supervisor/heartbeat';
import { monotonicMs, SharedState } from '../../../controller/supervisor/shared-state';

test('a main thread that is silent for a while is not ready, then not live; when it turns again it is both', () => {
  const state = new SharedState();
  let now = 1_000_000;
  const heartbeat = new Heartbeat(state, () => now);
  state.heartbeatMs = now;
  const seen = () => [heartbeat.notReady, heartbeat.notLive];
  expect(seen()).toEqual([undefined, undefined]);
  now += MAIN_THREAD_READY_MS + 1;
  expect(seen()).toEqual(['the main thread has not turned its event loop for 10 s', undefined]);
  now = 1_000_000 + MAIN_THREAD_TIMEOUT_MS + 1;
  expect(seen()).toEqual([
    'the main thread has not turned its event loop for 30 s',
    'the main thread has not turned its event loop for 30 s',
  ]);
  state.heartbeatMs = now;
  expect(seen()).toEqual([undefined, undefined]);
});

test('what one thread writes another one reads; a term that has ended is none', () => {
  const state = new SharedState();
  const other = new SharedState(state.memory);
  expect(other.termEndMs).toBe(0);
  state.termEndMs = 1234.9;
  expect(other.termEndMs).toBe(1234);
  state.termEndMs = -Infinity;
  expect(other.termEndMs).toBe(0);
  const before = monotonicMs();
  expect(monotonicMs()).toBeGreaterThanOrEqual(before);
});
