import * as fc from 'fast-check';
import { WorkQueue, type Worker, type WorkQueueOptions } from '../../../runtime/work-queue';
import { FakeClock, settle } from '../../engine/kubernetes/fake-clock';

interface Work {
  readonly item: string;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

/** A queue whose work ends when the test says so. */
function setUp(options: Partial<WorkQueueOptions<string>> = {}) {
  const clock = new FakeClock();
  const begun: string[] = [];
  const running = new Map<string, Work>();
  const problems: string[] = [];
  const queue = new WorkQueue<string>({
    clock,
    keyOf: (item) => item,
    groupOf: (item) => item[0]!,
    concurrency: 10,
    concurrencyPerGroup: 10,
    process: (item) =>
      new Promise<void>((resolve, reject) => {
        if (running.has(item)) problems.push(`${item} twice at once`);
        begun.push(item);
        const end = () => running.delete(item);
        running.set(item, { item, done: () => (end(), resolve()), fail: (error) => (end(), reject(error)) });
      }),
    ...options,
  });
  queue.start();
  return { clock, queue, begun, running, problems };
}

/** A queue with one worker, which the items that run may lend. */
function withOneWorker() {
  const workers = new Map<string, Worker>();
  const ends = new Map<string, () => void>();
  const { queue } = setUp({
    concurrency: 1,
    process: (item, _, __, worker) => {
      workers.set(item, worker);
      return new Promise((resolve) => ends.set(item, resolve));
    },
  });
  return { queue, workers, ends };
}

describe('WorkQueue', () => {
  test('an item that waits is done once, however often it is added', async () => {
    const { queue, begun, running } = setUp({ concurrency: 1 });
    queue.add('a1');
    queue.add('a2');
    queue.add('a2');
    queue.add('a2');
    running.get('a1')!.done();
    await settle();
    running.get('a2')!.done();
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
  });

  test('an item that is added while it runs runs once more afterwards', async () => {
    const { queue, begun, running } = setUp();
    queue.add('a1');
    queue.add('a1');
    queue.add('a1');
    expect(begun).toEqual(['a1']);
    running.get('a1')!.done();
    await settle();
    expect(begun).toEqual(['a1', 'a1']);
    running.get('a1')!.done();
    await settle();
    expect(begun).toHaveLength(2);
  });

  test('of several delays the earliest counts, and an add at once supersedes them', async () => {
    const { clock, queue, begun, running } = setUp();
    queue.addAfter('a1', 5_000);
    queue.addAfter('a1', 2_000);
    queue.addAfter('a1', 9_000);
    await clock.advance(1_999);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(['a1']);
    running.get('a1')!.done();
    await clock.advance(20_000);
    expect(begun).toEqual(['a1']);

    queue.addAfter('a1', 5_000);
    queue.add('a1');
    expect(begun).toEqual(['a1', 'a1']);
    running.get('a1')!.done();
    await clock.advance(20_000);
    expect(begun).toEqual(['a1', 'a1']);
    expect(clock.pending).toBe(0);
  });

  test('a delay longer than a timer of Node can wait is kept to the millisecond', async () => {
    const { clock, queue, begun } = setUp();
    queue.addAfter('a1', 2 ** 32);
    await clock.advance(2 ** 32 - 1);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(['a1']);
  });

  test('kinds keep to their bound and take turns', async () => {
    const { queue, begun, running } = setUp({ concurrency: 3, concurrencyPerGroup: 2 });
    ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].forEach((item) => queue.add(item));
    expect([...running.keys()]).toEqual(['a1', 'a2', 'b1']);
    running.get('a1')!.done();
    await settle();
    expect(begun).toHaveLength(4);
    expect([...running.keys()].filter((item) => item.startsWith('a')).length).toBeLessThanOrEqual(2);
    running.get('b1')!.done();
    await settle();
    expect(begun).toContain('b2');
  });

  test('a tenant that is alone leaves places for those that come, in all and of each kind', () => {
    const { queue, begun } = setUp({ concurrency: 256, concurrencyPerGroup: 128, tenantOf: (item) => item.split('-')[1]! });
    for (const kind of ['a', 'b', 'c']) for (let i = 0; i < 400; i += 1) queue.add(`${kind}-hangs-${i}`);
    expect(begun.length).toBe(240);
    expect(begun.filter((item) => item.startsWith('a')).length).toBeLessThanOrEqual(120);
    for (const kind of ['a', 'b', 'c', 'd']) queue.add(`${kind}-comes-0`);
    expect(begun.slice(240)).toEqual(['a-comes-0', 'b-comes-0', 'c-comes-0', 'd-comes-0']);
  });

  test('a failing item backs off on its own and delays nobody', async () => {
    const errors: number[] = [];
    const { clock, queue, begun, running } = setUp({
      concurrency: 1,
      backoff: { base: 1_000, max: 4_000 },
      onError: (_, __, delay) => errors.push(delay),
    });
    queue.add('a1');
    queue.add('a2');
    running.get('a1')!.fail(new Error('no'));
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    running.get('a2')!.done();
    for (const delay of [1_000, 2_000, 4_000, 4_000]) {
      await clock.advance(delay - 1);
      expect(running.size).toBe(0);
      await clock.advance(1);
      running.get('a1')!.fail(new Error('no'));
      await settle();
    }
    expect(errors.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 4_000]);
    await clock.advance(4_000);
    running.get('a1')!.done();
    await settle();
    queue.add('a1');
    running.get('a1')!.fail(new Error('no'));
    await settle();
    expect(errors.at(-1)).toBe(1_000);
  });

