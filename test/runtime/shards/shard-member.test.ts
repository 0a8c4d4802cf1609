import { LeaseApi, type LeaseClient, type Link } from './simulation/lease-api';
import { Machine } from './simulation/machine';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { assignmentOf, Fence, FencedOwnership, shardIdentity, ShardLostError, ShardMember, type View } from '../../../runtime/shards';
import { Random } from '../../simulation/random';
import { Scheduler } from '../../simulation/scheduler';

const GROUP = 'controllers-leader-election-azinfra-generated';

function environment() {
  const scheduler = new Scheduler();
  const random = new Random(1);
  const api = new LeaseApi(scheduler, random);
  const leaseOf = (name: string) => api.leases.get(`cdk8s-aso-shard-${name}`);
  const viewOf = (name: string) => JSON.parse(leaseOf(name)!.metadata.annotations!['aso.cdk8s.io/shard-view']!) as Record<string, unknown>;
  const put = (name: string, change: Partial<KubernetesObject>) => api.leases.set(name, {
    ...api.leases.get(name)!, ...change, metadata: { ...api.leases.get(name)!.metadata, resourceVersion: `put-${scheduler.happened}` },
  });
  const process = (name: string, options: {
    shards?: number;
    prepare?: (next: View, signal: AbortSignal) => Promise<void>;
    expect?: (next: View | undefined) => void;
    clientOf?: (client: LeaseClient) => LeaseClient;
  } = {}) => {
    const machine = new Machine(scheduler, random, 0);
    const time = machine.time();
    const fence = new Fence(time);
    const ownership = new FencedOwnership(fence);
    const link: Link = { trouble: 'none' };
    const problems: unknown[] = [];
    const state = { hangs: undefined as string | undefined, otherController: '' };
    const member = new ShardMember({
      client: (options.clientOf ?? ((client) => client))(api.clientOf(link, machine.deliver)),
      namespace: 'aso',
      identity: name,
      shards: options.shards ?? 'auto',
      wantsSplit: [],
      version: '1.0.0',
      time,
      fence,
      prepare: options.prepare ?? (async () => undefined),
      ...(options.expect && { expect: options.expect }),
      onSnapshot: async (snapshot) => ownership.take(snapshot),
      ownsCluster: () => ownership.owns(''),
      standstill: () => state.hangs,
      onOtherController: (holder) => (state.otherController = holder),
      onError: (error) => problems.push(error),
    });
    void member.join(new AbortController().signal);
    return { machine, member, fence, ownership, link, problems, state };
  };
  return { scheduler, api, process, leaseOf, viewOf, put };
}

test('a Lease says who, until when, and what is claimed', async () => {
  const { process, scheduler, leaseOf, viewOf } = environment();
  const { ownership } = process('a');
  await scheduler.advance(10);
  expect(ownership.owns('shop')).toBe(false);
  await scheduler.advance(5_000);
  expect(leaseOf('a')).toMatchObject({
    metadata: { labels: { 'aso.cdk8s.io/shard': 'true' } },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 },
  });
  expect(viewOf('a')).toEqual({
    protocol: 1, phase: 'active', members: ['a'], split: [], wantsSplit: [], shards: 'auto', version: '1.0.0',
  });
  expect([ownership.owns('shop'), ownership.owns(''), ownership.watches('shop')]).toEqual([true, true, true]);
});

