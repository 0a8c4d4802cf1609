import fc from 'fast-check';
import { rendezvous, weight } from '../../../runtime/shards/rendezvous';

const KEYS = Array.from({ length: 1_000 }, (_, index) => `namespace-${index}`);
const ownersOf = (members: readonly string[]) => new Map(KEYS.map((key) => [key, rendezvous(members, key)]));
const name = fc.stringMatching(/^[a-z0-9-]{1,12}$/);

test('the weights stay the same for ever: replicas of all versions agree on them', () => {
  // echo -n 'a\nshop' | sha256sum, and so on: the first 16 digits.
  expect([weight('a', 'shop'), weight('aso-controller-7f9c-x1', ''), weight('é', 'shop/uid')]).toEqual([
    '3b7e485fbef28eeb', 'c5a1fb6634d1343f', '5ed38750859627ee',
  ]);
});

test('the member with the greatest weight is the owner, for ever', () => {
  // By sha256sum: for x a has e51a…, b 19c0…, c 2abc…; for z a has 64c9…, b e8b8…, c 69c9…
  expect(['x', 'y', 'z', 'default'].map((key) => rendezvous(['a', 'b', 'c'], key))).toEqual(['a', 'a', 'b', 'b']);
});

test('three members share 1,000 keys within 15 % of a third', () => {
  const counts = new Map<string, number>();
  for (const owner of ownersOf(['controller-0-a1', 'controller-1-b2', 'controller-2-c3']).values()) {
    counts.set(owner!, (counts.get(owner!) ?? 0) + 1);
  }
  for (const count of counts.values()) expect(Math.abs(count - 1_000 / 3)).toBeLessThan(50);
  expect(counts.size).toBe(3);
});

test('of a member that comes or goes, only its own keys move', () => {
  fc.assert(fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), name, (members, other) => {
    fc.pre(!members.includes(other));
    const [before, after] = [ownersOf(members), ownersOf([...members, other])];
    for (const key of KEYS) if (after.get(key) !== before.get(key)) expect(after.get(key)).toBe(other);
  }), { numRuns: 20 });
});

test('the order of the members says nothing, and without members there is no owner', () => {
  fc.assert(fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 6 }), (members) => {
    expect(ownersOf([...members].reverse())).toEqual(ownersOf(members));
  }), { numRuns: 10 });
  expect(rendezvous([], 'shop')).toBeUndefined();
});
