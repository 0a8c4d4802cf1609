import fc from 'fast-check';
import { Cluster } from '../../../controller/reconcile/cluster';
import { findRoot } from '../../../controller/shards/find-root';
import { OwnerRoots } from '../../../controller/shards/owner-roots';
import { unknownState } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import { type ObjectId, objectIdOf } from '../../../src/object-id';
import { FakeClock } from '../reconcile/fake-clock';
import { FakeCluster } from '../reconcile/fake-cluster';
import { GROUPS, NETWORKS, ROLES, SUBNETS } from '../reconcile/harness';

const GROUP: KubernetesObject = {
  apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'g', namespace: 'hot' }, spec: {},
};
const network = (owner = 'g'): KubernetesObject => ({
  apiVersion: 'network.azure.com/v1api20201101', kind: 'VirtualNetwork', metadata: { name: 'n', namespace: 'hot' }, spec: { owner: { name: owner } },
});
const SUBNET: KubernetesObject = {
  apiVersion: 'network.azure.com/v1api20201101',
  kind: 'VirtualNetworksSubnet',
  metadata: { name: 's', namespace: 'hot' },
  spec: { owner: { name: 'n' } },
};
const [OF_GROUP, OF_NETWORK] = ['ResourceGroup.resources.azure.com/g', 'VirtualNetwork.network.azure.com/n'];
const subnet = objectIdOf(SUBNET);
const role = (name: string, owner?: string): KubernetesObject => ({
  apiVersion: 'authorization.azure.com/v1api20220401',
  kind: 'RoleAssignment',
  metadata: { name, namespace: 'hot' },
  spec: owner === undefined ? {} : { owner: { group: ROLES.group, kind: ROLES.kind, name: owner } },
});

class Environment {
  public readonly clock = new FakeClock();
  public readonly api = new FakeCluster();
  /** The caches of the replica. */
  public readonly cached = new FakeCluster();
  public readonly looks: number[] = [];
  public isSplit = true;
  public notListed: string | undefined;
  public reads: string[] = [];
  public onRead: () => Promise<void>;
  public readonly roots = new OwnerRoots({ clock: this.clock, isSplit: () => this.isSplit });

  public constructor() {
    this.onRead = async () => undefined;
    const cluster = new Cluster({ whyNotWatched: (group, kind) => unknownState({ group, kind }, 'left out', 'KindNotWatched') });
    for (const type of [GROUPS, NETWORKS, SUBNETS, ROLES]) cluster.add(this.cached.watch(type));
    const began = this.clock.now();
    const { api, clock, looks, roots } = this;
    const stateOf: Cluster['stateOf'] = (group, kind, namespace) => (
      kind === this.notListed ? unknownState({ group, kind }, 'not listed', 'CacheNotSynced') : cluster.stateOf(group, kind, namespace)
    );
    roots.connect({
      cluster: { typeOf: (...of) => cluster.typeOf(...of), stateOf, lastSeen: (key) => cluster.lastSeen(key) },
      client: {
        get: async (type, name, namespace) => {
          this.reads.push(`${type.kind}/${name}`);
          await this.onRead();
          return api.get(type, name, namespace);
        },
      },
      onChange: () => void looks.push(clock.now() - began),
    });
    this.cached.listeners = [(_, event) => roots.handle(event)];
  }

  public async has(...objects: KubernetesObject[]): Promise<void> {
    for (const each of objects) {
      const type = [GROUPS, NETWORKS, SUBNETS, ROLES].find(({ kind }) => kind === each.kind)!;
      const stored = await this.api.create(type, each);
      await this.cached.create(type, stored);
      const isSame = ({ kind, metadata }: KubernetesObject) => kind === each.kind && metadata.name === each.metadata.name;
      const found = [...this.cached.objects.entries()].find(([, other]) => isSame(other))!;
      this.cached.objects.set(found[0], { ...found[1], metadata: { ...found[1].metadata, uid: stored.metadata.uid! } });
    }
  }
}

test('an object that the cache does not have has no root; its owner need not be there', async () => {
  const { roots, cached } = new Environment();
  expect(roots.rootOf(subnet)).toBeUndefined();
  await cached.create(SUBNETS, SUBNET);
  expect(roots.rootOf(subnet)).toBe(OF_NETWORK);
  await cached.create(NETWORKS, network());
  expect(roots.rootOf(subnet)).toBe(OF_GROUP);
});

test('while the list of the owner\'s kind is not complete, the root is not known', async () => {
  const environment = new Environment();
  await environment.cached.create(SUBNETS, SUBNET);
  environment.notListed = 'VirtualNetwork';
  expect([environment.roots.rootOf(subnet), environment.roots.isSettled(subnet)]).toEqual([undefined, false]);
});

test('an object that was edited before it is seen for the first time is left alone: its own owner may have been another one', async () => {
  const { roots, clock, cached } = new Environment();
  const [created, edited] = [network(), { ...network(), metadata: { name: 'm', namespace: 'hot' } }];
  await cached.create(NETWORKS, created);
  expect(roots.isSettled(objectIdOf(created))).toBe(true);
  await cached.create(NETWORKS, edited);
  await cached.edit(NETWORKS, 'hot', 'm', { tags: { a: 'b' } });
  expect(roots.isSettled(objectIdOf(edited))).toBe(false);
  await clock.advance(5_000);
  expect(roots.isSettled(objectIdOf(edited))).toBe(true);
});

