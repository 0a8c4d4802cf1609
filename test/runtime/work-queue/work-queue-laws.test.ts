import * as fc from 'fast-check';
import { WorkQueue, type Priority, type WorkQueueOptions } from '../../../runtime/work-queue';
import { FakeClock, settle } from '../../engine/kubernetes/fake-clock';

/** `tenant/group/number`. */
type Item = string;
const tenantOf = (item: Item) => item.split('/')[0]!;
const groupOf = (item: Item) => item.split('/')[1]!;

/** A queue whose work ends when the test says so, and what it must never do. */
function setUp(options: Partial<WorkQueueOptions<Item>> = {}) {
  const clock = new FakeClock();
  const begun: Item[] = [];
  const running = new Map<Item, { readonly priority: Priority; readonly end: (error?: Error) => void }>();
  const problems: string[] = [];
  const queue = new WorkQueue<Item>({
    clock,
    keyOf: (item) => item,
    groupOf,
    tenantOf,
    concurrency: 8,
    concurrencyPerGroup: 8,
    backoff: { base: 10, max: 20 },
    process: (item, _, priority) => new Promise<void>((resolve, reject) => {
      if (running.has(item)) problems.push(`${item} twice at once`);
      begun.push(item);
      running.set(item, {
        priority,
        end: (error) => {
          running.delete(item);
          error ? reject(error) : resolve();
        },
      });
    }),
    ...options,
  });
  queue.start();
  const end = async (...items: Item[]) => {
    for (const item of items) running.get(item)?.end();
    // The queue goes on two turns of promises later.
    for (let i = 0; i < 5; i += 1) await Promise.resolve();
  };
  /** Ends the oldest work, again and again, until nothing runs. */
  const endAll = async () => {
    while (running.size > 0) await end(running.keys().next().value!);
  };
  return { clock, queue, begun, running, problems, end, endAll };
}

