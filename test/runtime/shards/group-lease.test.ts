import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { Fence } from '../../../runtime/shards/fence';
import { GROUP_HOLDER, GroupLease } from '../../../runtime/shards/group-lease';
import type { ShardClient } from '../../../runtime/shards/requests';
import { LEASE_MS, TERM_MS } from '../../../runtime/shards/timing';

/** A request takes so long: half of it to the API server, and half of it back. */
const LATENCY_MS = 400;

/** An API server with one Lease, whose clock is that of all members, and members of the group. */
function environment() {
  const clocks = { at: 0 };
  const time = { now: () => 1_700_000_000_000 + clocks.at, elapsed: () => 50_000 + clocks.at };
  let stored: KubernetesObject | undefined;
  let version = 0;
  /** The next reads arrive after these. */
  const reads: Promise<void>[] = [];
  const onTheWay = async <T>(act: () => T): Promise<T> => {
    clocks.at += LATENCY_MS / 2;
    try {
      return act();
    } finally {
      clocks.at += LATENCY_MS / 2;
    }
  };
  const store = (lease: KubernetesObject): KubernetesObject => {
    version += 1;
    return (stored = { ...lease, metadata: { ...lease.metadata, uid: 'u', resourceVersion: String(version) } });
  };
  const client = {
    get: async () => {
      await reads.shift();
      return onTheWay(() => stored);
    },
    create: (_: unknown, lease: KubernetesObject) => onTheWay(() => store(lease)),
    replace: (_: unknown, lease: KubernetesObject) => onTheWay(() => {
      if (lease.metadata.resourceVersion !== stored?.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', 'changed');
      return store(lease);
    }),
  } as unknown as ShardClient;
  const member = (name: string) => {
    const fence = new Fence(time);
    const lease = new GroupLease(client, 'aso', name, time, fence);
    /** When the term ends. */
    const end = () => clocks.at + fence.left('group');
    return { lease, fence, end };
  };
  const hold = (holderIdentity: string) => store({ ...stored!, spec: { ...stored!.spec, holderIdentity, renewTime: `at ${clocks.at}` } });
  return { clocks, reads, member, hold, holder: () => stored!.spec!.holderIdentity };
}

test('a term begins before the write was sent that proves it', async () => {
  const { clocks, member } = environment();
  const { lease, end } = member('a');
  await lease.turn();
  // A read that found nothing, and the write.
  expect(end()).toBe(LATENCY_MS + TERM_MS);
  clocks.at = 2_000;
  await lease.turn();
  expect(end()).toBe(2_000 + LATENCY_MS + TERM_MS);
});

test('another member\'s write proves no more than that it came after the last request of one\'s own', async () => {
  const { clocks, member } = environment();
  const [one, other] = [member('a'), member('b')];
  await one.lease.turn();
  clocks.at = 3_000;
  await other.lease.turn();
  clocks.at = 5_000;
  await one.lease.turn();
  // It may have been written at once after the first write, however late it is seen.
  expect(one.end()).toBe(LATENCY_MS + TERM_MS);
  clocks.at = 6_000;
  await other.lease.turn();
  clocks.at = 8_000;
  await one.lease.turn();
  expect(one.end()).toBe(5_000 + TERM_MS);
});

test('a Lease that is as it was proves nothing until it is written', async () => {
  const { clocks, member } = environment();
  const { lease, end } = member('a');
  await lease.turn();
  clocks.at = 4_000;
  await lease.turn();
  expect(end()).toBe(4_000 + LATENCY_MS + TERM_MS);
});

test('a write that another member forestalls proves nothing', async () => {
  const { clocks, member, hold } = environment();
  const { lease, end } = member('a');
  await lease.turn();
  clocks.at = 4_000;
  const turn = lease.turn();
  // Between its read and its write.
  hold('cdk8s-aso-shards');
  await turn;
  expect(end()).toBe(LATENCY_MS + TERM_MS);
});

test('the term ends where another controller holds the Lease, and is not given back before its Lease is over', async () => {
  const { clocks, member, hold } = environment();
  const { lease, fence } = member('a');
  await lease.turn();
  hold('aso');
  expect(await lease.turn()).toBe('aso');
  expect(fence.hasEnded('group')).toBe(true);
  const seen = clocks.at;
  clocks.at = seen + 14_999;
  expect([await lease.turn(), fence.hasEnded('group')]).toEqual(['aso', true]);
  clocks.at = seen + 15_001;
  expect([await lease.turn(), fence.hasEnded('group')]).toEqual(['', false]);
});

test.each([true, false])('a member that leaves empties the Lease unless others may be alive: %s', async (hasOthers) => {
  const { member, holder } = environment();
  const { lease } = member('a');
  await lease.turn();
  await lease.release(async () => hasOthers);
  expect(holder()).toBe(hasOthers ? GROUP_HOLDER : '');
});

test('a turn whose read was given up takes no Lease that its member has emptied since', async () => {
  const { reads, member, holder } = environment();
  const { lease } = member('a');
  await lease.turn();
  let arrive = (): void => undefined;
  reads.push(new Promise((resolve) => (arrive = resolve)));
  const late = lease.turn().catch(() => 'given up');
  await lease.release(async () => false);
  expect(holder()).toBe('');
  arrive();
  expect([await late, holder()]).toEqual(['given up', '']);
});

test('members that remind each other of one that is gone forget it, however many they are', async () => {
  const { clocks, member } = environment();
  const members = [member('a'), member('b'), member('c')];
  await member('d').lease.turn();
  const goneAtMs = clocks.at;
  for (let round = 0; round < 20; round += 1) {
    // The first one of a round writes the Lease, and names the others; each in its turn.
    for (let turn = 0; turn < members.length; turn += 1) {
      clocks.at += 500;
      await members[(round + turn) % members.length]!.lease.turn();
    }
    const isNamed = members.map(({ lease }) => lease.otherMembers.includes('d'));
    // Each has heard of it once, at the latest when the last one that knew it forgets it.
    if (clocks.at - goneAtMs < LEASE_MS - 2_000) expect([round, isNamed]).toEqual([round, [true, true, true]]);
    if (clocks.at - goneAtMs > 2 * LEASE_MS + 4_000) expect([round, isNamed]).toEqual([round, [false, false, false]]);
  }
  expect(clocks.at - goneAtMs).toBeGreaterThan(3 * LEASE_MS);
});