  test('fresh goes before resync, yet resync is never starved', async () => {
    const { queue, begun, running } = setUp({ concurrency: 1 });
    queue.add('a0');
    queue.add('r1', 'resync');
    for (let i = 1; i <= 3; i += 1) queue.add(`a${i}`);
    running.get('a0')!.done();
    await settle();
    running.get('a1')!.done();
    await settle();
    expect(begun).toEqual(['a0', 'a1', 'a2']);
    for (let i = 0; i < 20; i += 1) {
      queue.add(`f${i}`);
      [...running.values()][0]!.done();
      await settle();
    }
    expect(begun).toContain('r1');
  });

  test('an item that waits as resync moves forward when it becomes fresh', async () => {
    const { queue, begun, running } = setUp({ concurrency: 1 });
    queue.add('a0');
    queue.add('a1', 'resync');
    queue.add('a2', 'resync');
    queue.add('a2', 'fresh');
    expect(queue.depth).toBe(2);
    running.get('a0')!.done();
    await settle();
    expect(begun).toEqual(['a0', 'a2']);
  });

  test('of blocked items few run at once, also with nothing else to do', async () => {
    const { queue, begun, running } = setUp({ concurrency: 100, concurrencyPerGroup: 100 });
    for (let number = 0; number < 9; number += 1) queue.add(`a${number}`, 'blocked');
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3']);
    expect(queue.depth).toBe(5);
    running.get('a1')!.done();
    await settle();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  test('fresh items go before blocked ones, which have an eighth of the picks, and are processed as fresh', async () => {
    const priorities: string[] = [];
    const { queue } = setUp({
      concurrency: 1,
      process: (item, _, priority) => {
        priorities.push(`${item[0]} ${priority}`);
        return Promise.resolve();
      },
    });
    for (let number = 0; number < 4; number += 1) queue.add(`b${number}`, 'blocked');
    for (let number = 0; number < 40; number += 1) queue.add(`f${number}`);
    await settle();
    expect(priorities).toHaveLength(44);
    expect(priorities.slice(0, 17).filter((text) => text === 'b fresh')).toHaveLength(2 + 1);
    expect(new Set(priorities)).toEqual(new Set(['b fresh', 'f fresh']));
  });

  test('blocked items go before resyncs, which are not starved by them', async () => {
    const { queue, begun, running } = setUp({ concurrency: 1 });
    queue.add('x');
    for (let number = 0; number < 20; number += 1) queue.add(`r${number}`, 'resync');
    for (let number = 0; number < 20; number += 1) queue.add(`b${number}`, 'blocked');
    for (let number = 0; number < 16; number += 1) {
      running.get(begun.at(-1)!)!.done();
      await settle();
    }
    expect(begun.slice(1, 17).filter((item) => item.startsWith('r'))).toHaveLength(2);
  });

  test.each([
    ['blocked', 'fresh', true], ['resync', 'blocked', true], ['resync', 'fresh', true],
    ['fresh', 'blocked', false], ['fresh', 'resync', false], ['blocked', 'resync', false],
  ] as const)('an item in the line %s that is added to %s moves forward: %s', async (from, to, moves) => {
    for (const isRunning of [false, true]) {
      const { queue, begun, running } = setUp({ concurrency: 1 });
      queue.add(isRunning ? 'item' : 'first');
      queue.add('item', from);
      // Of the better line: it goes before the item, unless that has its place there.
      queue.add('other', moves ? to : from);
      queue.add('item', to);
      running.get(begun[0]!)!.done();
      await settle();
      running.get(begun[1]!)!.done();
      await settle();
      expect(begun.slice(1)).toEqual(isRunning || moves ? ['other', 'item'] : ['item', 'other']);
      expect(queue.depth).toBe(0);
    }
  });

  test('a worker that is lent does the next item; its own item goes on when the wait is over, and the bound holds again', async () => {
    const { queue, workers, ends } = withOneWorker();
    ['a', 'b', 'c', 'd'].forEach((item) => queue.add(item));
    expect([...workers.keys()]).toEqual(['a']);
    const [once, again] = [workers.get('a')!.lend(), workers.get('a')!.lend()];
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b']);
    // Two waits of one item lend its worker once.
    once();
    once();
    ends.get('b')!();
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b', 'c']);
    again();
    ends.get('c')!();
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b', 'c']);
    ends.get('a')!();
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  test('an item that ends while its worker is lent gives it back once', async () => {
    const { queue, workers, ends } = withOneWorker();
    ['a', 'b', 'c'].forEach((item) => queue.add(item));
    const back = workers.get('a')!.lend();
    await settle();
    ends.get('a')!();
    await settle();
    back();
    workers.get('a')!.lend();
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b']);
    ends.get('b')!();
    await settle();
    expect([...workers.keys()]).toEqual(['a', 'b', 'c']);
  });

  test('a drained queue ends what runs, begins nothing and takes nothing', async () => {
    const { clock, queue, begun, running } = setUp({ concurrency: 1 });
    queue.add('a1');
    queue.add('a1');
    queue.add('a2');
    queue.addAfter('a3', 10);
    let drained = false;
    const end = queue.drain().then(() => (drained = true));
    await clock.advance(100);
    expect(drained).toBe(false);
    running.get('a1')!.done();
    await end;
    queue.add('a4');
    await clock.advance(100);
    expect(begun).toEqual(['a1']);
    expect(clock.pending).toBe(0);
  });

  test('stop aborts the signal of running work', async () => {
    let aborted = false;
    const { queue } = setUp({
      process: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => ((aborted = true), resolve()))),
    });
    queue.add('a1');
    await queue.stop();
    expect(aborted).toBe(true);
  });

  test('law: no key twice at once, bounds hold, and every add is followed by a run that begins after it', async () => {
    const key = fc.constantFrom('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    const command = fc.oneof(
      fc.record({ do: fc.constant('add' as const), key, fresh: fc.boolean() }),
      fc.record({ do: fc.constant('addAfter' as const), key, delay: fc.integer({ min: 0, max: 50 }) }),
      fc.record({ do: fc.constant('end' as const), key, fails: fc.boolean() }),
      fc.record({ do: fc.constant('pass' as const), time: fc.integer({ min: 1, max: 30 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60, size: 'max' }), async (commands) => {
        const { clock, queue, begun, running, problems } = setUp({
          concurrency: 3,
          concurrencyPerGroup: 2,
          backoff: { base: 10, max: 20 },
        });
        // For each key the number of runs that had begun when it was last added: at the end there must be more.
        const owed = new Map<string, number>();
        const runs = (wanted: string) => begun.filter((item) => item === wanted).length;
        const check = () => {
          if (running.size > 3) problems.push('more than the global bound');
          for (const group of 'abc') {
            if ([...running.keys()].filter((item) => item.startsWith(group)).length > 2) problems.push('more than the bound of a group');
          }
        };
        for (const step of commands) {
          if (step.do === 'add' || step.do === 'addAfter') {
            owed.set(step.key, runs(step.key));
            if (step.do === 'add') queue.add(step.key, step.fresh ? 'fresh' : 'resync');
            else queue.addAfter(step.key, step.delay);
          } else if (step.do === 'end') {
            if (step.fails) running.get(step.key)?.fail(new Error('no'));
            else running.get(step.key)?.done();
            await Promise.resolve();
          } else {
            await clock.advance(step.time);
          }
          check();
        }
        for (let i = 0; i < 100; i += 1) {
          [...running.values()].forEach(({ done }) => done());
          await clock.advance(10);
          check();
        }
        expect(problems).toEqual([]);
        for (const [added, before] of owed) expect(`${added}: ${runs(added) > before}`).toBe(`${added}: true`);
        expect([queue.depth, queue.delayedCount, queue.runningCount, clock.pending]).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: 60 },
    );
  });
});
