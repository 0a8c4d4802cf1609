import fc from 'fast-check';
import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget } from '../../../controller/budget';
import { FairScheduler, type Waiting } from '../../../controller/budget/fair-scheduler';
import { operationOf } from '../../../controller/budget/operation';
import { ARM_REQUEST_LIMITS } from '../../../src/azure/arm-request-limits';

const METHODS = ['GET', 'PUT', 'DELETE', 'POST'] as const;

/** Events: requests, requests of other clients, and time. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      count: fc.integer({ min: 1, max: 60 }),
      method: fc.constantFrom(...METHODS),
      principal: fc.constantFrom('p', 'q'),
      namespace: fc.constantFrom('a', 'b', 'c'),
      resync: fc.boolean(),
      rank: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.integer({ min: 0, max: 20_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('drain' as const),
      principal: fc.constantFrom('p', 'q'),
      operation: fc.constantFrom('reads' as const, 'writes' as const),
      to: fc.integer({ min: 0, max: 50 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('headers' as const),
      value: fc.constantFrom('', '0', '3', '199', '11999', '-5', 'x', '1e9', '999999999999'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refuse' as const),
      retryAfter: fc.constantFrom(0, 1, 10, 30),
      by: fc.constantFrom('arm', 'provider', 'nobody'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
);

test('whatever answers come, no more than a bucket and its refill is sent in any span; and all is sent when Azure takes it again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const time = new VirtualTime();
      const arm = new ModelArm(time);
      const budget = new Budget({ clock: time });
      let open = 0;
      for (const [index, one] of steps.entries()) {
        switch (one.do) {
          case 'ask':
            for (let i = 0; i < one.count; i += 1) {
              open += 1;
              const credential = { client: arm.client(one.principal), tenantId: 't', clientId: one.principal, source: '' };
              const client = budget.clientFor(credential, {
                namespace: one.namespace,
                priority: one.resync ? 'resync' : 'fresh',
                rank: one.rank,
              });
              void client
                .send({ method: one.method, url: `/subscriptions/s/resourceGroups/rg-${index}` })
                .catch(() => undefined)
                .finally(() => (open -= 1));
            }
            break;
          case 'wait':
            await time.run(time.now() + one.milliseconds);
            break;
          case 'drain':
            arm.drain(one.principal, one.operation, one.to);
            break;
          case 'headers':
            arm.tells = false;
            arm.headers = () =>
              Object.fromEntries(
                ['reads', 'writes', 'deletes'].flatMap((operation) =>
                  ['', 'global-'].map((all) => [`x-ms-ratelimit-remaining-subscription-${all}${operation}`, one.value]),
                ),
              );
            break;
          case 'refuse':
            arm.answer =
              one.by === 'nobody'
                ? () => undefined
                : () => ({
                  status: 429,
                  body: {
                    error: { code: one.by === 'arm' ? 'SubscriptionRequestsThrottled' : 'ResourceRequestsThrottled', message: '' },
                  },
                  headers: (one.retryAfter ? { 'retry-after': String(one.retryAfter) } : {}) as Record<string, string>,
                });
            break;
          case 'lose':
            arm.answer = () => ({ status: 0 });
            break;
        }
      }
      // Azure is as it should be again.
      arm.answer = () => undefined;
      arm.headers = () => ({});
      arm.tells = true;
      await time.run();
      expect(open).toBe(0);
      for (const principal of ['p', 'q']) {
        for (const operation of ['reads', 'writes', 'deletes'] as const) {
          const { size, refillPerSecond } = ARM_REQUEST_LIMITS[operation];
          const own = arm.received.filter((request) => request.principal === principal && operationOf(request.method) === operation);
          const times = own.map(({ at }) => at);
          // Of n requests the span from the i-th to the last may hold no more than there can be tokens; the worst span ends at each
          // request.
          let level = size;
          let before = times[0];
          for (const at of times) {
            level = Math.min(size, level + ((at - before!) / 1000) * refillPerSecond) - 1;
            before = at;
            expect(level).toBeGreaterThan(-1e-6);
          }
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('a namespace gets its turn within as many as there are namespaces, whatever ranks others have', () => {
  const waiting = fc.array(
    fc.record({
      namespace: fc.constantFrom('a', 'b', 'c', 'd'),
      rank: fc.integer({ min: 0, max: 5 }),
      priority: fc.constant('fresh' as const),
    }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(waiting, (given) => {
      const scheduler = new FairScheduler();
      let left: Waiting[] = given.map((one, number) => ({ ...one, number }));
      const order: Waiting[] = [];
      while (left.length > 0) {
        const next = scheduler.next(left)!;
        const namespaces = new Set(left.map(({ namespace }) => namespace));
        // A served namespace is not served again while another namespace waits longer for its turn.
        const last = (namespace: string) => order.map((one) => one.namespace).lastIndexOf(namespace);
        for (const other of namespaces) expect(last(next.namespace)).toBeLessThanOrEqual(last(other));
        scheduler.serve(next);
        order.push(next);
        left = left.filter((one) => one !== next);
      }
      expect(order).toHaveLength(given.length);
    }),
  );
});

test('nobody starves: however many others come, each is served within a bounded number of turns', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 5 }), fc.constantFrom('fresh' as const, 'resync' as const), (others, priority) => {
    const scheduler = new FairScheduler();
    const poor: Waiting = { namespace: 'poor', rank: 0, priority, number: 0 };
    let number = 1;
    const rich = (): Waiting => ({ namespace: `n${number % others}`, rank: 9, priority: 'fresh', number: (number += 1) });
    const sibling = (): Waiting => ({ namespace: 'poor', rank: 9, priority, number: (number += 1) });
    let left: Waiting[] = [poor, ...Array.from({ length: 20 }, rich), ...Array.from({ length: 20 }, sibling)];
    for (let turn = 0; turn < 400; turn += 1) {
      const next = scheduler.next(left)!;
      scheduler.serve(next);
      if (next === poor) return;
      left = [...left.filter((one) => one !== next), next.namespace === 'poor' ? sibling() : rich()];
    }
    throw new Error('starved');
  }));
});