test('a replica that joins takes its part when the other has given it up', async () => {
  const { process, scheduler, viewOf } = environment();
  const steps: string[] = [];
  const first = process('a', {
    prepare: async (next) => {
      const lost = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'].filter((key) => !assignmentOf(next, 'a').owns(key));
      if (lost.length > 0) steps.push(`a prepares, owns ${lost.filter((key) => first.ownership.owns(key)).length} of ${lost.length}`);
    },
  });
  await scheduler.advance(6_000);
  const second = process('b');
  await scheduler.advance(10_000);
  expect([viewOf('a').members, viewOf('b').members]).toEqual([['a', 'b'], ['a', 'b']]);
  for (const key of ['', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']) {
    expect([first.ownership.owns(key), second.ownership.owns(key)].filter(Boolean)).toHaveLength(1);
  }
  expect(steps).toHaveLength(1);
  expect(steps[0]).toMatch(/^a prepares, owns (\d) of \1$/);
});

test('a namespace is split, and not any more, while the replicas run: each tree has one owner, and so has the namespace', async () => {
  const { process, scheduler, viewOf } = environment();
  const replicas = ['a', 'b', 'c'].map((name) => process(name));
  await scheduler.advance(12_000);
  const keys = ['hot', ...Array.from({ length: 12 }, (_, index) => `hot/${index}`)];
  const owners = () => keys.map((key) => replicas.filter(({ ownership }) => ownership.owns(key)).length);
  for (const { member } of replicas) {
    member.split(['hot']);
    await scheduler.advance(700);
  }
  await scheduler.advance(8_000);
  expect(['a', 'b', 'c'].map((name) => viewOf(name).split)).toEqual([['hot'], ['hot'], ['hot']]);
  expect(owners()).toEqual(keys.map(() => 1));
  expect(replicas.filter(({ ownership }) => keys.slice(1).some((key) => ownership.owns(key))).length).toBe(3);
  for (const { member } of replicas) member.split([]);
  await scheduler.advance(8_000);
  expect(['a', 'b', 'c'].map((name) => viewOf(name).split)).toEqual([[], [], []]);
  expect(owners()).toEqual(keys.map(() => 1));
  expect(replicas.filter(({ ownership }) => keys.some((key) => ownership.owns(key))).length).toBe(1);
});

describe('a member whose renewals are missing', () => {
  const steps: string[] = [];
  const scene = async () => {
    const { process, scheduler } = environment();
    steps.length = 0;
    const say = (text: string) => void steps.push(`${text} at ${Math.round((scheduler.time - began) / 1_000)} s`);
    let began = 0;
    const first = process('a', {
      prepare: async ({ members }) => say(`prepare for ${members.join()}`),
      expect: (next) => say(`expect ${next?.members.join() ?? 'no change'}`),
    });
    const second = process('b');
    await scheduler.advance(15_000);
    began = scheduler.time;
    steps.length = 0;
    return { first, second, scheduler };
  };

  test('the others expect its end, and prepare for it when the Lease has ended', async () => {
    const { first, second, scheduler } = await scene();
    second.machine.kill();
    await scheduler.advance(13_000);
    expect(steps).toEqual([expect.stringMatching(/^expect a at [789] s$/)]);
    await scheduler.advance(10_000);
    expect(steps.slice(1)).toEqual([expect.stringMatching(/^prepare for a at 1[5678] s$/)]);
    expect(first.ownership.owns('shop')).toBe(true);
  });

  test('nothing is expected any more when it renews its Lease again', async () => {
    const { first, second, scheduler } = await scene();
    const owned = () => ['', 'shop', 'red', 'green'].filter((key) => first.ownership.owns(key));
    const before = owned();
    second.machine.freeze(7_000);
    await scheduler.advance(30_000);
    expect(steps).toEqual([expect.stringMatching(/^expect a at/), expect.stringMatching(/^expect no change at/)]);
    expect(owned()).toEqual(before);
  });
});

test('a member acts for 10 s after it has sent the last write that was acknowledged, however long the answer took', async () => {
  const { process, scheduler } = environment();
  const provenAt: number[] = [];
  const { fence, link } = process('a', {
    clientOf: (client) => {
      const noted = <Arguments extends readonly unknown[]>(write: (...all: Arguments) => Promise<KubernetesObject>) =>
        async (...all: Arguments) => {
          const sentAt = scheduler.time;
          const written = await write(...all);
          if (written.metadata.name !== GROUP) provenAt.push(sentAt);
          return written;
        };
      return { ...client, create: noted(client.create), replace: noted(client.replace) };
    },
  });
  link.trouble = 'slow';
  const terms = new Set<number>();
  // Until an answer takes so long that the member is lost.
  while (provenAt.length === 0 || !fence.hasEnded('own')) {
    await scheduler.advance(10);
    if (!fence.hasEnded('own')) terms.add(scheduler.time + fence.left('own') - provenAt.at(-1)!);
  }
  expect(provenAt.length).toBeGreaterThan(2);
  expect([...terms]).toEqual([10_000]);
});

test('a suspended process owns nothing when it wakes, however long the list takes that proves it anew', async () => {
  const { process, scheduler } = environment();
  let isHanging = false;
  const first = process('a', {
    clientOf: (client) => ({ ...client, list: (...of) => (isHanging ? new Promise(() => undefined) : client.list(...of)) }),
  });
  const second = process('b');
  await scheduler.advance(15_000);
  const keys = ['', ...Array.from({ length: 8 }, (_, index) => `n${index}`)];
  const owned = ({ machine, ownership }: typeof first) => keys.filter((key) => machine.isRunning && ownership.owns(key));
  const before = owned(first);
  expect(before.length).toBeGreaterThan(0);
  // The monotonic clock stands still as well, so that the terms have not ended by it.
  first.machine.suspend(20_000);
  await scheduler.advance(19_900);
  expect(owned(second)).toEqual(keys);
  isHanging = true;
  for (let step = 0; step < 45; step += 1) {
    await scheduler.advance(100);
    expect([first.member.lost.aborted, owned(first)]).toEqual([false, []]);
  }
  isHanging = false;
  await scheduler.advance(20_000);
  expect(owned(first)).toEqual(before);
});

test('a list from before a suspension proves nothing after it, however late its answer comes', async () => {
  const { process, scheduler } = environment();
  const answers: (() => void)[] = [];
  let isLate = false;
  const { machine, member, ownership } = process('a', {
    clientOf: (client) => ({
      ...client,
      list: async (...of) => {
        const answer = await client.list(...of);
        if (isLate) await new Promise<void>((resolve) => answers.push(resolve));
        return answer;
      },
    }),
  });
  await scheduler.advance(15_000);
  expect(ownership.owns('shop')).toBe(true);
  isLate = true;
  while (answers.length === 0) await scheduler.advance(10);
  machine.suspend(3_000);
  // Long enough to renew both Leases, and too short for the list to be given up.
  await scheduler.advance(4_500);
  answers[0]!();
  for (let step = 0; step < 20; step += 1) {
    await scheduler.advance(20);
    expect([member.lost.aborted, ownership.owns('shop')]).toEqual([false, false]);
  }
  isLate = false;
  for (const answer of answers) answer();
  await scheduler.advance(3_000);
  expect(ownership.owns('shop')).toBe(true);
});

test('a new replica knows of one whose Lease was deleted by hand, since it has held the Lease of the group', async () => {
  const { process, scheduler, api } = environment();
  const first = process('a');
  await scheduler.advance(10_000);
  api.leases.delete('cdk8s-aso-shard-a');
  const second = process('b');
  const both: string[] = [];
  const look = () => {
    if (first.machine.isRunning && first.ownership.owns('shop') && second.ownership.owns('shop')) both.push(`at ${scheduler.time}`);
    scheduler.after(10, look);
  };
  look();
  await scheduler.advance(10_000);
  expect([both, second.ownership.owns('shop')]).toEqual([[], false]);
  await scheduler.advance(10_000);
  expect(second.ownership.owns('shop')).toBe(true);
});

test('so does one that comes after that, when the Lease of the group was renewed by the second', async () => {
  const { process, scheduler, api } = environment();
  const first = process('a');
  await scheduler.advance(10_000);
  api.leases.delete('cdk8s-aso-shard-a');
  // Its term has 8 to 10 s left, in which it cannot see that.
  first.link.trouble = 'cut';
  process('b');
  await scheduler.advance(3_000);
  const third = process('c');
  for (let step = 0; step < 100; step += 1) {
    await scheduler.advance(100);
    expect(first.machine.isRunning && first.ownership.owns('shop') && third.ownership.owns('shop')).toBe(false);
  }
  const heardOf = () => api.leases.get(GROUP)?.metadata.annotations?.['aso.cdk8s.io/shard-renewed-by']?.split(',');
  expect(heardOf()).toContain('a');
  await scheduler.advance(30_000);
  expect(heardOf()).not.toContain('a');
});

test('a release: the work ends, the Lease says so at once, and the next takes over within seconds', async () => {
  const { process, scheduler, leaseOf, api } = environment();
  const [first, second] = [process('a'), process('b')];
  await scheduler.advance(15_000);
  const released = first.member.release();
  await scheduler.advance(4_000);
  await released;
  expect(leaseOf('a')?.spec?.holderIdentity).toBe('');
  expect(api.leases.get(GROUP)?.spec?.holderIdentity).toBe('cdk8s-aso-shards');
  expect([first.ownership.owns('shop'), second.ownership.owns('shop')]).toEqual([false, true]);
  void second.member.release();
  await scheduler.advance(4_000);
  expect(api.leases.get(GROUP)?.spec?.holderIdentity).toBe('');
  expect(second.ownership.owns('shop')).toBe(false);
});

test('a change that is being prepared when its member begins to leave is not published any more', async () => {
  const { process, scheduler, viewOf } = environment();
  let isPreparing = false;
  const { member } = process('a', {
    prepare: ({ members }) => new Promise((resolve) => {
      isPreparing = members.includes('b');
      scheduler.after(isPreparing ? 1_000 : 3_000, resolve);
    }),
  });
  await scheduler.advance(10_000);
  process('b');
  while (!isPreparing) await scheduler.advance(10);
  await scheduler.advance(500);
  const phases = ['active'];
  void member.release();
  for (let step = 0; step < 80; step += 1) {
    await scheduler.advance(50);
    const { phase } = viewOf('a');
    if (phase !== phases.at(-1)) phases.push(phase as string);
  }
  expect(phases).toEqual(['active', 'leaving']);
});

test('the group\'s Lease is written about once in two seconds, however many replicas there are', async () => {
  const { process, scheduler, api } = environment();
  for (const name of ['a', 'b', 'c', 'd']) process(name);
  await scheduler.advance(15_000);
  const versions = new Set<string>();
  const look = () => {
    versions.add(api.leases.get(GROUP)!.metadata.resourceVersion!);
    scheduler.after(1, look);
  };
  look();
  await scheduler.advance(20_000);
  expect(versions.size).toBeGreaterThan(5);
  expect(versions.size).toBeLessThan(18);
});

test('while another controller holds the group\'s Lease nothing is owned', async () => {
  const { process, scheduler, api, put } = environment();
  const { ownership, state } = process('a');
  await scheduler.advance(6_000);
  put(GROUP, { spec: { ...api.leases.get(GROUP)!.spec, holderIdentity: 'aso', renewTime: 'later' } });
  await scheduler.advance(2_300);
  expect([ownership.owns('shop'), state.otherController]).toEqual([false, 'aso']);
  await scheduler.advance(12_000);
  expect(ownership.owns('shop')).toBe(false);
  await scheduler.advance(6_000);
  expect([ownership.owns('shop'), state.otherController]).toEqual([true, '']);
});

describe('lost', () => {
  test.each<[string, RegExp, (test: ReturnType<typeof environment>, replica: ReturnType<ReturnType<typeof environment>['process']>) => void]>([
    ['no answer of the API server', /could not be renewed/, (_, { link }) => (link.trouble = 'cut')],
    ['the main thread hangs', /^the main thread hangs$/, (_, { state }) => (state.hangs = 'the main thread hangs')],
    ['the Lease was deleted', /was deleted/, ({ api }) => api.leases.delete('cdk8s-aso-shard-a')],
    ['the Lease has another holder', /has the holder "x"/, ({ put, leaseOf }) => (
      put('cdk8s-aso-shard-a', { spec: { ...leaseOf('a')!.spec, holderIdentity: 'x' } })
    )],
  ])('%s', async (_, message, act) => {
    const all = environment();
    const replica = all.process('a');
    await all.scheduler.advance(6_000);
    const owned: boolean[] = [];
    replica.member.lost.addEventListener('abort', () => owned.push(replica.ownership.owns('shop')));
    act(all, replica);
    await all.scheduler.advance(11_000);
    expect(replica.member.lost.aborted).toBe(true);
    expect(replica.member.lost.reason).toBeInstanceOf(ShardLostError);
    expect((replica.member.lost.reason as ShardLostError).why).toMatch(message);
    // At once: a process that has emptied or taken the Lease waits for no term.
    expect(owned).toEqual([false]);
    expect(replica.ownership.owns('shop')).toBe(false);
    await replica.member.release();
  });
});

test('a host that is not prepared in 60 s is told to end, and the view is published all the same', async () => {
  const { process, scheduler, viewOf } = environment();
  const aborted: string[] = [];
  process('a', {
    prepare: (_, signal) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push((signal.reason as Error).message);
        reject(new Error('stopped'));
      });
    }),
  });
  await scheduler.advance(60_000);
  expect([aborted, viewOf('a').phase]).toEqual([[], 'joining']);
  await scheduler.advance(5_000);
  expect([aborted, viewOf('a').phase]).toEqual([['not prepared within 60 s'], 'active']);
});

