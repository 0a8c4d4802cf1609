import { ParentWriteLock } from '../../../../controller/reconcile/parent-locks/parent-write-lock';
import type { Standing } from '../../../../controller/reconcile/parent-locks/standings';
import type { Writer } from '../../../../controller/reconcile/parent-locks/writer';

const MINUTE = 60_000;
const writerOf = (name: string): Writer => ({
  key: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', namespace: 'a', name },
  together: false,
  first: false,
  principal: { endpoint: 'https://arm.test', id: 'a' },
});
const [one, other] = [writerOf('one'), writerOf('other')];
const nameOf = ({ key: { group, kind, namespace, name } }: Writer) => `${group}/${kind}/${namespace}/${name}`;

let now: number;
let lock: ParentWriteLock;
beforeEach(() => {
  now = 0;
  const standings = new Map<string, Standing>();
  lock = new ParentWriteLock({
    now: () => now,
    standingOf: ({ key }) => standings.get(key.namespace) ?? {},
    setStanding: ({ key }, change) => standings.set(key.namespace, { ...standings.get(key.namespace), ...change }),
  });
});

/** All that an object may be to the lock when it is released. */
const STATES: readonly [string, () => void][] = [
  ['it has the lock', () => expect(lock.acquire(one)).toBeUndefined()],
  ['it writes', () => lock.started(one)],
  ['a request is in doubt', () => lock.lease(one, 'inDoubt')],
  ['an earlier process may have sent a request', () => lock.restore(one, false)],
  ['it waits', () => {
    lock.started(other);
    expect(lock.acquire(one)).toEqual(other.key);
    lock.release(other.key);
  }],
  ['it was granted the lock', () => {
    lock.started(other);
    expect(lock.acquire(one)).toEqual(other.key);
    lock.release(other.key);
    expect(lock.grantNext()).toEqual([one.key]);
  }],
  ['its request waits for its turn', () => {
    expect(lock.acquire(one)).toBeUndefined();
    lock.pause(nameOf(one));
  }],
  ['its operation was silent for too long', () => {
    lock.started(one);
    now = 11 * MINUTE;
    lock.grantNext();
  }],
  ['its reconcile has taken too long', () => {
    expect(lock.acquire(one)).toBeUndefined();
    now = 11 * MINUTE;
    lock.grantNext();
  }],
];

test.each(STATES)('an object that is released leaves nothing behind when %s', (_, arrange) => {
  arrange();
  expect(lock.isEmpty).toBe(false);
  lock.release(one.key);
  expect([lock.isEmpty, lock.nextChange, lock.reasonOf(nameOf(one))]).toEqual([true, undefined, undefined]);
});

test.each(STATES)('an object of the same name is new to the lock when %s', (_, arrange) => {
  arrange();
  lock.release(one.key);
  now += 60 * MINUTE;
  // The first sign of an operation begins the time for which it is waited for.
  lock.renew(one, true);
  expect(lock.reasonOf(nameOf(one))).toBe('writes');
  expect(lock.acquire(other)).toEqual(one.key);
});

test.each([
  ['the operation was seen ten minutes ago at most', 10 * MINUTE - 1, true, 'begins'],
  ['the request before it is in doubt', 10 * MINUTE, true, 'inDoubt'],
  ['that request was sent five minutes ago at most', 14 * MINUTE - 1, true, 'inDoubt'],
  ['neither holds', 14 * MINUTE, false, 'begins'],
])('a request that is refused keeps the lock where %s', (_, at, keeps, why) => {
  lock.started(one);
  now = 9 * MINUTE;
  lock.lease(one, 'inDoubt');
  now = 10 * MINUTE - 1;
  expect(lock.acquire(one, false)).toBeUndefined();
  now = at;
  expect([lock.keepsLease(one), lock.reasonOf(nameOf(one))]).toEqual([keeps, why]);
});

test('an object that was called gives the lock back where an earlier one has shown meanwhile that it writes', () => {
  const foreign: Writer = { ...other, key: { ...other.key, namespace: 'b' }, principal: { endpoint: 'https://arm.test', id: 'b' } };
  const third: Writer = { ...foreign, key: { ...foreign.key, name: 'third' }, principal: { endpoint: 'https://arm.test', id: 'c' } };
  lock.restore(one, true);
  lock.lease(foreign, 'called');
  lock.accepted(nameOf(one));
  expect(lock.acquire(foreign)).toEqual(one.key);
  expect(lock.reasonOf(nameOf(foreign))).toBeUndefined();
  lock.release(one.key);
  lock.release(foreign.key);
  expect(lock.acquire(third)).toBeUndefined();
});
