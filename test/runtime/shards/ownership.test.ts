import {
  CLUSTER_KEY, namespaceKey, SOLE_OWNERSHIP, treeKey, type Assignment, type Ownership, type ShardHost, type ShardKey,
} from '../../../runtime/shards';

test('a process without shards owns every key and splits nothing', () => {
  const ownership: Ownership = SOLE_OWNERSHIP;
  const keys: ShardKey[] = [CLUSTER_KEY, namespaceKey('shop'), treeKey('shop', 'uid')];
  expect(keys.filter((key) => ownership.owns(key))).toEqual(['', 'shop', 'shop/uid']);
  expect([ownership.watches('shop'), ownership.isSplit('shop')]).toEqual([true, false]);
});

test('an assignment can be given to a host as its ownership', async () => {
  const next: Assignment = { ...SOLE_OWNERSHIP, members: ['a'] };
  const seen: string[] = [];
  const host: ShardHost = {
    prepare: async ({ members }) => void seen.push(...members), expect: () => undefined, changed: () => undefined,
  };
  await host.prepare(next, new AbortController().signal);
  expect(seen).toEqual(['a']);
});
