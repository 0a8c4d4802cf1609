import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget, ThrottledError, type BlockEvent, type BudgetUse } from '../../../controller/budget';
import type { ArmRequest } from '../../../engine/arm/types';

const GROUP = 'storage.azure.com';
const put = (name: string): ArmRequest => ({
  method: 'PUT',
  url: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/${name}`,
});
const get = (name: string, type = 'Microsoft.Network/virtualNetworks'): ArmRequest => ({
  method: 'GET',
  url: `/subscriptions/s/resourceGroups/rg/providers/${type}/${name}`,
});
const keyOf = (name: string, namespace = 'a') => ({ group: GROUP, kind: 'StorageAccount', namespace, name });

class TestEnvironment {
  public readonly time = new VirtualTime();
  public readonly arm = new ModelArm(this.time);
  public readonly blocks: BlockEvent[] = [];
  public readonly purposes: string[] = [];
  public readonly budget = new Budget({
    clock: this.time,
    onBlock: (event) => this.blocks.push(event),
    onRequest: ({ purpose }) => this.purposes.push(purpose),
  });

  public client(use: Partial<BudgetUse> = {}, principal = 'p', subscription = 's') {
    const credential = { client: this.arm.client(principal, subscription), tenantId: 't', clientId: principal, source: 'a/b' };
    return this.budget.clientFor(credential, { namespace: 'a', priority: 'fresh', ...use });
  }

  /** Names of what was sent, in order. */
  public get names(): string[] {
    return this.arm.received.map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
  }

  public statuses(status: number): number {
    return this.arm.received.filter((request) => request.status === status).length;
  }
}

describe('buckets', () => {
  test('a burst as large as the bucket goes at once, the rest as it fills, and nothing is refused', async () => {
    const environment = new TestEnvironment();
    const began = environment.time.now();
    const all = Promise.all(Array.from({ length: 300 }, (_, i) => environment.client().send(put(`n${i}`))));
    await environment.time.run(began);
    expect(environment.arm.received).toHaveLength(200);
    await environment.time.run();
    await all;
    expect(environment.time.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(environment.time.now() - began).toBeLessThan(10_500);
    expect(environment.statuses(429)).toBe(0);
  });

  test('what Azure says is left was counted when it got the request, not when that was sent', async () => {
    const environment = new TestEnvironment();
    environment.arm.travel = 150;
    environment.arm.drain('p', 'reads', 20);
    await Promise.all([environment.client().send(get('first')), environment.time.run()]);
    // On a connection that is there by now.
    environment.arm.travel = 0;
    const began = environment.time.now();
    const all = Promise.all(Array.from({ length: 200 }, (_, i) => environment.client().send(get(`n${i}`))));
    await environment.time.run();
    await all;
    expect(environment.statuses(429)).toBe(0);
    // Throttled requests are delayed, not lost: 175 tokens come back in seven seconds.
    expect(environment.time.now() - began).toBeLessThan(8_500);
  });

  test('subscriptions of the URL, principals and operations are counted apart', async () => {
    const environment = new TestEnvironment();
    const began = environment.time.now();
    const other = { ...put('x'), url: put('x').url.replace('/s/', '/other/') };
    for (let i = 0; i < 200; i += 1) {
      void environment.client().send(put('x'));
      void environment.client().send(other);
      void environment.client({}, 'q').send(put('x'));
      void environment.client().send({ ...put('x'), method: 'DELETE' });
      void environment.client().send({ method: 'POST', url: '/providers/Microsoft.Management/x' });
    }
    await environment.time.run(began);
    expect(environment.arm.received).toHaveLength(1000);
  });

  test('all principals of a subscription together have fifteen times as much', async () => {
    const environment = new TestEnvironment();
    const began = environment.time.now();
    for (let i = 0; i < 16; i += 1) for (let j = 0; j < 200; j += 1) void environment.client({}, `p${i}`).send(put('x'));
    await environment.time.run(began);
    expect(environment.arm.received).toHaveLength(3000);
  });

  test('a faster Azure fills faster', async () => {
    const time = new VirtualTime();
    const arm = new ModelArm(time);
    arm.tells = false;
    arm.headers = () => ({});
    const budget = new Budget({ clock: time, timeScale: 60 });
    const began = time.now();
    const client = { ...arm.client('p'), send: async () => ({ status: 200, headers: {}, body: {}, text: '' }) };
    const all = Promise.all(
      Array.from({ length: 400 }, () =>
        budget.clientFor({ client, tenantId: 't', clientId: 'p', source: '' }, { namespace: 'a', priority: 'fresh' }).send(put('x')),
      ),
    );
    await time.run();
    await all;
    expect(time.now() - began).toBeLessThan(500);
  });

  test('what somebody else has used is seen in the next answer', async () => {
    const environment = new TestEnvironment();
    await Promise.all([environment.client().send(put('first')), environment.time.run()]);
    environment.arm.drain('p', 'writes', 3);
    await Promise.all([environment.client().send(put('second')), environment.time.run()]);
    const now = environment.time.now();
    for (let i = 0; i < 10; i += 1) void environment.client().send(put('x'));
    await environment.time.run(now);
    expect(environment.arm.received).toHaveLength(2 + 2);
    await environment.time.run();
    expect(environment.statuses(429)).toBe(0);
  });

  test('values of the old limits by the hour, and nonsense, change nothing', async () => {
    for (const value of ['11999', 'x', '', '-4', '1e3']) {
      const environment = new TestEnvironment();
      environment.arm.tells = false;
      environment.arm.headers = () => ({ 'x-ms-ratelimit-remaining-subscription-writes': value });
      await Promise.all([environment.client().send(put('first')), environment.time.run()]);
      const now = environment.time.now();
      for (let i = 0; i < 200; i += 1) void environment.client().send(put('x'));
      await environment.time.run(now);
      expect(environment.arm.received).toHaveLength(201);
    }
  });
});

describe('turns', () => {
  /** The bucket is empty, so the order of what waits shows. */
  async function emptied(): Promise<TestEnvironment> {
    const environment = new TestEnvironment();
    for (let i = 0; i < 200; i += 1) void environment.client({ namespace: 'x' }).send(put('burst'));
    await environment.time.run(environment.time.now());
    environment.arm.received.length = 0;
    return environment;
  }

  test('namespaces take turns, whatever each of them has waiting', async () => {
    const environment = await emptied();
    for (let i = 0; i < 50; i += 1) void environment.client({ namespace: 'many' }).send(put('many'));
    void environment.client({ namespace: 'one' }).send(put('one'));
    await environment.time.run();
    expect(environment.names.indexOf('one')).toBeLessThanOrEqual(1);
  });

  test('changes go before resyncs, which get every eighth token', async () => {
    const environment = await emptied();
    for (let i = 0; i < 16; i += 1) void environment.client({ priority: 'resync' }).send(put('resync'));
    for (let i = 0; i < 32; i += 1) void environment.client().send(put('fresh'));
    await environment.time.run();
    const first = environment.names.slice(0, 32);
    expect(first.filter((name) => name === 'resync')).toHaveLength(4);
    expect(environment.names).toHaveLength(48);
  });

  test('a resync leaves a fifth of the bucket to changes', async () => {
    const environment = new TestEnvironment();
    const now = environment.time.now();
    for (let i = 0; i < 250; i += 1) void environment.client({ priority: 'resync' }).send(get('resync'));
    await environment.time.run(now);
    const sent = environment.arm.received.length;
    // Some of the first ones take the turn that resyncs have.
    expect(sent).toBeGreaterThanOrEqual(200);
    expect(sent).toBeLessThan(210);
    for (let i = 0; i < 40; i += 1) void environment.client().send(get('fresh'));
    await environment.time.run(now);
    expect(environment.names.filter((name) => name === 'fresh')).toHaveLength(40);
  });

  test('within a namespace by rank, and nobody is passed over for ever', async () => {
    const environment = await emptied();
    void environment.client({ rank: 0 }).send(put('low'));
    for (let i = 0; i < 20; i += 1) void environment.client({ rank: 5 }).send(put('high'));
    void environment.client({ rank: 9 }).send(put('highest'));
    await environment.time.run();
    expect(environment.names[0]).toBe('highest');
    expect(environment.names.indexOf('low')).toBeLessThan(5);
  });

  test('an abort ends the wait, takes no token, and others go on', async () => {
    const environment = await emptied();
    const abort = new AbortController();
    const waiting = environment.client().send(put('aborted'), abort.signal);
    const next = environment.client().send(put('next'));
    abort.abort(new Error('the end'));
    await expect(waiting).rejects.toThrow('the end');
    await expect(environment.client().send(put('late'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    await Promise.all([next, environment.time.run()]);
    expect(environment.names).toEqual(['next']);
  });
});

describe('a refusal', () => {
  test('stops all of the bucket until the time that Azure names, and one request goes ahead', async () => {
    const environment = new TestEnvironment();
    environment.arm.drain('p', 'writes', -1);
    environment.arm.retryAfter = 10;
    const began = environment.time.now();
    const refused = environment.client().send(put('refused'));
    await environment.time.run(began + 200);
    const others = Array.from({ length: 100 }, () => environment.client().send(put('x')));
    const reads = environment.client().send(get('read'));
    await environment.time.run(began + 9_900);
    expect(environment.names).toEqual(['refused', 'read']);
    await environment.time.run();
    await expect(refused).resolves.toMatchObject({ status: 429 });
    await Promise.all([...others, reads]);
    const later = environment.arm.received.slice(2);
    expect(later[0]!.at).toBeGreaterThanOrEqual(began + 10_000);
    expect(later[1]!.at).toBeGreaterThanOrEqual(later[0]!.at + environment.arm.latency);
    expect(environment.statuses(429)).toBe(1);
    expect(environment.blocks.map(({ event, of, code }) => [event, of, code])).toEqual([
      ['begins', 'principal', 'SubscriptionRequestsThrottled'], ['ends', 'principal', 'SubscriptionRequestsThrottled'],
    ]);
  });

  test('many that were under way are one block; and if the one ahead is refused, nobody follows', async () => {
    const environment = new TestEnvironment();
    environment.arm.drain('p', 'writes', 0);
    environment.arm.retryAfter = 3;
    for (let i = 0; i < 30; i += 1) void environment.client().send(put('x'));
    const began = environment.time.now();
    await environment.time.run(began + 200);
    expect(environment.statuses(429)).toBe(30);
    for (let i = 0; i < 30; i += 1) void environment.client().send(put('y'));
    environment.arm.isDrained = true;
    await environment.time.run(began + 6_000);
    expect(environment.statuses(429)).toBe(31);
    environment.arm.isDrained = false;
    await environment.time.run();
    // Requests refused for so short a time are sent again.
    expect(environment.statuses(200)).toBe(60);
    expect(environment.statuses(429)).toBe(31);
    expect(environment.blocks.filter(({ event }) => event === 'begins')).toHaveLength(1);
  });

  test('of a provider stops its type only', async () => {
    const environment = new TestEnvironment();
    environment.arm.answer = ({ url }) =>
      /Cdn/.test(url) && environment.time.now() < 1_100_000
        ? { status: 429, headers: { 'retry-after': '30' }, body: { error: { code: 'ResourceRequestsThrottled', message: 'too many' } } }
        : undefined;
    const began = environment.time.now();
    void environment.client().send(get('refused', 'Microsoft.Cdn/profiles'));
    await environment.time.run(began + 200);
    void environment.client().send(get('waits', 'Microsoft.Cdn/profiles'));
    void environment.client().send(get('goes'));
    await environment.time.run(began + 29_000);
    expect(environment.names).toEqual(['refused', 'goes']);
    expect(environment.budget.states.find(({ operation }) => operation === 'reads')).toMatchObject({
      isBlocked: false,
      blockedTypes: ['microsoft.cdn/profiles'],
    });
    await environment.time.run();
    expect(environment.names.filter((name) => name === 'waits')).toHaveLength(1);
    expect(environment.blocks[0]).toMatchObject({
      event: 'begins',
      of: 'type',
      type: 'microsoft.cdn/profiles',
      code: 'ResourceRequestsThrottled',
    });
  });

  test('for all principals stops them all, and wakes them all', async () => {
    const environment = new TestEnvironment();
    let empty = true;
    environment.arm.answer = () =>
      empty
        ? {
          status: 429,
          headers: { 'retry-after': '5', 'x-ms-ratelimit-remaining-subscription-global-writes': '0' },
          body: { error: { code: 'SubscriptionRequestsThrottled', message: '' } },
        }
        : undefined;
    const began = environment.time.now();
    void environment.client({}, 'p').send(put('p'));
    await environment.time.run(began + 200);
    void environment.client({}, 'q').send(put('q1'));
    void environment.client({}, 'r').send(put('r1'));
    await environment.time.run(began + 4_900);
    expect(environment.names).toEqual(['p']);
    empty = false;
    await environment.time.run();
    expect(environment.names.sort()).toEqual(['p', 'p', 'q1', 'r1']);
    expect(environment.blocks[0]).toMatchObject({ event: 'begins', of: 'scope' });
  });

  test('after which the one ahead has no answer, or is aborted, lets another one go', async () => {
    const environment = new TestEnvironment();
    environment.arm.drain('p', 'writes', -1);
    void environment.client().send(put('refused'));
    const began = environment.time.now();
    await environment.time.run(began + 200);
    environment.arm.answer = ({ url }) => (url.endsWith('lost') ? { status: 0 } : undefined);
    const lost = expect(environment.client().send(put('lost'))).rejects.toThrow('no answer');
    const found = environment.client().send(put('found'));
    await Promise.all([lost, found, environment.time.run()]);
    expect(environment.names).toEqual(['refused', 'lost', 'found']);
  });
});

describe('Resource Graph', () => {
  test('never gets more than 15 queries in 5 s, and none before the time at which its quota begins anew', async () => {
    const environment = new TestEnvironment();
    const query: ArmRequest = { method: 'POST', url: '/providers/Microsoft.ResourceGraph/resources' };
    environment.arm.tells = false;
    const all = Promise.all(Array.from({ length: 60 }, () => environment.client({ purpose: 'drift-detection' }).send(query)));
    await environment.time.run();
    await all;
    const times = environment.arm.received.map(({ at }) => at);
    times.forEach((time, i) => expect(times.filter((other, j) => j >= i && other < time + 5_000).length).toBeLessThanOrEqual(15));
    environment.arm.headers = () => ({ 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '00:00:40' });
    const began = environment.time.now();
    await Promise.all([environment.client().send(query), environment.time.run(began + 1_000)]);
    environment.arm.headers = () => ({});
    const later = environment.client().send(query);
    await Promise.all([later, environment.time.run()]);
    expect(environment.arm.received.at(-1)!.at).toBeGreaterThanOrEqual(began + 40_000);
    expect(environment.purposes.slice(0, 60)).toEqual(Array(60).fill('drift-detection'));
  });
});

describe('the gate', () => {
  /** A bucket that Azure has closed, and an object whose reconcile was throttled by it. */
  async function blocked(): Promise<{ environment: TestEnvironment; reasons: ThrottledError[] }> {
    const environment = new TestEnvironment();
    environment.arm.drain('p', 'writes', -1);
    environment.arm.retryAfter = 30;
    const reasons: ThrottledError[] = [];
    void environment.client().send(put('refused'));
    await environment.time.run(environment.time.now() + 200);
    const reconcile = environment.client({ key: keyOf('one'), onThrottled: (reason) => reasons.push(reason) });
    await Promise.all([reconcile.send(get('one')), environment.time.run(environment.time.now() + 200)]);
    await expect(reconcile.send(put('one'))).rejects.toBeInstanceOf(ThrottledError);
    return { environment, reasons };
  }

  test('is closed for an object whose bucket is closed, open for others, and tells when it opens', async () => {
    const { environment, reasons } = await blocked();
    let opened = 0;
    environment.budget.onOpen(() => (opened += 1));
    expect(reasons).toHaveLength(1);
    expect(reasons[0]?.retryIn).toBeGreaterThan(25_000);
    expect(environment.budget.isOpen(keyOf('one'), 'fresh')).toBe(false);
    expect(environment.budget.isOpen(keyOf('other'), 'fresh')).toBe(true);
    expect(opened).toBe(0);
    await environment.time.run(environment.time.now() + 40_000);
    expect(opened).toBeGreaterThan(0);
    expect(environment.budget.isOpen(keyOf('one'), 'fresh')).toBe(true);
  });

  test('lets one go ahead after a block, and another one where that one asks for nothing', async () => {
    const { environment } = await blocked();
    const throttled = [keyOf('one'), keyOf('two'), keyOf('three')];
    for (const key of throttled.slice(1)) await environment.client({ key, onThrottled: () => undefined }).send(put('x')).catch(() => undefined);
    await environment.time.run(environment.time.now() + 40_000);
    const open = () => throttled.filter((key) => environment.budget.isOpen(key, 'fresh')).length;
    expect([open(), open()]).toEqual([1, 0]);
    await environment.time.run(environment.time.now() + 1_500);
    expect(open()).toBe(1);
    expect(environment.arm.received).toHaveLength(2);
  });

  test('a reconcile that has written is not throttled', async () => {
    const environment = new TestEnvironment();
    const reconcile = environment.client({ key: keyOf('one'), onThrottled: () => undefined });
    await Promise.all([reconcile.send({ ...put('one'), method: 'DELETE' }), environment.time.run(environment.time.now() + 200)]);
    environment.arm.drain('p', 'writes', -1);
    void environment.client().send(put('refused'));
    await environment.time.run(environment.time.now() + 200);
    await Promise.all([reconcile.send(put('one')), environment.time.run()]);
    expect(environment.names).toEqual(['one', 'refused', 'one']);
  });

  test('a write that Azure refuses for a moment is none yet: what is refused for long meanwhile holds its reconcile back', async () => {
    const environment = new TestEnvironment();
    environment.arm.drain('p', 'writes', -1);
    environment.arm.retryAfter = 2;
    const throttled: ThrottledError[] = [];
    const reconcile = environment.client({ key: keyOf('one'), onThrottled: (reason) => throttled.push(reason) });
    const sent = reconcile.send(put('one')).then(() => 'sent', () => 'throttled');
    await environment.time.run(environment.time.now() + 1_000);
    // This one goes ahead.
    environment.arm.isDrained = true;
    environment.arm.retryAfter = 60;
    void environment.client({ namespace: 'b' }).send(put('ahead'));
    await environment.time.run(environment.time.now() + 2_000);
    expect(await Promise.race([sent, 'waits'])).toBe('throttled');
    expect(throttled).toHaveLength(1);
  });

  test('is not closed by queries that wait for the quota of Resource Graph, nor by what waits for a provider', async () => {
    const environment = new TestEnvironment();
    const query: ArmRequest = {
      method: 'POST',
      url: '/providers/Microsoft.ResourceGraph/resources?api-version=2021-03-01',
      purpose: 'drift-detection',
    };
    for (let i = 0; i < 40; i += 1) void environment.client({ priority: 'resync' }).send(query);
    await environment.time.run(environment.time.now());
    expect(environment.budget.isOpen(keyOf('one'), 'resync')).toBe(true);
    environment.arm.answer = () => ({
      status: 429,
      headers: { 'retry-after': '30' },
      body: { error: { code: 'ResourceRequestsThrottled', message: 'too many' } },
    });
    void environment.client().send(get('refused', 'Microsoft.Cdn/profiles'));
    await environment.time.run(environment.time.now() + 200);
    for (let i = 0; i < 40; i += 1) void environment.client({ priority: 'resync' }).send(get('waits', 'Microsoft.Cdn/profiles'));
    await environment.time.run(environment.time.now());
    expect(environment.budget.isOpen(keyOf('one'), 'resync')).toBe(true);
  });

  test('is closed for a namespace of which enough wait already, not for another one, and not for polls', async () => {
    const environment = new TestEnvironment();
    const poll: ArmRequest = {
      method: 'GET',
      url: '/subscriptions/s/providers/Microsoft.Storage/locations/x/operations/o',
      purpose: 'poll',
    };
    await Promise.all([environment.client({ key: keyOf('polled') }).send(poll), environment.time.run()]);
    for (let i = 0; i < 210; i += 1) void environment.client({ namespace: 'a' }).send(put('x'));
    await environment.time.run(environment.time.now());
    expect(environment.budget.isOpen(keyOf('new', 'a'), 'fresh')).toBe(false);
    expect(environment.budget.isOpen(keyOf('new', 'b'), 'fresh')).toBe(true);
    expect(environment.budget.isOpen(keyOf('polled', 'a'), 'fresh')).toBe(true);
    let opened = 0;
    environment.budget.onOpen(() => (opened += 1));
    await environment.time.run();
    expect(opened).toBeGreaterThan(0);
    expect(environment.budget.isOpen(keyOf('new', 'a'), 'fresh')).toBe(true);
  });

  test('is open for an object of a higher rank than those of its namespace that wait', async () => {
    const environment = new TestEnvironment();
    for (let i = 0; i < 210; i += 1) void environment.client({ namespace: 'a', rank: 3 }).send(put('x'));
    await environment.time.run(environment.time.now());
    expect([3, 4].map((rank) => environment.budget.isOpen(keyOf('new', 'a'), 'fresh', rank))).toEqual([false, true]);
  });

  test('lets each namespace have one request of a rank where very many wait, and one more of a higher rank', async () => {
    const environment = new TestEnvironment();
    for (let i = 0; i < 250; i += 1) void environment.client({ namespace: `n${i}` }).send(put('x'));
    await environment.time.run(environment.time.now());
    const isOpen = (namespace: string, rank: number) => environment.budget.isOpen(keyOf('new', namespace), 'fresh', rank);
    expect([isOpen('n0', 0), isOpen('n249', 0), isOpen('n249', 9), isOpen('other', 0)]).toEqual([true, false, true, true]);
    void environment.client({ namespace: 'n249', rank: 9 }).send(put('x'));
    expect([isOpen('n249', 9), isOpen('n249', 10)]).toEqual([false, true]);
  });

  test('a reconcile that waits for its turn only is throttled after half a minute, and after three times waits for it', async () => {
    const environment = new TestEnvironment();
    for (let i = 0; i < 1_500; i += 1) void environment.client().send(put('x'));
    await environment.time.run(environment.time.now());
    let throttled = 0;
    const reconcile = () => environment.client({ key: keyOf('one'), rank: -1, onThrottled: () => (throttled += 1) }).send(put('one'));
    for (let i = 0; i < 3; i += 1) {
      const sent = reconcile();
      const ended = sent.then(() => 'sent', (error: unknown) => (error instanceof ThrottledError ? 'throttled' : 'failed'));
      await environment.time.run(environment.time.now() + 30_100);
      await expect(Promise.race([ended, 'waits'])).resolves.toBe('throttled');
    }
    const last = reconcile();
    await Promise.all([last, environment.time.run()]);
    expect(throttled).toBe(3);
  });
});

test('what a request is for is counted: by itself, by the reconcile, and by its priority', async () => {
  const environment = new TestEnvironment();
  void environment.client().send(put('x'));
  void environment.client({ priority: 'resync' }).send(get('x'));
  void environment.client({ priority: 'resync', purpose: 'drift-detection' }).send(get('x'));
  void environment.client({ priority: 'resync' }).send({ ...get('x'), purpose: 'poll' });
  await environment.time.run();
  expect(environment.purposes).toEqual(['reconcile', 'sync', 'drift-detection', 'poll']);
});

test('a provider that has to be registered costs a write', async () => {
  const environment = new TestEnvironment();
  environment.arm.answer = ({ method }) =>
    method === 'PUT'
      ? {
        status: 409,
        body: { error: { code: 'MissingSubscriptionRegistration', message: '', details: [{ target: 'Microsoft.Storage' }] } },
      }
      : undefined;
  await Promise.all([expect(environment.client().send(put('x'))).rejects.toThrow('registering Resource Provider'), environment.time.run()]);
  expect(environment.names).toEqual(['x', 'register']);
  expect(environment.purposes).toHaveLength(2);
});

test('queues of credentials that are gone are dropped', async () => {
  const environment = new TestEnvironment();
  for (let i = 0; i < 520; i += 1) {
    void environment.client({}, `p${i}`).send(get('x'));
    await environment.time.run();
  }
  expect(environment.budget.states.length).toBeLessThanOrEqual(500);
});
