import { remainingWaitMs, WaitingRequests, type Waiter } from '../../../controller/budget/waiting-requests';

const waiter = (number: number, more: Partial<Waiter> = {}): Waiter => ({
  number,
  namespace: 'team',
  priority: 'fresh',
  rank: 0,
  type: 'a/b',
  longestWaitMs: 1_000,
  since: 0,
  grant: () => undefined,
  refuse: () => undefined,
  ...more,
});

test('requests are grouped by priority and type, in the order in which they came', () => {
  const waiting = new WaitingRequests();
  const [first, other, resync, second] = [waiter(1), waiter(2, { type: 'a/c' }), waiter(3, { priority: 'resync' }), waiter(4)] as const;
  [first, other, resync, second].forEach((one) => waiting.add(one));
  expect(waiting.groups).toEqual([
    { priority: 'fresh', type: 'a/b', waiters: [first, second] },
    { priority: 'fresh', type: 'a/c', waiters: [other] },
    { priority: 'resync', type: 'a/b', waiters: [resync] },
  ]);
  expect(waiting.of('fresh')).toEqual([first, second, other]);
  expect(waiting.of('fresh', ({ type }) => type === 'a/c')).toEqual([other]);
  expect(waiting.of('resync')).toEqual([resync]);
});

test('a group ends with its last request; a request that does not wait is not missed', () => {
  const waiting = new WaitingRequests();
  const [first, second] = [waiter(1), waiter(2)] as const;
  waiting.add(first);
  waiting.delete(second);
  expect(waiting.of('fresh')).toEqual([first]);
  waiting.delete(first);
  waiting.delete(first);
  expect(waiting.isEmpty).toBe(true);
  expect(waiting.groups).toEqual([]);
});

test('a request of a reconcile that has begun waits without a limit', () => {
  expect(remainingWaitMs(waiter(1, { since: 500 }), 1_200)).toBe(300);
  expect(remainingWaitMs(waiter(1, { since: 500 }), 2_000)).toBe(-500);
  expect(remainingWaitMs(waiter(1, { hasBegun: true }), 1e9)).toBe(Infinity);
});
