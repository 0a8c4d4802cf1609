import fc from 'fast-check';
import { ParentWriteLocks } from '../../../../controller/reconcile/parent-locks/parent-write-locks';
import { ALL_KINDS } from '../../../../engine/kinds/all-kinds';
import { needsParentLock, parentLockScopeOf } from '../../../../engine/kinds/serial-writes';
import { Catalog } from '../../../../src/catalog';
import type { ObjectId } from '../../../../src/object-id';

const SERVER = '/subscriptions/s/resourceGroups/g/providers/Microsoft.DBforPostgreSQL/flexibleServers/server';
const MINUTE = 60_000;

interface Sibling {
  readonly key: ObjectId;
  readonly id: string;
  readonly together: boolean;
}

/** Outcome of a sibling's write: done at once, an operation of some minutes, refused, no answer, or its object is deleted meanwhile. */
type Fate = { readonly of: 'done' | 'refused' | 'lost' | 'deleted' } | { readonly of: 'operation'; readonly minutes: number };

const sibling = (index: number, together: boolean, namespace: string): Sibling => ({
  key: { group: 'g', kind: together ? 'Rule' : 'Configuration', namespace, name: `n${index}` },
  id: `${SERVER}/${together ? 'firewallRules' : 'configurations'}/n${index}`,
  together,
});