test('a host that cannot prepare is asked again; nothing is published meanwhile', async () => {
  const { process, scheduler, viewOf } = environment();
  let calls = 0;
  const { problems } = process('a', {
    prepare: async () => {
      calls += 1;
      if (calls < 3) throw new Error(`not yet: ${calls}`);
    },
  });
  await scheduler.advance(3_000);
  expect(viewOf('a').phase).toBe('joining');
  await scheduler.advance(7_000);
  expect([calls, viewOf('a').phase]).toEqual([3, 'active']);
  expect(problems.map(String)).toEqual(['Error: not yet: 1', 'Error: not yet: 2']);
});

test('the owner of the cluster\'s work deletes Leases that nobody renews', async () => {
  const { process, scheduler, api } = environment();
  const crashed = process('b');
  await scheduler.advance(6_000);
  crashed.machine.kill();
  process('a');
  await scheduler.advance(30_000);
  expect(api.leases.has('cdk8s-aso-shard-b')).toBe(true);
  await scheduler.advance(600_000);
  expect([...api.leases.keys()].sort()).toEqual(['cdk8s-aso-shard-a', GROUP].sort());
});

test.each([
  ['is renewed', { resourceVersion: 'renewed' }],
  ['is made anew', { resourceVersion: 'anew', uid: 'another' }],
])('a Lease that %s just before it would be deleted stays', async (_, change) => {
  const { process, scheduler, api } = environment();
  const crashed = process('b');
  await scheduler.advance(6_000);
  crashed.machine.kill();
  process('a');
  const name = 'cdk8s-aso-shard-b';
  api.beforeDelete = () => {
    api.beforeDelete = () => undefined;
    const lease = api.leases.get(name)!;
    api.leases.set(name, { ...lease, metadata: { ...lease.metadata, ...change } });
  };
  await scheduler.advance(640_000);
  expect(api.leases.get(name)?.metadata).toMatchObject(change);
});

