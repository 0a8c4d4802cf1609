import { ParentWriteLocks } from '../../../../controller/reconcile/parent-locks/parent-write-locks';
import type { ObjectId } from '../../../../src/object-id';

const ID = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id/federatedIdentityCredentials';
const keyOf = (name: string): ObjectId => ({
  group: 'managedidentity.azure.com',
  kind: 'FederatedIdentityCredential',
  namespace: 'default',
  name,
});
let now: number;
let locks: ParentWriteLocks;
beforeEach(() => {
  now = 0;
  locks = new ParentWriteLocks({ now: () => now, schedule: () => () => undefined });
});
const ask = (name: string, isDeleting = false) => locks.acquire(keyOf(name), `${ID}/${name}`, isDeleting).kind;

test('a reconcile that claims an object, sends it and cannot write that down keeps its turn', () => {
  expect(ask('a')).toBe('held');
  locks.reconciled(keyOf('a'), 'doubt', undefined);
  expect(ask('b')).toBe('waits');
});

test('an answer that was lost stays lost as long as no reconcile has seen the resource', () => {
  expect(ask('a')).toBe('held');
  locks.reconciled(keyOf('a'), 'doubt', `${ID}/a`);
  locks.reconciled(keyOf('a'), 'unlooked', `${ID}/a`);
  locks.reconciled(keyOf('a'), 'unknown', `${ID}/a`);
  expect(ask('b')).toBe('waits');
  const called: string[] = [];
  locks.onGranted(({ name }) => called.push(name));
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  locks.reconciled(keyOf('a'), 'nothing', `${ID}/a`);
  expect(called).toEqual(['b']);
});

test('who never looks is not waited for any longer than that', () => {
  ask('a');
  locks.reconciled(keyOf('a'), 'doubt', `${ID}/a`);
  // The slowest of its next reconciles comes after 180 s and their spread.
  for (now = 0; now <= 240_000; now += 10_000) locks.reconciled(keyOf('a'), 'unlooked', `${ID}/a`);
  expect(ask('b')).toBe('waits');
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  now = 300_000;
  expect(ask('b')).toBe('held');
});

test('who has sent nothing and sees nothing is in nobody\'s way', () => {
  ask('a');
  locks.reconciled(keyOf('a'), 'unlooked', `${ID}/a`);
  expect(ask('b')).toBe('held');
});

test('a deletion whose answer was lost, which asks again before it looks, lets nobody go before it', () => {
  expect(ask('a', true)).toBe('held');
  expect(ask('b', true)).toBe('waits');
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  locks.reconciled(keyOf('a'), 'doubt', `${ID}/a`);
  expect(ask('a', true)).toBe('held');
  expect(ask('b', true)).toBe('waits');
});

test('a reconcile that breaks off while its operation runs keeps its turn; one that was called and sent nothing does not', () => {
  expect(ask('a')).toBe('held');
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  locks.reconciled(keyOf('a'), 'unknown', `${ID}/a`);
  expect(ask('b')).toBe('waits');
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  locks.reconciled(keyOf('a'), 'nothing', `${ID}/a`);
  // `b` was called and has not begun: when its reconcile breaks off, it asks again, after those who wait.
  locks.reconciled(keyOf('b'), 'unknown', `${ID}/b`);
  expect(ask('c')).toBe('held');
});

test('who breaks off again and again keeps nobody waiting for longer than an operation without a sign', () => {
  ask('a');
  for (now = 0; now <= 600_000; now += 10_000) locks.reconciled(keyOf('a'), 'unknown', `${ID}/a`);
  expect(ask('b')).toBe('held');
});

test('a reconcile whose turn is over for another one has to acquire it anew before it sends anything', () => {
  ask('a');
  now = 11 * 60_000;
  expect(ask('b')).toBe('held');
  expect([locks.mayStillWrite(keyOf('a')), locks.mayStillWrite(keyOf('b'))]).toEqual([false, true]);
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  expect(ask('a')).toBe('held');
  expect(locks.mayStillWrite(keyOf('a'))).toBe(true);
});

test('an operation of which nothing was heard for long is waited for again once Azure shows that it runs, but not for ever', () => {
  const MINUTE = 60_000;
  ask('a');
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  now = 11 * MINUTE;
  expect(ask('b')).toBe('held');
  locks.reconciled(keyOf('a'), 'silence', `${ID}/a`);
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  expect(ask('c')).toBe('held');
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('c')).toBe('held');
  locks.reconciled(keyOf('c'), 'nothing', `${ID}/c`);
  expect(ask('d')).toBe('waits');
  locks.reconciled(keyOf('d'), 'nothing', `${ID}/d`);
  for (; now <= 60 * MINUTE; now += MINUTE) locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('d')).toBe('held');
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  locks.reconciled(keyOf('d'), 'nothing', `${ID}/d`);
  expect(ask('e')).toBe('held');
});

