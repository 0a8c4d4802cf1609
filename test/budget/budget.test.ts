import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget, HeldBackError, type BlockEvent, type BudgetUse } from '../../controller/budget';
import type { ArmRequest } from '../../engine/arm/types';

const GROUP = 'storage.azure.com';
const put = (name: string): ArmRequest => ({ method: 'PUT', url: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/${name}` });
const get = (name: string, type = 'Microsoft.Network/virtualNetworks'): ArmRequest => ({ method: 'GET', url: `/subscriptions/s/resourceGroups/rg/providers/${type}/${name}` });
const keyOf = (name: string, namespace = 'a') => ({ group: GROUP, kind: 'StorageAccount', namespace, name });

class World {
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
    const world = new World();
    const began = world.time.now();
    const all = Promise.all(Array.from({ length: 300 }, (_, i) => world.client().send(put(`n${i}`))));
    await world.time.run(began);
    expect(world.arm.received).toHaveLength(200);
    await world.time.run();
    await all;
    expect(world.time.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(world.time.now() - began).toBeLessThan(10_500);
    expect(world.statuses(429)).toBe(0);
  });

  test('what Azure says is left was counted when it got the request, not when that was sent', async () => {
    const world = new World();
    world.arm.travel = 150;
    world.arm.drain('p', 'reads', 20);
    await Promise.all([world.client().send(get('first')), world.time.run()]);
    // On a connection that is there by now.
    world.arm.travel = 0;
    const began = world.time.now();
    const all = Promise.all(Array.from({ length: 200 }, (_, i) => world.client().send(get(`n${i}`))));
    await world.time.run();
    await all;
    expect(world.statuses(429)).toBe(0);
    // What is kept back is not lost: 175 come back in seven seconds.
    expect(world.time.now() - began).toBeLessThan(8_500);
  });

  test('subscriptions of the URL, principals and operations are counted apart', async () => {
    const world = new World();
    const began = world.time.now();
    const other = { ...put('x'), url: put('x').url.replace('/s/', '/other/') };
    for (let i = 0; i < 200; i += 1) {
      void world.client().send(put('x'));
      void world.client().send(other);
      void world.client({}, 'q').send(put('x'));
      void world.client().send({ ...put('x'), method: 'DELETE' });
      void world.client().send({ method: 'POST', url: '/providers/Microsoft.Management/x' });
    }
    await world.time.run(began);
    expect(world.arm.received).toHaveLength(1000);
  });

  test('all principals of a subscription together have fifteen times as much', async () => {
    const world = new World();
    const began = world.time.now();
    for (let i = 0; i < 16; i += 1) for (let j = 0; j < 200; j += 1) void world.client({}, `p${i}`).send(put('x'));
    await world.time.run(began);
    expect(world.arm.received).toHaveLength(3000);
  });

  test('a faster Azure fills faster', async () => {
    const time = new VirtualTime();
    const arm = new ModelArm(time);
    arm.tells = false;
    arm.headers = () => ({});
    const budget = new Budget({ clock: time, timeScale: 60 });
    const began = time.now();
    const client = { ...arm.client('p'), send: async () => ({ status: 200, headers: {}, body: {}, text: '' }) };
    const all = Promise.all(Array.from({ length: 400 }, () => budget.clientFor({ client, tenantId: 't', clientId: 'p', source: '' }, { namespace: 'a', priority: 'fresh' }).send(put('x'))));
    await time.run();
    await all;
    expect(time.now() - began).toBeLessThan(500);
  });

  test('what somebody else has used is seen in the next answer', async () => {
    const world = new World();
    await Promise.all([world.client().send(put('first')), world.time.run()]);
    world.arm.drain('p', 'writes', 3);
    await Promise.all([world.client().send(put('second')), world.time.run()]);
    const now = world.time.now();
    for (let i = 0; i < 10; i += 1) void world.client().send(put('x'));
    await world.time.run(now);
    expect(world.arm.received).toHaveLength(2 + 2);
    await world.time.run();
    expect(world.statuses(429)).toBe(0);
  });

  test('values of the old limits by the hour, and nonsense, change nothing', async () => {
    for (const value of ['11999', 'x', '', '-4', '1e3']) {
      const world = new World();
      world.arm.tells = false;
      world.arm.headers = () => ({ 'x-ms-ratelimit-remaining-subscription-writes': value });
      await Promise.all([world.client().send(put('first')), world.time.run()]);
      const now = world.time.now();
      for (let i = 0; i < 200; i += 1) void world.client().send(put('x'));
      await world.time.run(now);
      expect(world.arm.received).toHaveLength(201);
    }
  });
});

describe('turns', () => {
  /** The bucket is empty, so the order of what waits shows. */
  async function emptied(): Promise<World> {
    const world = new World();
    for (let i = 0; i < 200; i += 1) void world.client({ namespace: 'x' }).send(put('burst'));
    await world.time.run(world.time.now());
    world.arm.received.length = 0;
    return world;
  }

  test('namespaces take turns, whatever each of them has waiting', async () => {
    const world = await emptied();
    for (let i = 0; i < 50; i += 1) void world.client({ namespace: 'many' }).send(put('many'));
    void world.client({ namespace: 'one' }).send(put('one'));
    await world.time.run();
    expect(world.names.indexOf('one')).toBeLessThanOrEqual(1);
  });

  test('changes go before resyncs, which get every eighth token', async () => {
    const world = await emptied();
    for (let i = 0; i < 16; i += 1) void world.client({ priority: 'resync' }).send(put('resync'));
    for (let i = 0; i < 32; i += 1) void world.client().send(put('fresh'));
    await world.time.run();
    const first = world.names.slice(0, 32);
    expect(first.filter((name) => name === 'resync')).toHaveLength(4);
    expect(world.names).toHaveLength(48);
  });

  test('a resync leaves a fifth of the bucket to changes', async () => {
    const world = new World();
    const now = world.time.now();
    for (let i = 0; i < 250; i += 1) void world.client({ priority: 'resync' }).send(get('resync'));
    await world.time.run(now);
    const sent = world.arm.received.length;
    // Some of the first ones take the turn that resyncs have.
    expect(sent).toBeGreaterThanOrEqual(200);
    expect(sent).toBeLessThan(210);
    for (let i = 0; i < 40; i += 1) void world.client().send(get('fresh'));
    await world.time.run(now);
    expect(world.names.filter((name) => name === 'fresh')).toHaveLength(40);
  });

  test('within a namespace by rank, and nobody is passed over for ever', async () => {
    const world = await emptied();
    void world.client({ rank: 0 }).send(put('low'));
    for (let i = 0; i < 20; i += 1) void world.client({ rank: 5 }).send(put('high'));
    void world.client({ rank: 9 }).send(put('highest'));
    await world.time.run();
    expect(world.names[0]).toBe('highest');
    expect(world.names.indexOf('low')).toBeLessThan(5);
  });

  test('an abort ends the wait, takes no token, and others go on', async () => {
    const world = await emptied();
    const abort = new AbortController();
    const waiting = world.client().send(put('aborted'), abort.signal);
    const next = world.client().send(put('next'));
    abort.abort(new Error('the end'));
    await expect(waiting).rejects.toThrow('the end');
    await expect(world.client().send(put('late'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    await Promise.all([next, world.time.run()]);
    expect(world.names).toEqual(['next']);
  });
});

describe('a refusal', () => {
  test('stops all of the bucket until the time that Azure names, and one request goes ahead', async () => {
    const world = new World();
    world.arm.drain('p', 'writes', -1);
    world.arm.retryAfter = 10;
    const began = world.time.now();
    const refused = world.client().send(put('refused'));
    await world.time.run(began + 200);
    const others = Array.from({ length: 100 }, () => world.client().send(put('x')));
    const reads = world.client().send(get('read'));
    await world.time.run(began + 9_900);
    expect(world.names).toEqual(['refused', 'read']);
    await world.time.run();
    await expect(refused).resolves.toMatchObject({ status: 429 });
    await Promise.all([...others, reads]);
    const later = world.arm.received.slice(2);
    expect(later[0].at).toBeGreaterThanOrEqual(began + 10_000);
    expect(later[1].at).toBeGreaterThanOrEqual(later[0].at + world.arm.latency);
    expect(world.statuses(429)).toBe(1);
    expect(world.blocks.map(({ event, of, code }) => [event, of, code])).toEqual([
      ['begins', 'principal', 'SubscriptionRequestsThrottled'], ['ends', 'principal', 'SubscriptionRequestsThrottled'],
    ]);
  });

  test('many that were under way are one block; and if the one ahead is refused, nobody follows', async () => {
    const world = new World();
    world.arm.drain('p', 'writes', 0);
    world.arm.retryAfter = 3;
    for (let i = 0; i < 30; i += 1) void world.client().send(put('x'));
    const began = world.time.now();
    await world.time.run(began + 200);
    expect(world.statuses(429)).toBe(30);
    for (let i = 0; i < 30; i += 1) void world.client().send(put('y'));
    world.arm.isDrained = true;
    await world.time.run(began + 6_000);
    expect(world.statuses(429)).toBe(31);
    world.arm.isDrained = false;
    await world.time.run();
    // What was refused for so short a time is sent again.
    expect(world.statuses(200)).toBe(60);
    expect(world.statuses(429)).toBe(31);
    expect(world.blocks.filter(({ event }) => event === 'begins')).toHaveLength(1);
  });

  test('of a provider stops its type only', async () => {
    const world = new World();
    world.arm.answer = ({ url }) => (/Cdn/.test(url) && world.time.now() < 1_100_000
      ? { status: 429, headers: { 'retry-after': '30' }, body: { error: { code: 'ResourceRequestsThrottled', message: 'too many' } } } : undefined);
    const began = world.time.now();
    void world.client().send(get('refused', 'Microsoft.Cdn/profiles'));
    await world.time.run(began + 200);
    void world.client().send(get('waits', 'Microsoft.Cdn/profiles'));
    void world.client().send(get('goes'));
    await world.time.run(began + 29_000);
    expect(world.names).toEqual(['refused', 'goes']);
    expect(world.budget.states.find(({ operation }) => operation === 'reads')).toMatchObject({ isBlocked: false, blockedTypes: ['microsoft.cdn/profiles'] });
    await world.time.run();
    expect(world.names.filter((name) => name === 'waits')).toHaveLength(1);
    expect(world.blocks[0]).toMatchObject({ event: 'begins', of: 'type', type: 'microsoft.cdn/profiles', code: 'ResourceRequestsThrottled' });
  });

  test('for all principals stops them all, and wakes them all', async () => {
    const world = new World();
    let empty = true;
    world.arm.answer = () => (empty ? { status: 429, headers: { 'retry-after': '5', 'x-ms-ratelimit-remaining-subscription-global-writes': '0' }, body: { error: { code: 'SubscriptionRequestsThrottled', message: '' } } } : undefined);
    const began = world.time.now();
    void world.client({}, 'p').send(put('p'));
    await world.time.run(began + 200);
    void world.client({}, 'q').send(put('q1'));
    void world.client({}, 'r').send(put('r1'));
    await world.time.run(began + 4_900);
    expect(world.names).toEqual(['p']);
    empty = false;
    await world.time.run();
    expect(world.names.sort()).toEqual(['p', 'p', 'q1', 'r1']);
    expect(world.blocks[0]).toMatchObject({ event: 'begins', of: 'scope' });
  });

  test('after which the one ahead has no answer, or is aborted, lets another one go', async () => {
    const world = new World();
    world.arm.drain('p', 'writes', -1);
    void world.client().send(put('refused'));
    const began = world.time.now();
    await world.time.run(began + 200);
    world.arm.answer = ({ url }) => (url.endsWith('lost') ? { status: 0 } : undefined);
    const lost = expect(world.client().send(put('lost'))).rejects.toThrow('no answer');
    const found = world.client().send(put('found'));
    await Promise.all([lost, found, world.time.run()]);
    expect(world.names).toEqual(['refused', 'lost', 'found']);
  });
});

describe('Resource Graph', () => {
  test('never gets more than 15 queries in 5 s, and none before the time at which its quota begins anew', async () => {
    const world = new World();
    const query: ArmRequest = { method: 'POST', url: '/providers/Microsoft.ResourceGraph/resources' };
    world.arm.tells = false;
    const all = Promise.all(Array.from({ length: 60 }, () => world.client({ purpose: 'sweep' }).send(query)));
    await world.time.run();
    await all;
    const times = world.arm.received.map(({ at }) => at);
    times.forEach((time, i) => expect(times.filter((other, j) => j >= i && other < time + 5_000).length).toBeLessThanOrEqual(15));
    world.arm.headers = () => ({ 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '00:00:40' });
    const began = world.time.now();
    await Promise.all([world.client().send(query), world.time.run(began + 1_000)]);
    world.arm.headers = () => ({});
    const later = world.client().send(query);
    await Promise.all([later, world.time.run()]);
    expect(world.arm.received.at(-1)!.at).toBeGreaterThanOrEqual(began + 40_000);
    expect(world.purposes.slice(0, 60)).toEqual(Array(60).fill('sweep'));
  });
});

describe('the gate', () => {
  /** A bucket that Azure has closed, and an object whose pass was held back by it. */
  async function blocked(): Promise<{ world: World; reasons: HeldBackError[] }> {
    const world = new World();
    world.arm.drain('p', 'writes', -1);
    world.arm.retryAfter = 30;
    const reasons: HeldBackError[] = [];
    void world.client().send(put('refused'));
    await world.time.run(world.time.now() + 200);
    const pass = world.client({ key: keyOf('one'), onHeldBack: (reason) => reasons.push(reason) });
    await Promise.all([pass.send(get('one')), world.time.run(world.time.now() + 200)]);
    await expect(pass.send(put('one'))).rejects.toBeInstanceOf(HeldBackError);
    return { world, reasons };
  }

  test('is closed for an object whose bucket is closed, open for others, and tells when it opens', async () => {
    const { world, reasons } = await blocked();
    let opened = 0;
    world.budget.onOpen(() => (opened += 1));
    expect(reasons).toHaveLength(1);
    expect(reasons[0].retryIn).toBeGreaterThan(25_000);
    expect(world.budget.isOpen(keyOf('one'), 'fresh')).toBe(false);
    expect(world.budget.isOpen(keyOf('other'), 'fresh')).toBe(true);
    expect(opened).toBe(0);
    await world.time.run(world.time.now() + 40_000);
    expect(opened).toBeGreaterThan(0);
    expect(world.budget.isOpen(keyOf('one'), 'fresh')).toBe(true);
  });

  test('lets one go ahead after a block, and another one where that one asks for nothing', async () => {
    const { world } = await blocked();
    const held = [keyOf('one'), keyOf('two'), keyOf('three')];
    for (const key of held.slice(1)) await world.client({ key, onHeldBack: () => undefined }).send(put('x')).catch(() => undefined);
    await world.time.run(world.time.now() + 40_000);
    const open = () => held.filter((key) => world.budget.isOpen(key, 'fresh')).length;
    expect([open(), open()]).toEqual([1, 0]);
    await world.time.run(world.time.now() + 1_500);
    expect(open()).toBe(1);
    expect(world.arm.received).toHaveLength(2);
  });

  test('a pass that has written is not held back', async () => {
    const world = new World();
    const pass = world.client({ key: keyOf('one'), onHeldBack: () => undefined });
    await Promise.all([pass.send({ ...put('one'), method: 'DELETE' }), world.time.run(world.time.now() + 200)]);
    world.arm.drain('p', 'writes', -1);
    void world.client().send(put('refused'));
    await world.time.run(world.time.now() + 200);
    await Promise.all([pass.send(put('one')), world.time.run()]);
    expect(world.names).toEqual(['one', 'refused', 'one']);
  });

  test('a write that Azure refuses for a moment is none yet: what is refused for long meanwhile holds its pass back', async () => {
    const world = new World();
    world.arm.drain('p', 'writes', -1);
    world.arm.retryAfter = 2;
    const held: HeldBackError[] = [];
    const pass = world.client({ key: keyOf('one'), onHeldBack: (reason) => held.push(reason) });
    const sent = pass.send(put('one')).then(() => 'sent', () => 'held back');
    await world.time.run(world.time.now() + 1_000);
    // This one goes ahead.
    world.arm.isDrained = true;
    world.arm.retryAfter = 60;
    void world.client({ namespace: 'b' }).send(put('ahead'));
    await world.time.run(world.time.now() + 2_000);
    expect(await Promise.race([sent, 'waits'])).toBe('held back');
    expect(held).toHaveLength(1);
  });

  test('is not closed by queries that wait for the quota of Resource Graph, nor by what waits for a provider', async () => {
    const world = new World();
    const query: ArmRequest = { method: 'POST', url: '/providers/Microsoft.ResourceGraph/resources?api-version=2021-03-01', purpose: 'sweep' };
    for (let i = 0; i < 40; i += 1) void world.client({ priority: 'resync' }).send(query);
    await world.time.run(world.time.now());
    expect(world.budget.isOpen(keyOf('one'), 'resync')).toBe(true);
    world.arm.answer = () => ({ status: 429, headers: { 'retry-after': '30' }, body: { error: { code: 'ResourceRequestsThrottled', message: 'too many' } } });
    void world.client().send(get('refused', 'Microsoft.Cdn/profiles'));
    await world.time.run(world.time.now() + 200);
    for (let i = 0; i < 40; i += 1) void world.client({ priority: 'resync' }).send(get('waits', 'Microsoft.Cdn/profiles'));
    await world.time.run(world.time.now());
    expect(world.budget.isOpen(keyOf('one'), 'resync')).toBe(true);
  });

  test('is closed for a namespace of which enough wait already, not for another one, and not for polls', async () => {
    const world = new World();
    const poll: ArmRequest = { method: 'GET', url: '/subscriptions/s/providers/Microsoft.Storage/locations/x/operations/o', purpose: 'poll' };
    await Promise.all([world.client({ key: keyOf('polled') }).send(poll), world.time.run()]);
    for (let i = 0; i < 210; i += 1) void world.client({ namespace: 'a' }).send(put('x'));
    await world.time.run(world.time.now());
    expect(world.budget.isOpen(keyOf('new', 'a'), 'fresh')).toBe(false);
    expect(world.budget.isOpen(keyOf('new', 'b'), 'fresh')).toBe(true);
    expect(world.budget.isOpen(keyOf('polled', 'a'), 'fresh')).toBe(true);
    let opened = 0;
    world.budget.onOpen(() => (opened += 1));
    await world.time.run();
    expect(opened).toBeGreaterThan(0);
    expect(world.budget.isOpen(keyOf('new', 'a'), 'fresh')).toBe(true);
  });

  test('a pass that waits for its turn only is held back after a second, and after three times waits for it', async () => {
    const world = new World();
    for (let i = 0; i < 400; i += 1) void world.client().send(put('x'));
    await world.time.run(world.time.now());
    let held = 0;
    const pass = () => world.client({ key: keyOf('one'), rank: -1, onHeldBack: () => (held += 1) }).send(put('one'));
    for (let i = 0; i < 3; i += 1) {
      const sent = pass();
      const ended = sent.then(() => 'sent', (error: unknown) => (error instanceof HeldBackError ? 'held' : 'failed'));
      await world.time.run(world.time.now() + 1_100);
      await expect(Promise.race([ended, 'waits'])).resolves.toBe('held');
    }
    const last = pass();
    await Promise.all([last, world.time.run()]);
    expect(held).toBe(3);
  });
});

test('what a request is for is counted: by itself, by the pass, and by its priority', async () => {
  const world = new World();
  void world.client().send(put('x'));
  void world.client({ priority: 'resync' }).send(get('x'));
  void world.client({ priority: 'resync', purpose: 'sweep' }).send(get('x'));
  void world.client({ priority: 'resync' }).send({ ...get('x'), purpose: 'poll' });
  await world.time.run();
  expect(world.purposes).toEqual(['reconcile', 'sync', 'sweep', 'poll']);
});

test('a provider that has to be registered costs a write', async () => {
  const world = new World();
  world.arm.answer = ({ method }) => (method === 'PUT'
    ? { status: 409, body: { error: { code: 'MissingSubscriptionRegistration', message: '', details: [{ target: 'Microsoft.Storage' }] } } } : undefined);
  await Promise.all([expect(world.client().send(put('x'))).rejects.toThrow('registering Resource Provider'), world.time.run()]);
  expect(world.names).toEqual(['x', 'register']);
  expect(world.purposes).toHaveLength(2);
});

test('lanes of credentials that are gone are dropped', async () => {
  const world = new World();
  for (let i = 0; i < 520; i += 1) {
    void world.client({}, `p${i}`).send(get('x'));
    await world.time.run();
  }
  expect(world.budget.states.length).toBeLessThanOrEqual(500);
});
