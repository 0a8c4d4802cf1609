import { assignmentOf, namespaceKey, treeKey, type Snapshot, type View } from '../../../runtime/shards';
import { Fence, momentOf } from '../../../runtime/shards/fence';
import { FencedOwnership } from '../../../runtime/shards/fenced-ownership';

const time = { now: () => 0, elapsed: () => 1_000 };
const KEYS = ['', ...Array.from({ length: 40 }, (_, index) => `n${index}`)];
const view = (members: string[], split: string[] = []): View => ({ members, split });

function ownershipOf(snapshot: Partial<Snapshot>) {
  const fence = new Fence(time);
  fence.renew('own', momentOf(time));
  fence.renew('group', momentOf(time));
  const ownership = new FencedOwnership(fence);
  ownership.take({ member: 'a', epoch: 0, proofs: [], views: [], ...snapshot });
  return { fence, ownership, owned: () => KEYS.filter((key) => ownership.owns(key)) };
}

test('without a snapshot, a proof, a term or the epoch nothing is owned', () => {
  const proofs = [{ views: [view(['a'])], rivals: [] }];
  expect(new FencedOwnership(new Fence(time)).owns('')).toBe(false);
  expect(ownershipOf({}).owned()).toEqual([]);
  const { fence, owned } = ownershipOf({ proofs, views: [view(['a'])] });
  expect(owned()).toEqual(KEYS);
  fence.epoch = 1;
  expect(owned()).toEqual([]);
  fence.epoch = 0;
  fence.end('group');
  expect(owned()).toEqual([]);
});

test('what a rival claims is not owned; what another list proves is owned all the same', () => {
  const both = view(['a', 'b']);
  const rivals = [{ member: 'b', view: view(['b']) }];
  const first = ownershipOf({ proofs: [{ views: [both], rivals }], views: [both] });
  expect(first.owned()).toEqual([]);
  const second = ownershipOf({ proofs: [{ views: [both], rivals: [{ member: 'b', view: both }] }], views: [both] });
  const { owns } = assignmentOf(both, 'a');
  expect(second.owned()).toEqual(KEYS.filter(owns));
  expect(second.owned().length).toBeGreaterThan(8);
  const third = ownershipOf({ proofs: [{ views: [both], rivals }, { views: [both], rivals: [] }], views: [both] });
  expect(third.owned()).toEqual(second.owned());
});

test('a rival that is not understood claims everything', () => {
  expect(ownershipOf({ proofs: [{ views: [view(['a'])], rivals: [{ member: 'x' }] }], views: [view(['a'])] }).owned()).toEqual([]);
});

test('while a view is being written, only what both give is owned, and all that either gives is watched', () => {
  const views = [view(['a', 'b']), view(['a', 'c'])];
  const { ownership, owned } = ownershipOf({ proofs: [{ views, rivals: [] }], views, next: view(['a']) });
  const [one, other] = views.map((each) => assignmentOf(each, 'a'));
  expect(owned()).toEqual(KEYS.filter((key) => one!.owns(key) && other!.owns(key)));
  expect(KEYS.slice(1).every((key) => ownership.watches(key))).toBe(true);
});

describe('a namespace that is split', () => {
  const split = view(['a', 'b'], ['hot']);
  const trees = Array.from({ length: 20 }, (_, index) => treeKey('hot', `root-${index}`));

  test('its trees are shared, and all members watch it', () => {
    const [a, b] = ['a', 'b'].map((member) => assignmentOf(split, member));
    for (const tree of trees) expect([a!.owns(tree), b!.owns(tree)].filter(Boolean)).toHaveLength(1);
    expect(new Set(trees.map((tree) => a!.owns(tree))).size).toBe(2);
    expect([a!.watches('hot'), b!.watches('hot'), a!.isSplit('hot')]).toEqual([true, true, true]);
  });

  test('of one that is not split, all trees have its owner', () => {
    const [a] = [assignmentOf(view(['a', 'b']), 'a')];
    for (const tree of trees) expect(a.owns(tree)).toBe(a.owns(namespaceKey('hot')));
  });

  test('one that a rival splits is not owned as a whole', () => {
    const { ownership } = ownershipOf({ proofs: [{ views: [view(['a'])], rivals: [{ member: 'b', view: split }] }], views: [view(['a'])] });
    expect(ownership.owns('hot')).toBe(false);
    const b = assignmentOf(split, 'b');
    for (const tree of trees) expect(ownership.owns(tree)).toBe(!b.owns(tree));
  });

  test('a claim to a split namespace proves nothing about the whole of it', () => {
    const views = [view(['a'], ['hot']), view(['a'])];
    const { ownership } = ownershipOf({ proofs: [{ views, rivals: [] }], views: [view(['a'])] });
    expect([ownership.isSplit('hot'), ownership.owns('hot'), ownership.owns(trees[0]!)]).toEqual([false, false, true]);
  });
});