test('an operation that is waited for again may be followed by a request that has waited for its turn', () => {
  ask('a');
  locks.reconciled(keyOf('a'), 'begun', `${ID}/a`);
  now = 11 * 60_000;
  expect(ask('b')).toBe('held');
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('a', true)).toBe('held');
  expect(locks.resume(keyOf('a'))).toBe(true);
});

test('who is seen to be at it while another has the turn sends nothing more before that one is through', () => {
  const called: string[] = [];
  locks.onGranted(({ name }) => called.push(name));
  expect(ask('b')).toBe('held');
  locks.reconciled(keyOf('a'), 'silence', `${ID}/a`);
  expect(ask('a', true)).toBe('waits');
  locks.reconciled(keyOf('a'), 'nothing', `${ID}/a`);
  locks.reconciled(keyOf('b'), 'doubt', `${ID}/b`);
  expect(ask('b', true)).toBe('held');
  locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  expect(called).toEqual(['a']);
  expect(ask('a', true)).toBe('held');
  expect(ask('b')).toBe('waits');
});

test('a DELETE that is refused after a read that failed ends no operation that was seen to run', () => {
  ask('a', true);
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  for (now = 0; now < 540_000; now += 60_000) {
    expect(ask('a', true)).toBe('held');
    locks.reconciled(keyOf('a'), 'blind', `${ID}/a`);
    expect(ask('b')).toBe('waits');
    locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  }
  now = 600_000;
  expect(ask('b')).toBe('held');
});

test('an answer that was lost in between makes nobody forget that an operation was seen to run', () => {
  ask('a', true);
  locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  ask('a', true);
  locks.reconciled(keyOf('a'), 'doubt', `${ID}/a`);
  ask('a', true);
  locks.reconciled(keyOf('a'), 'blind', `${ID}/a`);
  expect(ask('b')).toBe('waits');
});

test('a DELETE that is refused after a read that failed is in nobody\'s way where nothing was seen to run', () => {
  ask('a', true);
  locks.reconciled(keyOf('a'), 'blind', `${ID}/a`);
  expect(ask('b')).toBe('held');
});

test('a deletion that Azure takes up after an operation of most of an hour has its own time', () => {
  const MINUTE = 60_000;
  ask('a');
  locks.reconciled(keyOf('a'), 'begun', `${ID}/a`);
  for (; now <= 50 * MINUTE; now += MINUTE) locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('a', true)).toBe('held');
  locks.reconciled(keyOf('a'), 'begun', `${ID}/a`);
  for (; now <= 100 * MINUTE; now += MINUTE) locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('b')).toBe('waits');
  for (; now <= 112 * MINUTE; now += MINUTE) locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('b')).toBe('held');
});

test('what an earlier process has sent is in doubt while reads of the resource fail, for ten minutes at most', () => {
  locks.restore(keyOf('a'), `${ID}/a`);
  for (; now < 600_000; now += 60_000) {
    locks.reconciled(keyOf('a'), 'unread', `${ID}/a`);
    expect(ask('b')).toBe('waits');
    locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  }
  expect(ask('b')).toBe('held');
});

test('an object that an earlier process may have sent, and that cannot be read for want of something else, is in nobody\'s way', () => {
  locks.restore(keyOf('a'), `${ID}/a`);
  locks.reconciled(keyOf('a'), 'unlooked', `${ID}/a`);
  expect(ask('b')).toBe('held');
});

test('an operation that begins in a reconcile that has taken too long has its own time', () => {
  const MINUTE = 60_000;
  ask('a');
  now = 11 * MINUTE;
  expect(locks.mayStillWrite(keyOf('a'))).toBe(true);
  locks.reconciled(keyOf('a'), 'begun', `${ID}/a`);
  for (; now <= 65 * MINUTE; now += MINUTE) locks.reconciled(keyOf('a'), 'operation', `${ID}/a`);
  expect(ask('b')).toBe('waits');
});

test('a DELETE that is refused after a read that failed leaves in doubt what became of the one before it', () => {
  ask('a', true);
  locks.reconciled(keyOf('a'), 'doubt', `${ID}/a`);
  for (now = 1_000; now < 300_000; now += 60_000) {
    expect(ask('a', true)).toBe('held');
    locks.reconciled(keyOf('a'), 'blind', `${ID}/a`);
    expect(ask('b')).toBe('waits');
    locks.reconciled(keyOf('b'), 'nothing', `${ID}/b`);
  }
  ask('a', true);
  locks.reconciled(keyOf('a'), 'blind', `${ID}/a`);
  expect(ask('b')).toBe('held');
});
