import fc from 'fast-check';
import { deadlineOf, WaitingRequests, type Waiter } from '../../../controller/budget/waiting-requests';

const waiter = (number: number, more: Partial<Waiter> = {}): Waiter => ({
  number,
  namespace: 'team',
  priority: 'fresh',
  rank: 0,
  type: 'a/b',
  longestWaitMs: 1_000,
  since: 0,
  onThrottled: () => undefined,
  grant: () => undefined,
  refuse: () => undefined,
  ...more,
});

test('requests are grouped by priority and type, in the order in which they came', () => {
  const waiting = new WaitingRequests();
  const [first, other, resync, second] = [waiter(1), waiter(2, { type: 'a/c' }), waiter(3, { priority: 'resync' }), waiter(4)] as const;
  [first, other, resync, second].forEach((one) => waiting.add(one));
  expect(waiting.groups).toEqual([
    { priority: 'fresh', type: 'a/b', waiters: [first, second], since: 0, deadline: 1_000 },
    { priority: 'fresh', type: 'a/c', waiters: [other], since: 0, deadline: 1_000 },
    { priority: 'resync', type: 'a/b', waiters: [resync], since: 0, deadline: 1_000 },
  ]);
  expect(waiting.of('fresh')).toEqual([first, second, other]);
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

test('a request has a deadline if its reconcile has not begun, and can be throttled', () => {
  expect(deadlineOf(waiter(1, { since: 500 }))).toBe(1_500);
  expect(deadlineOf(waiter(1, { hasBegun: true }))).toBe(Infinity);

  const { onThrottled: _, ...unlimited } = waiter(1);

  expect(deadlineOf(unlimited)).toBe(Infinity);
});

test('the first request that comes, and the last one that goes, are told', () => {
  const told: boolean[] = [];
  const waiting = new WaitingRequests((isEmpty) => told.push(isEmpty));
  const [first, second] = [waiter(1), waiter(2, { type: 'a/c' })] as const;
  waiting.add(first);
  waiting.add(second);
  waiting.delete(first);
  waiting.delete(first);

  expect(told).toEqual([false]);

  waiting.delete(second);
  waiting.delete(second);

  expect(told).toEqual([false, true]);
});

const anyWaiter = fc.record({
  namespace: fc.constantFrom('a', 'b', 'c', 'd'),
  priority: fc.constantFrom('fresh' as const, 'resync' as const),
  type: fc.constantFrom('a/b', 'a/c', 'a/d'),
  rank: fc.nat(3),
  since: fc.nat(100),
  longestWaitMs: fc.nat(100),
  hasBegun: fc.boolean(),
});

test('what is known of them is what going through all of them would show', () => {
  fc.assert(fc.property(fc.array(anyWaiter, { maxLength: 30 }), fc.array(fc.nat(29)), fc.nat(5), (all, gone, most) => {
    const waiting = new WaitingRequests();
    const waiters = all.map((one, number) => waiter(number, one));
    waiters.forEach((one) => waiting.add(one));
    gone.forEach((number) => waiters[number] && waiting.delete(waiters[number]));
    const left = waiters.filter(({ number }) => !gone.includes(number));
    const counts = (type: string) => type !== 'a/d';
    for (const priority of ['fresh', 'resync'] as const) {
      const own = left.filter((one) => one.priority === priority);
      const counted = own.filter(({ type }) => counts(type));

      expect(waiting.count(priority, counts)).toBe(counted.length);
      expect(waiting.namespaces(priority, counts, most)).toBe(Math.min(new Set(counted.map(({ namespace }) => namespace)).size, most));

      for (const name of ['a', 'b', 'c', 'd']) {
        expect([...waiting.inNamespace(priority, name)]).toEqual(own.filter(({ namespace }) => namespace === name));
      }
    }
    for (const { priority, type, waiters: group, since, deadline } of waiting.groups) {
      const own = left.filter((one) => one.priority === priority && one.type === type);

      expect(group).toEqual(own);
      expect(since).toBe(Math.min(...own.map((one) => one.since)));
      expect(deadline).toBe(Math.min(...own.map((one) => (one.hasBegun ? Infinity : one.since + one.longestWaitMs))));
    }

    expect(waiting.groups.flatMap(({ waiters: group }) => group)).toHaveLength(left.length);
  }));
});
