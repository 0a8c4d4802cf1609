import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget, ThrottledError, type BudgetUse } from '../../../controller/budget';
import type { ArmRequest } from '../../../engine/arm/types';

const OBJECTS = 300;
const READS_A_RECONCILE = 3;
const get = (name: string): ArmRequest => ({ method: 'GET', url: `/subscriptions/s/resourceGroups/${name}` });
const put = (name: string): ArmRequest => ({ ...get(name), method: 'PUT' });
const keyOf = (name: string) => ({ group: 'resources.azure.com', kind: 'ResourceGroup', namespace: 'a', name });

function environment(timeScale = 1) {
  const time = new VirtualTime();
  const arm = new ModelArm(time);
  const budget = new Budget({ clock: time, timeScale });
  const client = (use: Partial<BudgetUse> = {}) =>
    budget.clientFor(
      { client: arm.client('p', 's'), tenantId: 't', clientId: 'p', source: 'a/b' },
      { namespace: 'a', priority: 'fresh', ...use },
    );
  return { time, arm, budget, client };
}

test('reconciles of several reads come to their end where Azure takes few: what they have read is not thrown away', async () => {
  const { time, arm, client } = environment();
  arm.drain('p', 'reads');
  const began = time.now();
  let done = 0;
  const run = async (name: string): Promise<void> => {
    for (;;) {
      const reconcile = client({ key: keyOf(name), namespace: `n${name.length}`, onThrottled: () => undefined });
      try {
        for (let i = 0; i < READS_A_RECONCILE; i += 1) await reconcile.send(get(name));
        done += 1;
        return;
      } catch (error) {
        if (!(error instanceof ThrottledError)) throw error;
        await time.sleep(error.retryIn);
      }
    }
  };
  for (let i = 0; i < OBJECTS; i += 1) void run(`rg-${i}`);
  await time.run();
  expect(done).toBe(OBJECTS);
  const taken = arm.received.filter(({ status }) => status === 200);
  // Reconciles in progress when Azure refused for ten seconds start again.
  expect(taken.length).toBeLessThanOrEqual(OBJECTS * READS_A_RECONCILE + 25);
  expect((time.now() - began) / 1000).toBeLessThan((OBJECTS * READS_A_RECONCILE) / 25 + 15);
});

test('what was begun goes before what was not, in its namespace', async () => {
  const { time, arm, client } = environment();
  const begun = client({ namespace: 'a' });
  await Promise.all([begun.send(get('first')), time.run()]);
  for (let i = 0; i < 300; i += 1) void client({ namespace: 'a', rank: 5 }).send(get('crowd'));
  void begun.send(get('second'));
  await time.run();
  expect(arm.received.findIndex(({ url }) => url.endsWith('second')) - 1).toBeLessThanOrEqual(250);
});

test('but not before another namespace: whose reconciles have all begun keeps nobody waiting', async () => {
  const { time, arm, client } = environment();
  const crowd = Array.from({ length: 120 }, () => client({ namespace: 'crowd' }));
  await Promise.all([...crowd.map((reconcile) => reconcile.send(get('first'))), time.run()]);
  arm.drain('p', 'writes');
  for (let i = 0; i < 5; i += 1) for (const reconcile of crowd) void reconcile.send(put('crowd'));
  await time.run(time.now() + 15_000);
  const asked = time.now();
  void client({ namespace: 'single' }).send(put('single'));
  await time.run();
  expect(arm.received.find(({ url }) => url.endsWith('single'))!.at - asked).toBeLessThanOrEqual(200);
});

test('a request that is refused for a short time is sent again, and the reconcile does not hear of it', async () => {
  const { time, arm, client } = environment();
  arm.retryAfter = 2;
  arm.drain('p', 'reads');
  arm.drain('p', 'writes');
  const answers = Promise.all([client().send(get('a')), client().send(put('b'))]);
  await time.run();
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(arm.received.map(({ status }) => status)).toEqual([429, 429, 200, 200]);
});

test('one that is refused for long, or again and again, is reported', async () => {
  const { time, arm, client } = environment();
  arm.retryAfter = 60;
  arm.drain('p', 'reads');
  const long = client().send(get('a'));
  await time.run();
  expect((await long).status).toBe(429);
  arm.retryAfter = 1;
  arm.answer = () => ({
    status: 429,
    headers: { 'retry-after': '1' },
    body: { error: { code: 'SubscriptionRequestsThrottled', message: '' } },
  });
  const again = client().send(get('b'));
  await time.run();
  expect((await again).status).toBe(429);
  expect(arm.received.filter(({ url }) => url.endsWith('/b')).length).toBeLessThanOrEqual(4);
});