const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ of: fc.constantFrom('done' as const, 'refused' as const, 'lost' as const, 'deleted' as const) }),
  fc.record({ of: fc.constant('operation' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
);

/**
 * Simulates reconciles of siblings, with a controller that may be killed: reconciles that ask, wait, write, poll. Returns the writers;
 * throws when two siblings write at once although they must not.
 */
function play(
  siblings: readonly Sibling[], fates: readonly (readonly Fate[])[], killAfter: number | undefined,
): { written: Set<string>; reconciles: number } {
  let now = 0;
  let reconciles = 0;
  /** Operations in Azure: name → end. */
  const running = new Map<string, number>();
  /** Those that an earlier process has begun. */
  const unproven = new Set<string>();
  const written = new Set<string>();
  const gone = new Set<string>();
  const tries = new Map<string, number>();
  /** Reconciles that are due: name → when. */
  const due = new Map<string, number>(siblings.map(({ key }) => [key.name, 0]));
  const fresh = (): ParentWriteLocks => {
    const locks = new ParentWriteLocks({ now: () => now, schedule: () => () => undefined });
    locks.onGranted(({ name }) => due.set(name, now));
    return locks;
  };
  let locks = fresh();

  const begin = ({ key, id, together }: Sibling): void => {
    if (locks.acquire(key, id, false).kind !== 'held') {
      locks.reconciled(key, 'nothing', id);
      due.set(key.name, now + 5 * MINUTE);
      return;
    }
    for (const other of siblings) {
      // After a start, annotations alone speak of an operation: only its own namespace waits for it.
      const isWaitedFor = !unproven.has(other.key.name) || other.key.namespace === key.namespace;
      if (running.has(other.key.name) && isWaitedFor && !(together && other.together)) throw new Error(`${key.name} writes while ${other.key.name} does`);
    }
    const number = tries.get(key.name) ?? 0;
    tries.set(key.name, number + 1);
    const happens = fates[Number(key.name.slice(1))]![number] ?? { of: 'done' };
    switch (happens.of) {
      case 'done':
        written.add(key.name);
        return locks.reconciled(key, 'nothing', id);
      case 'refused':
        due.set(key.name, now + MINUTE);
        return locks.reconciled(key, 'nothing', id);
      case 'lost':
        due.set(key.name, now + MINUTE);
        return locks.reconciled(key, 'doubt', id);
      case 'deleted':
        gone.add(key.name);
        return locks.release(key);
      case 'operation':
        locks.answered(key, 'accepted');
        unproven.delete(key.name);
        running.set(key.name, now + happens.minutes * MINUTE);
        due.set(key.name, now + MINUTE);
        return locks.reconciled(key, 'operation', id);
    }
  };

  const reconcile = (one: Sibling): void => {
    reconciles += 1;
    const { key, id } = one;
    const end = running.get(key.name);
    if (end === undefined) return begin(one);
    if (end > now) {
      due.set(key.name, now + MINUTE);
      return locks.reconciled(key, 'operation', id);
    }
    running.delete(key.name);
    written.add(key.name);
    return locks.reconciled(key, 'nothing', id);
  };

  while (due.size > 0 && reconciles < 10_000) {
    const [name, at] = [...due].reduce((first, entry) => (entry[1] < first[1] ? entry : first));
    due.delete(name);
    now = Math.max(now, at);
    if (!gone.has(name)) reconcile(siblings.find(({ key }) => key.name === name)!);
    if (reconciles === killAfter) {
      locks = fresh();
      [...running.keys()].forEach((of) => unproven.add(of));
      for (const { key, id } of siblings) {
        if (written.has(key.name) || gone.has(key.name)) continue;
        locks.restore(key, id);
        due.set(key.name, now);
      }
    }
  }
  gone.forEach((name) => written.add(name));
  return { written, reconciles };
}

describe('whatever happens to siblings', () => {
  const environment = fc.integer({ min: 1, max: 8 }).chain((count) => fc.record({
    siblings: fc.tuple(...Array.from({ length: count }, (_, index) =>
      fc.tuple(fc.boolean(), fc.constantFrom('a', 'b')).map(([together, namespace]) => sibling(index, together, namespace)))),
    fates: fc.array(fc.array(fate, { maxLength: 4 }), { minLength: count, maxLength: count }),
    killAfter: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
  }));

  test('no two write at once that must not, and everyone gets its turn', () => {
    fc.assert(fc.property(environment, ({ siblings, fates, killAfter }) => {
      const { written } = play(siblings, fates, killAfter);
      expect(written.size).toBe(siblings.length);
    }), { numRuns: 500 });
  });
});

test('so many siblings cost so many reconciles that wait, not their square', () => {
  const siblings = Array.from({ length: 200 }, (_, index) => sibling(index, false, 'a'));
  expect(play(siblings, siblings.map(() => []), undefined).reconciles).toBe(200);
  const slow = play(siblings.slice(0, 20), siblings.map(() => [{ of: 'operation', minutes: 1 }]), undefined);
  // A reconcile that waits, one that sends, one that sees the end; and those that ask every five minutes if they are not woken.
  expect(slow.reconciles).toBeLessThan(20 * 3 + 20 * 4);
});

test('however many objects wait, and whatever happens to them, the locks have one timer, and none in the end', () => {
  let timers = 0;
  const locks = new ParentWriteLocks({
    now: () => 0,
    schedule: () => {
      timers += 1;
      return () => (timers -= 1);
    },
  });
  const siblings = Array.from({ length: 20 }, (_, index) => sibling(index, false, 'a'));
  for (const { key, id } of siblings) {
    locks.acquire(key, id, false);
    expect(timers).toBeLessThanOrEqual(1);
  }
  expect(timers).toBe(1);
  for (const { key } of siblings) locks.release(key);
  expect(timers).toBe(0);
});

test('an operation without an end is not waited for longer than an hour', () => {
  const [stuck, other] = [sibling(0, false, 'a'), sibling(1, false, 'a')];
  let now = 0;
  const called: string[] = [];
  const locks = new ParentWriteLocks({ now: () => now, schedule: () => () => undefined });
  locks.onGranted(({ name }) => called.push(name));
  expect(locks.acquire(stuck.key, stuck.id, false).kind).toBe('held');
  expect(locks.acquire(other.key, other.id, false)).toEqual({ kind: 'waits', before: stuck.key, parent: SERVER });
  locks.reconciled(other.key, 'nothing', other.id);
  for (; now < 59 * MINUTE; now += MINUTE) locks.reconciled(stuck.key, 'operation', stuck.id);
  expect(called).toEqual([]);
  for (; now < 62 * MINUTE; now += MINUTE) locks.reconciled(stuck.key, 'operation', stuck.id);
  expect(called).toEqual(['n1']);
  expect(locks.acquire(other.key, other.id, false).kind).toBe('held');
});

describe('the rule', () => {
  test('speaks of types that exist, each in one place', () => {
    const versions = Catalog.default().allKinds.flatMap((kind) => kind.versionNames.map((name) => kind.version(name)));
    const known = new Set(versions.map((version) => version?.facts.arm?.type.toLowerCase()));
    const rules = Object.values(ALL_KINDS).flatMap(({ serialWrites }) => serialWrites ?? []);
    const types = rules.flatMap(({ parent, alone, together = [], itself }) => [
      ...(itself ? [parent] : []), ...[...alone, ...together].map((child) => `${parent}/${child}`),
    ]);
    expect(types.filter((type) => !known.has(type.toLowerCase()))).toEqual([]);
    expect(new Set(types.map((type) => type.toLowerCase())).size).toBe(types.length);
    expect(types.every(needsParentLock)).toBe(true);
  });

  test('finds the parent, whatever the spelling', () => {
    const id = '/subscriptions/s/resourceGroups/G/providers/Microsoft.ApiManagement/service/Api/products/p/apis/a';
    const parent = '/subscriptions/s/resourceGroups/G/providers/Microsoft.ApiManagement/service/Api';
    expect(parentLockScopeOf(id)).toEqual({ lockName: parent.toLowerCase(), parent, together: false, isParent: false });
    expect(parentLockScopeOf(id.toUpperCase())?.lockName).toBe(parent.toLowerCase());
    expect(parentLockScopeOf(SERVER)).toMatchObject({ parent: SERVER, isParent: true });
    expect(parentLockScopeOf('/subscriptions/s/resourceGroups/g')).toBeUndefined();
    expect(parentLockScopeOf('no id')).toBeUndefined();
  });
});
