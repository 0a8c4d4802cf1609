import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import { fencedArmClient } from '../../../controller/reconcile/fence';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import { OwnerRoots } from '../../../controller/shards/owner-roots';
import { ofWholeNamespaces, ShardedWork } from '../../../controller/shards/sharded-work';
import type { ArmClient, ArmRequest } from '../../../engine/arm/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import { assignmentOf, type Assignment } from '../../../runtime/shards';
import { type ObjectId, objectIdOf } from '../../../src/object-id';
import { FakeClock, settled } from '../reconcile/fake-clock';
import { FakeCluster } from '../reconcile/fake-cluster';
import { GROUPS, NETWORKS, SUBNETS } from '../reconcile/harness';

const object = (type: { group: string; version: string; kind: string }, name: string, owner?: string): KubernetesObject => ({
  apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name, namespace: 'hot' }, spec: owner ? { owner: { name: owner } } : {},
});
const view = { members: ['a', 'b', 'c'], split: ['hot'] };

/** Replicas of one view, with one cache that all of them see. */
class Replicas {
  public readonly clock = new FakeClock();
  public readonly stored = new FakeCluster();
  /** `replica: name`, in the order of reconciles. */
  public readonly reconciled: string[] = [];
  public readonly works = new Map<string, ShardedWork>();

  public constructor(names: readonly string[] = view.members) {
    const { clock, stored } = this;
    const controllers = names.map((name) => {
      const given: Assignment = assignmentOf(view, name);
      const roots = new OwnerRoots({ clock, isSplit: (namespace) => given.isSplit(namespace) });
      const work = new ShardedWork({ ownership: given, clock, operatorNamespace: 'aso', roots });
      const cluster = new Cluster();
      for (const type of [GROUPS, NETWORKS, SUBNETS]) cluster.add(stored.watch(type));
      const reconciler = {
        reconcile: async (key: ObjectId) => void this.reconciled.push(`${name}: ${key.name}`),
        lookAgain: () => undefined,
        onLockGranted: () => undefined,
        onLost: () => undefined,
        wasDeleted: () => undefined,
        forget: () => undefined,
        observeInitial: () => undefined,
      } as unknown as Reconciler;
      const controller = new Controller({ cluster, reconciler, dependencies: new Dependencies(), clock, share: work.share });
      roots.connect({ cluster, client: stored, onChange: () => controller.shareChanged() });
      work.connect({ namespaces: ['hot'], setFilter: () => undefined, covered: async () => true }, [controller]);
      this.works.set(name, work);
      return { controller, roots };
    });
    stored.listeners = [(_, event) => controllers.forEach(({ controller, roots }) => {
      roots.handle(event);
      controller.handle(event);
    })];
    controllers.forEach(({ controller }) => controller.start());
  }

  public ownersOf(each: KubernetesObject): string[] {
    return [...this.works].filter(([, { objects }]) => objects.owns(objectIdOf(each))).map(([name]) => name);
  }

  public async create(type: typeof GROUPS, name: string, owner?: string): Promise<KubernetesObject> {
    const created = await this.stored.create(type, object(type, name, owner));
    await settled();
    return created;
  }
}

test('each tree is reconciled by one replica, and each replica has some', async () => {
  const replicas = new Replicas();
  for (let index = 0; index < 12; index += 1) {
    await replicas.create(GROUPS, `g${index}`);
    await replicas.create(NETWORKS, `n${index}`, `g${index}`);
  }
  const ownerOf = new Map(replicas.reconciled.map((text) => [text.split(': ')[1], text.split(': ')[0]]));
  expect([ownerOf.size, replicas.reconciled.length]).toEqual([24, 24]);
  for (let index = 0; index < 12; index += 1) expect(ownerOf.get(`n${index}`)).toBe(ownerOf.get(`g${index}`));
  expect(new Set(ownerOf.values()).size).toBe(3);
});

