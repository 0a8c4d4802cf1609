import type { ObjectKey } from '../../controller/kubernetes/types';
import { Turns } from '../../controller/reconcile/turns';

const ID = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id/federatedIdentityCredentials';
const keyOf = (name: string): ObjectKey => ({ group: 'managedidentity.azure.com', kind: 'FederatedIdentityCredential', namespace: 'default', name });
let now: number;
let turns: Turns;
beforeEach(() => {
  now = 0;
  turns = new Turns(() => now);
});
const ask = (name: string, isDeleting = false) => turns.ask(keyOf(name), `${ID}/${name}`, isDeleting).kind;

test('a pass that claims an object, sends it and cannot write that down keeps its turn', () => {
  expect(ask('a')).toBe('mine');
  turns.ended(keyOf('a'), 'doubt', undefined);
  expect(ask('b')).toBe('others');
});

test('an answer that was lost stays lost as long as no pass has seen the resource', () => {
  expect(ask('a')).toBe('mine');
  turns.ended(keyOf('a'), 'doubt', `${ID}/a`);
  turns.ended(keyOf('a'), 'unlooked', `${ID}/a`);
  turns.ended(keyOf('a'), 'unknown', `${ID}/a`);
  expect(ask('b')).toBe('others');
  const called: string[] = [];
  turns.callWith(({ name }) => called.push(name));
  turns.ended(keyOf('b'), 'nothing', `${ID}/b`);
  turns.ended(keyOf('a'), 'nothing', `${ID}/a`);
  expect(called).toEqual(['b']);
});

test('who never looks is not waited for any longer than that', () => {
  ask('a');
  turns.ended(keyOf('a'), 'doubt', `${ID}/a`);
  for (now = 0; now < 200_000; now += 10_000) turns.ended(keyOf('a'), 'unlooked', `${ID}/a`);
  expect(ask('b')).toBe('mine');
});

test('who has sent nothing and sees nothing is in nobody\'s way', () => {
  ask('a');
  turns.ended(keyOf('a'), 'unlooked', `${ID}/a`);
  expect(ask('b')).toBe('mine');
});

test('a deletion whose answer was lost, which asks again before it looks, lets nobody go before it', () => {
  expect(ask('a', true)).toBe('mine');
  expect(ask('b', true)).toBe('others');
  turns.ended(keyOf('b'), 'nothing', `${ID}/b`);
  turns.ended(keyOf('a'), 'doubt', `${ID}/a`);
  expect(ask('a', true)).toBe('mine');
  expect(ask('b', true)).toBe('others');
});
