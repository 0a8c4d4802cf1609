import fc from 'fast-check';
import { findRoot } from '../../../controller/shards/find-root';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { ObjectId } from '../../../src/object-id';

const ROLES = { group: 'authorization.azure.com', kind: 'RoleAssignment' };
const key = (name: string, { group, kind } = ROLES): ObjectId => ({ group, kind, namespace: 'hot', name });
/** A role assignment: its kind takes objects of any kind as owners, so that chains may have any length. */
const role = (name: string, owner?: object): KubernetesObject => ({
  apiVersion: 'authorization.azure.com/v1api20220401', kind: 'RoleAssignment', metadata: { name, namespace: 'hot' }, spec: owner ? { owner } : {},
});
const ownedBy = (name: string) => ({ ...ROLES, name });
const findIn = (objects: readonly KubernetesObject[]) => {
  const all = new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  return ({ kind, name }: ObjectId) => all.get(`${kind}/${name}`);
};
const network: KubernetesObject = {
  apiVersion: 'network.azure.com/v1api20201101', kind: 'VirtualNetwork', metadata: { name: 'n', namespace: 'hot' }, spec: { owner: { name: 'g' } },
};
const NETWORK = key('n', { group: 'network.azure.com', kind: 'VirtualNetwork' });

test.each<[string, KubernetesObject[], ObjectId, object]>([
  ['no owner', [role('a')], key('a'), { root: 'RoleAssignment.authorization.azure.com/a', isOwn: true }],
  ['an owner that has none', [role('a', ownedBy('b')), role('b')], key('a'), { root: 'RoleAssignment.authorization.azure.com/b', isOwn: false }],
  ['an owner that is absent', [role('a', ownedBy('b'))], key('a'), { root: 'RoleAssignment.authorization.azure.com/b', isOwn: false }],
  ['a resource group, absent or not', [network], NETWORK, { root: 'ResourceGroup.resources.azure.com/g', isOwn: true }],
  ['a chain to a resource group', [role('a', { group: NETWORK.group, kind: NETWORK.kind, name: 'n' }), network], key('a'), {
    root: 'ResourceGroup.resources.azure.com/g', isOwn: false,
  }],
  ['an ARM id', [role('a', { armId: '/Subscriptions/S/x' })], key('a'), { root: 'arm:/subscriptions/s/x', isOwn: true }],
  ['an owner by ARM id', [role('a', ownedBy('b')), role('b', { armId: '/x' })], key('a'), { root: 'arm:/x', isOwn: false }],
  ['an owner that cannot be understood', [role('a', { name: 'b' })], key('a'), { root: 'RoleAssignment.authorization.azure.com/a', isOwn: true }],
  ['itself', [role('a', ownedBy('a'))], key('a'), { root: 'RoleAssignment.authorization.azure.com/a', isOwn: false }],
])('%s', (_, objects, object, root) => {
  expect(findRoot(object, findIn(objects))).toEqual(root);
});

test('an owner of which it is not known whether it exists: the root is not known', () => {
  const find = findIn([role('a', ownedBy('b'))]);
  expect(findRoot(key('a'), (each) => find(each) ?? 'unknown')).toBeUndefined();
});

test('a root has at most 512 characters', () => {
  const long = 'x'.repeat(2_000);
  expect(findRoot(key('a'), findIn([role('a', ownedBy(long))]))!.root).toHaveLength(512);
  expect(findRoot(key('a'), findIn([role('a', { armId: `/${long}` })]))!.root).toHaveLength(512);
});

/** Objects with an owner among themselves, with an absent one, or with none; cycles are possible. */
const graphs = fc.array(fc.option(fc.nat(13), { nil: undefined }), { minLength: 1, maxLength: 12 }).map((owners) => (
  owners.map((owner, index) => role(`o${index}`, owner === undefined ? undefined : ownedBy(`o${owner}`)))
));

test('drawn graphs: an object and its owner have one root, in whatever order they are kept', () => {
  fc.assert(fc.property(graphs, fc.infiniteStream(fc.nat()), (objects, random) => {
    const shuffled = [...objects].sort(() => (random.next().value % 2 === 0 ? 1 : -1));
    const [find, findShuffled] = [findIn(objects), findIn(shuffled)];
    for (const object of objects) {
      const own = findRoot(key(object.metadata.name), find);
      const { owner } = (object.spec ?? {}) as { owner?: { name: string } };
      const above = owner && findRoot(key(owner.name), find);
      if (above) expect(own!.root).toBe(above.root);
      expect(findRoot(key(object.metadata.name), findShuffled)).toEqual(own);
    }
  }));
});

test('a chain that is too long ends, in every replica at the same name', () => {
  const chain = Array.from({ length: 40 }, (_, index) => role(`o${index + 10}`, ownedBy(`o${index + 11}`)));
  expect(findRoot(key('o10'), findIn(chain))).toEqual({ root: 'RoleAssignment.authorization.azure.com/o10', isOwn: false });
  expect(findRoot(key('o20'), findIn([...chain].reverse()))).toEqual({ root: 'RoleAssignment.authorization.azure.com/o20', isOwn: false });
});