test('a resync goes after a while where Azure never has as much left as is kept for changes', async () => {
  const { time, arm, client } = environment(0.1);
  arm.tells = false;
  arm.headers = () => ({ 'x-ms-ratelimit-remaining-subscription-reads': '3' });
  const began = time.now();
  let sent = Infinity;
  // Another client reads now and then, and each answer reports next to no tokens: the bucket never fills on our side.
  for (let i = 0; i < 30; i += 1) time.schedule(i * 9_000, () => void client({ namespace: 'b' }).send(get('change')));
  time.schedule(1_000, () => void client({ priority: 'resync' }).send(get('drifted')).then(() => (sent = time.now() - began)));
  await time.run(began + 120_000);
  expect(sent).toBeLessThanOrEqual(1_000 + 10_000 + 500);
});

test('where many namespaces wait, one of their objects may begin that more others wait for than for those that wait already', async () => {
  const { time, budget, client } = environment();
  for (let i = 0; i < 200; i += 1) void client().send(put('burst'));
  for (let i = 0; i < 100; i += 1) void client({ namespace: `n${i % 50}`, rank: i % 2 }).send(put('crowd'));
  await time.run(time.now());
  const isOpen = (namespace: string, rank: number) => budget.isOpen({ ...keyOf('new'), namespace }, 'fresh', rank);
  expect([isOpen('n7', 0), isOpen('n7', 1), isOpen('n7', 2), isOpen('single', 0)]).toEqual([false, false, true, true]);
});

describe('a reconcile whose request waits for its turn', () => {
  /** The request, and what happens to the worker meanwhile. */
  async function waiting(use: Partial<BudgetUse>, signal?: AbortSignal) {
    const { time, client } = environment();
    const events: string[] = [];
    const onWait = () => {
      events.push('lent');
      return () => void events.push('back');
    };
    await Promise.all([client({ onWait }).send(get('at once')), time.run()]);
    expect(events).toEqual([]);
    for (let i = 0; i < 1_000; i += 1) void client().send(put('burst'));
    await time.run(time.now());
    const sent = client({ onWait, rank: -1, ...use }).send(put('waits'), signal).then(() => 'sent', (error: Error) => error.name);
    return { time, events, sent };
  }

  test('lends its worker until the request is sent', async () => {
    const { time, events, sent } = await waiting({});
    expect(events).toEqual(['lent']);
    await time.run();
    expect([await sent, events]).toEqual(['sent', ['lent', 'back']]);
  });

  test('has it back when it is throttled', async () => {
    const { time, events, sent } = await waiting({ onThrottled: () => undefined });
    await time.run();
    expect([await sent, events]).toEqual(['ThrottledError', ['lent', 'back']]);
  });

  test('is throttled instead of sending what is outdated by then, and takes no token for it', async () => {
    const run = async (...names: readonly string[]) => {
      let isOutdated = false;
      const { time, client } = environment();
      for (let i = 0; i < 200; i += 1) void client().send(put('burst'));
      await time.run(time.now());
      const began = time.now();
      const use = (name: string) => ({ onThrottled: () => undefined, isOutdated: () => isOutdated && name === 'outdated' });
      const ends = names.map((name) => client(use(name)).send(put(name))
        .then(() => `${name} sent after ${time.now() - began}`, (error: Error) => `${name}: ${error.name}`));
      isOutdated = true;
      await time.run();
      return Promise.all(ends);
    };
    expect(await run('outdated', 'next')).toEqual(['outdated: ThrottledError', ...await run('next')]);
  });

  test('has it back when it is aborted', async () => {
    const abort = new AbortController();
    const { events, sent } = await waiting({}, abort.signal);
    abort.abort(new TypeError('stopped'));
    expect([await sent, events]).toEqual(['TypeError', ['lent', 'back']]);
  });
});

test('requests for objects whose reconciles are to end soon are sent back, but for those of reconciles that have written', async () => {
  const { time, budget, client } = environment();
  const written = client({ key: keyOf('written'), onThrottled: () => undefined });
  await Promise.all([written.send(put('written')), time.run()]);
  for (let i = 0; i < 200; i += 1) void client().send(put('burst'));
  await time.run(time.now());
  const ends: string[] = [];
  const send = (name: string, from = client({ key: keyOf(name), onThrottled: () => undefined })) =>
    void from.send(put(name)).then(() => ends.push(`${name} sent`), (error: Error) => ends.push(`${name} ${error.name}`));
  ['goes', 'stays'].forEach((name) => send(name));
  send('written', written);
  await time.run(time.now());
  expect(ends).toEqual([]);
  const goOn = budget.sendBack(({ name }) => name !== 'stays');
  send('comes');
  await time.run(time.now());
  expect(ends).toEqual(['goes ThrottledError', 'comes ThrottledError']);
  goOn();
  send('comes');
  await time.run();
  expect(ends.slice(2).sort()).toEqual(['comes sent', 'stays sent', 'written sent']);
});
