import { fatal, warning } from '../../../controller/reconcile/core/failure';
import type { Result } from '../../../controller/reconcile/core/observed';
import { requeueDelay, SHORTEST_DELAY_MS } from '../../../controller/reconcile/requeue-delay';

const failure = (more = {}): Result => ({ kind: 'failure', failure: { ...warning('X', 'x'), ...more } });

test.each<[string, Result]>([
  ['the sync period', { kind: 'success' }],
  ['a poll that Azure asked for', { kind: 'requeue', delay: 10_000 }],
  ['a Retry-After', failure({ retryAfterSeconds: 10 })],
  ['the next sync after a fatal failure', { kind: 'failure', failure: fatal('X', 'x') }],
])('%s is not scaled, and takes no token', (_, result) => {
  const reserve = jest.fn(() => 60_000);
  expect(requeueDelay(10_000, result, 100, reserve)).toBe(10_000);
  expect(reserve).not.toHaveBeenCalled();
});

test.each<[string, Result]>([
  ['a requeue without a delay', { kind: 'requeue' }],
  ['a retry', failure()],
])('%s is scaled, but never to a busy loop', (_, result) => {
  expect(requeueDelay(10_000, result, 1)).toBe(10_000);
  expect(requeueDelay(10_000, result, 100)).toBe(100);
  expect(requeueDelay(10_000, result, 10_000)).toBe(SHORTEST_DELAY_MS);
});

test('a requeue without a delay waits for its token, a retry takes none', () => {
  const reserve = jest.fn(() => 60_000);
  expect(requeueDelay(10_000, failure(), 1, reserve)).toBe(10_000);
  expect(reserve).not.toHaveBeenCalled();
  expect(requeueDelay(10_000, { kind: 'requeue' }, 1, reserve)).toBe(60_000);
  expect(requeueDelay(90_000, { kind: 'requeue' }, 1, reserve)).toBe(90_000);
});