test('a wall clock that jumps makes no wait shorter', async () => {
  const clock = new FakeClock();
  const cached = new FakeCluster();
  const cluster = new Cluster();
  for (const type of [GROUPS, NETWORKS, SUBNETS]) cluster.add(cached.watch(type));
  let elapsed = 0;
  const roots = new OwnerRoots({ clock, elapsed: () => elapsed, isSplit: () => true });
  roots.connect({ cluster, client: cached, onChange: () => undefined });
  await cached.create(SUBNETS, SUBNET);
  expect(roots.isSettled(subnet)).toBe(false);
  await clock.advance(60_000);
  expect(roots.isSettled(subnet)).toBe(false);
  elapsed += 5_000;
  expect(roots.isSettled(subnet)).toBe(true);
  roots.stop();
});

test('an object that comes into another tree is left alone for 5 s, and looked at then', async () => {
  const { roots, clock, cached, looks } = new Environment();
  await cached.create(SUBNETS, SUBNET);
  expect(roots.isSettled(subnet)).toBe(false);
  await clock.advance(4_000);
  await cached.create(NETWORKS, network());
  expect(roots.rootOf(subnet)).toBe(OF_GROUP);
  await clock.advance(4_999);
  expect(roots.isSettled(subnet)).toBe(false);
  await clock.advance(1);
  expect(roots.isSettled(subnet)).toBe(true);
  expect(looks.at(-1)).toBe(9_000);
  await clock.advance(60_000);
  // No timer goes on without a reason.
  expect(looks.at(-1)).toBe(9_000);
  expect(looks.length).toBeLessThan(12);
});

test('what lies directly below a resource group does not wait; when its owner changes it does', async () => {
  const { roots, clock, cached } = new Environment();
  await cached.create(NETWORKS, network());
  expect(roots.isSettled(objectIdOf(network()))).toBe(true);
  await cached.replace(NETWORKS, { ...network('other'), metadata: [...cached.objects.values()][0]!.metadata });
  expect(roots.isSettled(objectIdOf(network()))).toBe(false);
  await clock.advance(5_000);
  expect(roots.isSettled(objectIdOf(network()))).toBe(true);
});

describe('a confirmation', () => {
  test('reads the object and its owners, and compares', async () => {
    const environment = new Environment();
    await environment.has(GROUP, network(), SUBNET);
    await expect(environment.roots.confirm(subnet)).resolves.toBeUndefined();
    expect(environment.reads).toEqual(['VirtualNetworksSubnet/s', 'VirtualNetwork/n']);
  });

  test.each<[string, (environment: Environment) => Promise<unknown>]>([
    ['the owner has another owner by now', async ({ api }) => (
      api.replace(NETWORKS, { ...network('other'), metadata: (await api.get(NETWORKS, 'n', 'hot'))!.metadata })
    )],
    ['the owner is gone by now', ({ api }) => api.delete(NETWORKS, 'n', 'hot')],
    ['the object is gone by now', ({ api }) => api.delete(SUBNETS, 's', 'hot')],
    ['another object has its name', async ({ api }) => {
      await api.delete(SUBNETS, 's', 'hot');
      await api.create(SUBNETS, SUBNET);
    }],
    ['the cache has not seen the owner', ({ cached }) => cached.delete(NETWORKS, 'n', 'hot')],
    ['the reads take more than 2 s', async (environment) => {
      environment.onRead = () => environment.clock.advance(1_001);
    }],
    ['the API server does not answer', async (environment) => {
      environment.onRead = async () => Promise.reject(new Error('no answer'));
    }],
  ])('fails: %s', async (_, act) => {
    const environment = new Environment();
    await environment.has(GROUP, network(), SUBNET);
    await act(environment);
    await expect(environment.roots.confirm(subnet)).rejects.toThrow(OwnershipLostError);
  });

  test('reads nothing where the namespace is not split', async () => {
    const environment = new Environment();
    environment.isSplit = false;
    await environment.roots.confirm(subnet);
    expect(environment.reads).toEqual([]);
  });
});

test('drawn forests: in whatever order objects arrive and change owners, the roots are those of the specs in the end', async () => {
  const step = fc.record({ name: fc.nat(6), owner: fc.option(fc.nat(7), { nil: undefined }), isGone: fc.boolean() });
  const steps = fc.array(step, { maxLength: 30 });
  await fc.assert(fc.asyncProperty(steps, async (all) => {
    const { roots, cached, clock } = new Environment();
    for (const { name, owner, isGone } of all) {
      const object = role(`o${name}`, owner === undefined ? undefined : `o${owner}`);
      const stored = await cached.get(ROLES, `o${name}`, 'hot');
      if (stored && isGone) await cached.delete(ROLES, `o${name}`, 'hot');
      else if (stored) await cached.replace(ROLES, { ...object, metadata: stored.metadata });
      else await cached.create(ROLES, object);
      for (const each of cached.objects.values()) roots.isSettled(objectIdOf(each));
    }
    await clock.advance(6_000);
    const find = ({ name }: ObjectId) => [...cached.objects.values()].find(({ metadata }) => metadata.name === name);
    for (const each of cached.objects.values()) {
      expect(roots.rootOf(objectIdOf(each))).toBe(findRoot(objectIdOf(each), find)!.root);
      expect(roots.isSettled(objectIdOf(each))).toBe(true);
    }
  }), { numRuns: 40 });
});
