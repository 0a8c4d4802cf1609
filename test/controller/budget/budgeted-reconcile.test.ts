import type { BudgetUse } from '../../../controller/budget/budget-options';
import { BudgetedReconcile } from '../../../controller/budget/budgeted-reconcile';
import type { RateLimitQueue } from '../../../controller/budget/rate-limit-queue';
import type { ArmRequest } from '../../../engine/arm/types';

const [queue, other] = [{}, {}] as [RateLimitQueue, RateLimitQueue];
const use: BudgetUse = { namespace: 'team', priority: 'fresh', onThrottled: () => undefined };
const longestWaitAfter = (times: number, on = queue, priority: BudgetUse['priority'] = 'fresh') =>
  new BudgetedReconcile({ ...use, priority }, { queue, type: 'a/b', times }).queued(on, 'a/b', () => undefined).longestWaitMs;

test('a reconcile that was throttled three times by a queue keeps waiting in it', () => {
  expect([0, 2, 3, 4].map((times) => longestWaitAfter(times))).toEqual([30_000, 30_000, Infinity, Infinity]);
  expect(longestWaitAfter(3, other)).toBe(30_000);
  expect(longestWaitAfter(0, queue, 'resync')).toBe(1_000);
});

test('a request that was let through resets the count', () => {
  const reconcile = new BudgetedReconcile(use, { queue, type: 'a/b', times: 3 });
  expect(reconcile.timesThrottledIn(queue)).toBe(3);
  reconcile.hasBegun = true;
  expect(reconcile.timesThrottledIn(queue)).toBe(0);
});

test('a reconcile that has written is not throttled any more', () => {
  const throttle = () => undefined;
  const reconcile = new BudgetedReconcile(use, undefined);
  expect(reconcile.queued(queue, 'a/b', throttle)).toMatchObject({ hasBegun: false, onThrottled: throttle });
  reconcile.hasWritten = true;
  expect(reconcile.queued(queue, 'a/b', throttle)).not.toHaveProperty('onThrottled');
});

test('a caller that cannot start again is not throttled', () => {
  const reconcile = new BudgetedReconcile({ namespace: 'team', priority: 'resync' }, undefined);
  expect(reconcile.queued(queue, 'a/b', () => undefined)).not.toHaveProperty('onThrottled');
});

test.each([
  ['of the request', { purpose: 'poll' }, { purpose: 'sync' }, 'poll'],
  ['of the caller', {}, { purpose: 'sync' }, 'sync'],
  ['of a resync', {}, { priority: 'resync' }, 'sync'],
  ['of a reconcile', {}, {}, 'reconcile'],
] as const)('the purpose %s', (_, request, more, expected) => {
  expect(new BudgetedReconcile({ ...use, ...more }, undefined).purposeOf(request as unknown as ArmRequest)).toBe(expected);
});