test('an object whose owner appears is released by the one replica, and taken on by the other 5 s later', async () => {
  const replicas = new Replicas();
  const names = Array.from({ length: 8 }, (_, index) => index);
  const subnets = await Promise.all(names.map((index) => replicas.create(SUBNETS, `s${index}`, `n${index}`)));
  await replicas.clock.advance(6_000);
  const before = subnets.map((subnet) => replicas.ownersOf(subnet));
  expect(before.every(({ length }) => length === 1)).toBe(true);
  for (const index of names) await replicas.create(NETWORKS, `n${index}`, `g${index}`);
  await replicas.clock.advance(4_900);
  // The one that has lost an object, and the one that has got it, both leave it alone.
  subnets.forEach((subnet) => expect(replicas.ownersOf(subnet)).toEqual([]));
  replicas.reconciled.length = 0;
  await replicas.clock.advance(1_500);
  const after = subnets.map((subnet) => replicas.ownersOf(subnet));
  expect(after.every(({ length }) => length === 1)).toBe(true);
  expect(after).not.toEqual(before);
  names.forEach((index) => expect(replicas.ownersOf(object(NETWORKS, `n${index}`))).toEqual(after[index]));
  for (const index of names) {
    if (after[index]![0] !== before[index]![0]) expect(replicas.reconciled).toContain(`${after[index]![0]}: s${index}`);
  }
});

test('what concerns the namespace as a whole is for the owner of its key', () => {
  const replicas = new Replicas();
  const identity = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', namespace: 'hot', name: 'x' };
  const owners = view.members.filter((name) => assignmentOf(view, name).owns('hot'));
  expect(owners).toHaveLength(1);
  const may = [...replicas.works].filter(([, { ofNamespaces }]) => ofNamespaces.share.owns(identity)).map(([name]) => name);
  expect(may).toEqual(owners);
  for (const [name, { ofNamespaces }] of replicas.works) {
    if (name === owners[0]) expect(() => ofNamespaces.fence(identity)).not.toThrow();
    else expect(() => ofNamespaces.fence(identity)).toThrow(OwnershipLostError);
  }
  const concerned: string[] = [];
  const asked = ofWholeNamespaces({
    ended: async (concerns) => void concerns(identity), abort: (concerns) => void concerns(identity), shareChanged: () => undefined,
  });
  void asked.ended(({ kind, name }) => concerned.push(`${kind}/${name}`) > 0);
  expect(concerned).toEqual(['Namespace/hot']);
});

// The confirmation is a request: meanwhile a term may end, and another replica may take the object over.
test.each([['PUT', 1], ['PATCH', 1], ['POST', 1], ['DELETE', 1], ['GET', 0], ['HEAD', 0]] as const)(
  'a %s whose object is lost while it is confirmed is not sent', async (method, confirmations) => {
    const key = objectIdOf(object(GROUPS, 'g'));
    const sent: string[] = [];
    const inner: ArmClient = {
      subscriptionId: 's',
      endpoint: 'https://arm',
      send: async ({ beforeSending, ...request }: ArmRequest) => {
        await beforeSending?.();
        sent.push(request.method);
        return { status: 200, headers: {} };
      },
    };
    let isOwned = true;
    let confirmed = 0;
    const fence = Object.assign(() => {
      if (!isOwned) throw new OwnershipLostError('ResourceGroup hot/g');
    }, {
      confirm: async () => {
        confirmed += 1;
        await Promise.resolve();
        isOwned = false;
      },
    });
    const send = () => fencedArmClient(inner, fence, key).send({ method, url: '/x' });
    if (confirmations > 0) await expect(send()).rejects.toThrow(OwnershipLostError);
    else await send();
    expect([confirmed, sent]).toEqual([confirmations, confirmations > 0 ? [] : [method]]);
    isOwned = false;
    await expect(send()).rejects.toThrow(OwnershipLostError);
    expect(sent).toHaveLength(1 - confirmations);
  },
);

test('a write to Azure is confirmed by reads, just before it is sent; a read is not', async () => {
  const replicas = new Replicas(['a']);
  const group = await replicas.create(GROUPS, 'g');
  const work = replicas.works.get('a')!;
  const isOwned = work.objects.owns(objectIdOf(group));
  const sent: string[] = [];
  const inner: ArmClient = {
    subscriptionId: 's',
    endpoint: 'https://arm',
    send: async ({ method, beforeSending }: ArmRequest) => {
      await beforeSending?.();
      sent.push(method);
      return { status: 200, headers: {} };
    },
  };
  const client = fencedArmClient(inner, Object.assign(() => undefined, { confirm: work.fence.confirm! }), objectIdOf(group));
  await client.send({ method: 'PUT', url: '/x' });
  await replicas.stored.delete(GROUPS, 'g', 'hot');
  await client.send({ method: 'GET', url: '/x' });
  await expect(client.send({ method: 'DELETE', url: '/x' })).rejects.toThrow(OwnershipLostError);
  expect([sent, typeof isOwned]).toEqual([['PUT', 'GET'], 'boolean']);
});