/** When a replica writes each of its Leases, from the sixth second to the tenth: the same in every environment. */
async function writeTimes(): Promise<readonly number[]> {
  const { process, scheduler, leaseOf, api } = environment();
  process('a');
  await scheduler.advance(6_000);
  const times: number[] = [];
  let before = '';
  for (let atMs = 6_000; atMs < 10_000; atMs += 1) {
    const versions = [leaseOf('a'), api.leases.get(GROUP)].map((lease) => lease?.metadata.resourceVersion).join();
    if (before !== '' && versions !== before) times.push(atMs);
    before = versions;
    await scheduler.advance(1);
  }
  return times;
}

test('a release gives both Leases up, and neither is taken again by a write that is under way', async () => {
  const kept: unknown[] = [];
  const times = await writeTimes();
  expect(times.length).toBeGreaterThanOrEqual(4);
  for (const atMs of times.flatMap((time) => Array.from({ length: 24 }, (_, index) => time - 66 + 3 * index))) {
    const { process, scheduler, leaseOf, api } = environment();
    const { member, ownership } = process('a');
    await scheduler.advance(atMs);
    let isReleased = false;
    void member.release().then(() => (isReleased = true));
    await scheduler.advance(3_000);
    const holders = [leaseOf('a')?.spec?.holderIdentity, api.leases.get(GROUP)?.spec?.holderIdentity];
    const state = [isReleased, ...holders, ownership.owns('shop')];
    if (JSON.stringify(state) !== JSON.stringify([true, '', '', false])) kept.push([atMs, state]);
  }
  expect(kept).toEqual([]);
});