const itemArbitrary = fc
  .tuple(fc.constantFrom('n1', 'n2', 'n3'), fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'))
  .map((parts) => parts.join('/'));

describe('laws of the queue', () => {
  test('no key twice at once, bounds hold, every add is followed by a run that begins after it; also with gates that close and open', async () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('add' as const), item: itemArbitrary, fresh: fc.boolean() }),
      fc.record({ do: fc.constant('addAfter' as const), item: itemArbitrary, delay: fc.integer({ min: 0, max: 50 }) }),
      fc.record({ do: fc.constant('end' as const), item: itemArbitrary, fails: fc.boolean() }),
      fc.record({ do: fc.constant('time' as const), time: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ do: fc.constant('gate' as const), of: fc.constantFrom('n1', 'n2', 'n1/a', 'n3/b/1'), wakes: fc.boolean() }),
      fc.record({ do: fc.constant('rank' as const), item: itemArbitrary, rank: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('forget' as const), item: itemArbitrary }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60, size: 'max' }), async (commands) => {
        const closed = new Set<string>();
        const ranks = new Map<Item, number>();
        let waiting = 0;
        const isOpen = (item: Item) => ![...closed].some((part) => item.startsWith(part));
        const { clock, queue, begun, running, problems } = setUp({
          concurrency: 5,
          concurrencyPerGroup: 4,
          gate: isOpen,
          rankOf: (item) => ranks.get(item) ?? 0,
          observer: {
            onAdded: () => (waiting += 1),
            onDropped: () => (waiting -= 1),
            onStarted: (item) => {
              waiting -= 1;
              if (!isOpen(item)) problems.push(`${item} begins through a closed gate`);
            },
            onEnded: () => undefined,
          },
        });
        const owed = new Map<Item, number>();
        const runs = (item: Item) => begun.filter((other) => other === item).length;
        const check = () => {
          const now = [...running];
          if (now.length > 5) problems.push('more than the bound');
          if (now.filter(([, { priority }]) => priority === 'resync').length > 2) problems.push('resync holds more than half');
          for (const group of ['a', 'b']) {
            if (now.filter(([item]) => groupOf(item) === group).length > 4) problems.push('more than the bound of a group');
          }
          if (waiting !== queue.depth) problems.push(`the observer counts ${waiting}, the queue ${queue.depth}`);
        };
        for (const step of commands) {
          if (step.do === 'add' || step.do === 'addAfter') {
            owed.set(step.item, runs(step.item));
            if (step.do === 'add') queue.add(step.item, step.fresh ? 'fresh' : 'resync');
            else queue.addAfter(step.item, step.delay);
          } else if (step.do === 'end') {
            running.get(step.item)?.end(step.fails ? new Error('no') : undefined);
            for (let i = 0; i < 5; i += 1) await Promise.resolve();
          } else if (step.do === 'time') {
            await clock.advance(step.time);
          } else if (step.do === 'gate') {
            if (!closed.delete(step.of)) closed.add(step.of);
            if (step.wakes) queue.wake();
          } else if (step.do === 'rank') {
            ranks.set(step.item, step.rank);
            queue.rerank(step.item);
          } else {
            queue.forget(step.item);
            owed.delete(step.item);
          }
          check();
        }
        // Without a wake-up: the queue asks again about throttled items after a while.
        closed.clear();
        for (let i = 0; i < 30; i += 1) {
          running.forEach(({ end }) => end());
          await clock.advance(300);
          check();
        }
        expect(problems).toEqual([]);
        for (const [added, before] of owed) expect(`${added}: ${runs(added) > before}`).toBe(`${added}: true`);
        expect([queue.depth, queue.delayedCount, queue.runningCount, clock.pending]).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: 60 },
    );
  });

  test('an item of an idle tenant begins after at most as many others as there are tenants, whatever these have waiting', async () => {
    const upTo = (max: number) => fc.integer({ min: 1, max });
    const many = fc.record({ tenant: upTo(6), group: fc.constantFrom('a', 'b', 'c'), count: upTo(40) });
    const backlog = fc.array(many, { minLength: 1, maxLength: 8, size: 'max' });
    await fc.assert(fc.asyncProperty(backlog, upTo(8), fc.nat(20), async (backlogs, concurrency, served) => {
      const { queue, begun, running, end } = setUp({ concurrency, concurrencyPerGroup: concurrency });
      let number = 0;
      for (const { tenant, group, count } of backlogs) for (let i = 0; i < count; i += 1) queue.add(`n${tenant}/${group}/${number += 1}`);
      for (let i = 0; i < served && running.size > 0; i += 1) await end(running.keys().next().value!);
      const before = begun.length;
      queue.add('idle/a/0');
      while (!begun.includes('idle/a/0')) await end(running.keys().next().value!);
      const tenants = new Set(backlogs.map(({ tenant }) => tenant)).size;
      expect(begun.indexOf('idle/a/0') - before).toBeLessThanOrEqual(tenants);
    }), { numRuns: 60 });
  });

  test('who had nothing to do goes before all that wait already, and then takes turns with them', async () => {
    const { queue, begun, end, endAll, running } = setUp({ concurrency: 1 });
    for (const tenant of ['n1', 'n2', 'n3']) for (let i = 0; i < 3; i += 1) queue.add(`${tenant}/a/${i}`);
    for (let i = 0; i < 3; i += 1) await end(running.keys().next().value!);
    queue.add('idle/a/0');
    queue.add('idle/a/1');
    const before = begun.length;
    await endAll();
    expect(begun.slice(before, before + 6).map(tenantOf)).toEqual(['idle', 'n2', 'n3', 'n1', 'idle', 'n2']);
  });

  test('who comes and goes gains nothing over who waits: turns are equal', async () => {
    const { queue, begun, running, end } = setUp({ concurrency: 1 });
    for (let i = 0; i < 100; i += 1) queue.add(`waits/a/${i}`);
    for (let i = 0; i < 60; i += 1) {
      // One item at a time, again at once when it is done.
      if (!running.has('comes/a/0')) queue.add('comes/a/0');
      await end(running.keys().next().value!);
    }
    const share = begun.filter((item) => item.startsWith('waits')).length / begun.length;
    expect(share).toBeGreaterThanOrEqual(0.48);
  });

  test('of one tenant the highest rank begins first, equal ranks of several groups take turns, and each fourth pick goes by age', async () => {
    const ranks: Record<Item, number> = {};
    const { queue, begun, endAll } = setUp({ concurrency: 1, rankOf: (item) => ranks[item] ?? 0 });
    queue.add('n/a/first');
    for (const [item, rank] of [['n/a/old', 0], ['n/a/1', 2], ['n/a/2', 2], ['n/b/1', 2], ['n/b/2', 2], ['n/b/3', 1]] as const) {
      ranks[item] = rank;
      queue.add(item);
    }
    await endAll();
    expect(begun).toEqual(['n/a/first', 'n/a/1', 'n/b/1', 'n/a/old', 'n/b/2', 'n/a/2', 'n/b/3']);
  });

  test('the rank counts as it is when the worker is free', async () => {
    const ranks: Record<Item, number> = {};
    const { queue, begun, endAll } = setUp({ concurrency: 1, rankOf: (item) => ranks[item] ?? 0 });
    ['n/a/0', 'n/a/1', 'n/a/2', 'n/a/3'].forEach((item) => queue.add(item));
    ranks['n/a/3'] = 1;
    queue.rerank('n/a/3');
    await endAll();
    expect(begun.slice(0, 3)).toEqual(['n/a/0', 'n/a/3', 'n/a/1']);
  });

  test('a stream of high ranks starves no low one', async () => {
    const { queue, begun, running, end } = setUp({ concurrency: 1, rankOf: (item) => (item.includes('high') ? 5 : 0) });
    queue.add('n/a/low');
    queue.add('n/b/low');
    for (let i = 0; i < 40; i += 1) {
      queue.add(`n/a/high${i}`);
      await end(running.keys().next().value!);
    }
    expect(begun.slice(0, 12)).toEqual(expect.arrayContaining(['n/a/low', 'n/b/low']));
  });

  test('a tenant holds at most three quarters of the slots as soon as there is another one, and all as long as there is none', async () => {
    const { queue, running } = setUp();
    for (let i = 0; i < 50; i += 1) queue.add(`n/a/${i}`);
    expect(running.size).toBe(8);
    const shared = setUp();
    shared.queue.addAfter('other/a/1', 1_000);
    for (let i = 0; i < 50; i += 1) shared.queue.add(`n/a/${i}`);
    expect(shared.running.size).toBe(6);
    shared.queue.add('other/a/2');
    shared.queue.add('third/a/1');
    expect([...shared.running.keys()].slice(6)).toEqual(['other/a/2', 'third/a/1']);
  });

  test('the same holds for the slots of a kind', () => {
    const { queue, running } = setUp({ concurrency: 100, concurrencyPerGroup: 4 });
    queue.addAfter('other/b/1', 1_000);
    for (let i = 0; i < 50; i += 1) queue.add(`n/a/${i}`);
    expect(running.size).toBe(3);
    queue.add('other/a/1');
    expect(running.has('other/a/1')).toBe(true);
  });

  test('resync of thousands leaves room for what changes: that begins at once, also of the same tenant and kind', () => {
    const { queue, running } = setUp({ concurrency: 16, concurrencyPerGroup: 8 });
    for (let i = 0; i < 1_000; i += 1) queue.add(`n${i % 3}/a/${i}`, 'resync');
    expect([...running.values()].filter(({ priority }) => priority === 'resync')).toHaveLength(4);
    queue.add('n1/a/edited');
    expect(running.has('n1/a/edited')).toBe(true);
  });

  test('resync of thousands is not begun all at once, however many slots there are, and one kind leaves room for another one', async () => {
    const { queue, running, end } = setUp({ concurrency: 256, concurrencyPerGroup: 128 });
    for (let i = 0; i < 1_000; i += 1) queue.add(`n${i % 3}/a/${i}`, 'resync');
    expect(running.size).toBe(16);
    for (let i = 0; i < 1_000; i += 1) queue.add(`n${i % 3}/${'bcd'[i % 3]}/${i}`, 'resync');
    expect(running.size).toBe(32);
    await end(running.keys().next().value!);
    expect(running.size).toBe(32);
  });

  test('a stream of changes leaves an eighth of the picks for resync', async () => {
    const { queue, begun, running, end } = setUp({ concurrency: 2 });
    for (let i = 0; i < 10; i += 1) queue.add(`n1/a/resync${i}`, 'resync');
    for (let i = 0; i < 80; i += 1) {
      queue.add(`n2/a/${i}`);
      queue.add(`n1/a/${i}`);
      await end(running.keys().next().value!);
    }
    expect(begun.slice(0, 80).filter((item) => item.includes('resync')).length).toBeGreaterThanOrEqual(9);
  });

  test('items that a gate refuses delay no others, keep their place, and begin after a wake-up; many wake-ups ask once', async () => {
    let asked = 0;
    let open = false;
    const { clock, queue, begun, endAll } = setUp({
      concurrency: 1,
      gate: (item) => {
        asked += 1;
        return open || !item.startsWith('n1/a');
      },
    });
    ['n1/a/1', 'n1/a/2', 'n1/b/1', 'n2/a/1'].forEach((item) => queue.add(item));
    await endAll();
    expect(begun).toEqual(['n1/b/1', 'n2/a/1']);
    open = true;
    queue.add('n1/a/3');
    asked = 0;
    for (let i = 0; i < 100; i += 1) queue.wake();
    await clock.advance(0);
    await endAll();
    expect(begun.slice(2).sort()).toEqual(['n1/a/1', 'n1/a/2', 'n1/a/3']);
    expect(begun.indexOf('n1/a/1')).toBeLessThan(begun.indexOf('n1/a/2'));
    expect(asked).toBeLessThan(10);
    expect(clock.pending).toBe(0);
  });

  test('what was throttled goes before what has come since', async () => {
    let open = false;
    const { clock, queue, begun, endAll } = setUp({ concurrency: 1, gate: (item) => open || item !== 'n/a/refused' });
    queue.add('n/a/refused');
    queue.add('n/a/runs');
    open = true;
    queue.add('n/a/later');
    queue.wake();
    await clock.advance(0);
    await endAll();
    expect(begun).toEqual(['n/a/runs', 'n/a/refused', 'n/a/later']);
  });

  test('tenants that a gate refuses keep their turns: what becomes free one at a time goes round', async () => {
    let tokens = 0;
    const { clock, queue, begun, endAll } = setUp({
      gate: () => tokens > 0,
      observer: { onAdded: () => undefined, onDropped: () => undefined, onStarted: () => (tokens -= 1), onEnded: () => undefined },
    });
    for (const tenant of ['n1', 'n2', 'n3']) for (let i = 0; i < 4; i += 1) queue.add(`${tenant}/a/${i}`);
    for (let i = 0; i < 6; i += 1) {
      tokens = 1;
      queue.wake();
      await clock.advance(200);
      await endAll();
    }
    expect(begun.map(tenantOf)).toEqual(['n1', 'n2', 'n3', 'n1', 'n2', 'n3']);
    await queue.drain();
    expect(clock.pending).toBe(0);
    await settle();
  });
});