test('a release does not wait for the pauses between renewals and lists', async () => {
  for (let atMs = 6_000; atMs < 8_000; atMs += 250) {
    const { process, scheduler } = environment();
    const { member } = process('a');
    await scheduler.advance(atMs);
    let isReleased = false;
    void member.release().then(() => (isReleased = true));
    await scheduler.advance(600);
    expect([atMs, isReleased]).toEqual([atMs, true]);
  }
});

describe('the time for which a key has no owner (docs/sharding.md)', () => {
  const keys = ['', ...Array.from({ length: 30 }, (_, index) => `n${index}`)];

  /** The longest time without an owner, of all keys, in milliseconds, from now on. */
  async function longestGap({ scheduler }: ReturnType<typeof environment>, replicas: readonly Replica[], act: () => void) {
    let longest = 0;
    const ownedAt = new Map(keys.map((key) => [key, scheduler.time]));
    act();
    const look = () => {
      for (const key of keys) {
        if (!replicas.some(({ machine, ownership }) => machine.isAlive && ownership.owns(key))) continue;
        longest = Math.max(longest, scheduler.time - ownedAt.get(key)!);
        ownedAt.set(key, scheduler.time);
      }
      scheduler.after(5, look);
    };
    look();
    await scheduler.advance(40_000);
    for (const key of keys) expect(scheduler.time - ownedAt.get(key)!).toBeLessThan(10);
    return longest;
  }
  type Replica = ReturnType<ReturnType<typeof environment>['process']>;

  async function three() {
    const all = environment();
    const replicas = ['a', 'b', 'c'].map((name) => all.process(name));
    await all.scheduler.advance(30_000);
    return { all, replicas };
  }

  test('a replica joins: a second', async () => {
    const { all, replicas } = await three();
    expect(await longestGap(all, replicas, () => replicas.push(all.process('d')))).toBeLessThan(1_200);
  });

  test('a replica stops: two seconds', async () => {
    const { all, replicas } = await three();
    expect(await longestGap(all, replicas, () => void replicas[0]!.member.release())).toBeLessThan(2_800);
  });

  test('a replica crashes: 15 s, the lists, and a second', async () => {
    const { all, replicas } = await three();
    const gap = await longestGap(all, replicas, () => replicas[0]!.machine.kill());
    expect(gap).toBeGreaterThan(13_000);
    expect(gap).toBeLessThan(21_000);
  });
});

test('shards: 1: the second replica stands by, and takes over', async () => {
  const { process, scheduler, viewOf } = environment();
  const first = process('a', { shards: 1 });
  await scheduler.advance(6_000);
  const second = process('b', { shards: 1 });
  await scheduler.advance(10_000);
  expect(viewOf('b')).toMatchObject({ phase: 'standby', members: [] });
  first.machine.kill();
  await scheduler.advance(25_000);
  expect(second.ownership.owns('shop')).toBe(true);
});

test.each([
  ['aso-controller-7f9c-x1', 'aso-controller-7f9c-x1-ab12'],
  ['', 'ab12'],
  ['Über_Host..local-', 'ber-host-local-ab12'],
  ['a'.repeat(300), `${'a'.repeat(195)}-ab12`],
])('identity of %p', (podName, identity) => {
  expect(shardIdentity(podName, 'ab12')).toBe(identity);
  expect(`cdk8s-aso-shard-${identity}`).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
});
