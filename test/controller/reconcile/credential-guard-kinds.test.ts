import { claimed, guardEnvironment, guardEnvironmentWith, network, secret, withFinalizers } from './credential-guard-environment';
import { settled } from './fake-clock';
import type { FakeCluster } from './fake-cluster';
import { GROUPS, group, NETWORKS, SECRETS } from './harness';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, CREDENTIAL_FROM, OPERATOR_NAMESPACE } from '../../../src/azure/annotations';

const UNUSED_MS = 30_000;
/** Unused kinds are checked in intervals of up to 30 s. */
const CHECKED_MS = UNUSED_MS + 31_000;
const BOTH = ['ResourceGroup', 'VirtualNetwork'];
const keyOf = ({ group: apiGroup, kind }: ResourceType, name: string) => ({ group: apiGroup, kind, namespace: 'default', name });

async function remove(cluster: FakeCluster, type: ResourceType, name: string): Promise<void> {
  await cluster.patch(type, name, 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
  await cluster.delete(type, name, 'default');
  await settled();
}

function annotated(object: KubernetesObject, annotations: Record<string, string>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

describe('one write for the kinds of a namespace', () => {
  test('the write for the first object adds the kinds of all unclaimed objects', async () => {
    const { cluster, guard, kinds, patches, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(GROUPS, group('a'));
    await cluster.create(NETWORKS, network('n'));
    expect(patches()).toBe(0);
    await guard.hold(group('a'));
    expect(kinds()).toEqual(BOTH);
    await guard.hold(network('n'));
    await cluster.create(NETWORKS, withFinalizers(network('m')));
    await settled();
    expect(patches()).toBe(1);
  });

  test('a kind that is seen later is added before its first object is sent', async () => {
    const { cluster, guard, kinds, patches, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(GROUPS, group('a'));
    await guard.hold(group('a'));
    expect(kinds()).toEqual(['ResourceGroup']);
    await cluster.create(NETWORKS, network('n'));
    await guard.hold(network('n'));
    expect(kinds()).toEqual(BOTH);
    expect(patches()).toBe(2);
  });

  test('objects that are held together join one write', async () => {
    const { guard, kinds, patches, start } = await guardEnvironment(secret());
    await start();
    // The informers have seen neither of them.
    await Promise.all([guard.hold(group('a')), guard.hold(network('n')), guard.hold(network('m'))]);
    expect(kinds()).toEqual(BOTH);
    expect(patches()).toBeLessThanOrEqual(2);
  });

  test('objects with another credential, of another controller, and that are being deleted are left out', async () => {
    const { cluster, guard, kinds, start } = await guardEnvironment(secret(), secret('own'));
    await start();
    await cluster.create(NETWORKS, annotated(network('other'), { [CREDENTIAL_FROM]: 'own' }));
    await cluster.create(NETWORKS, annotated(network('foreign'), { [OPERATOR_NAMESPACE]: 'another' }));
    await cluster.create(NETWORKS, { ...network('going'), metadata: { ...network('going').metadata, finalizers: ['example.com/other'] } });
    await cluster.delete(NETWORKS, 'going', 'default');
    await guard.hold(group('a'));
    expect(kinds()).toEqual(['ResourceGroup']);
    expect(kinds('own')).toEqual([]);
  });

  test('a conflict is retried before the object is sent', async () => {
    const { cluster, guard, kinds, patches, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(NETWORKS, network('n'));
    const failures = [new KubernetesError(409, 'Conflict', 'changed')];
    cluster.before = (what) => {
      const failure = what === 'patch Secret' ? failures.shift() : undefined;
      if (failure) throw failure;
    };
    await guard.hold(group('a'));
    expect(failures).toEqual([]);
    expect(kinds()).toEqual(BOTH);
    expect(patches()).toBe(1);
  });

  test('unclaimed objects do not keep a Secret without users', async () => {
    const { cluster, guard, finalizers, kinds, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(NETWORKS, network('n'));
    await guard.hold(group('a'));
    expect(kinds()).toEqual(BOTH);
    guard.release(keyOf(GROUPS, 'a'));
    await settled();
    expect(kinds()).toEqual([]);
    expect(finalizers()).toEqual([]);
  });
});

describe('a kind without users goes', () => {
  test('half a minute later while other kinds keep the Secret', async () => {
    const { cluster, clock, kinds, patches, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(NETWORKS, withFinalizers(network('n')));
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    const before = patches();
    await remove(cluster, NETWORKS, 'n');
    await clock.advance(UNUSED_MS - 1);
    expect(kinds()).toEqual(BOTH);
    expect(patches()).toBe(before);
    await clock.advance(CHECKED_MS - UNUSED_MS + 1);
    expect(kinds()).toEqual(['ResourceGroup']);
    expect(patches()).toBe(before + 1);
  });

  test('with the last user of the Secret, in one write', async () => {
    const { cluster, finalizers, patches, start } = await guardEnvironment(secret());
    await start();
    await cluster.create(NETWORKS, withFinalizers(network('n')));
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    const before = patches();
    await remove(cluster, NETWORKS, 'n');
    await remove(cluster, GROUPS, 'a');
    expect(finalizers()).toEqual([]);
    expect(patches()).toBe(before + 1);
  });
});

test('the kind of an unclaimed object that another replica looks after now is not kept for it', async () => {
  const { cluster, clock, guard, kinds, start } = await guardEnvironment(secret());
  await start();
  await cluster.create(GROUPS, claimed('a'));
  await cluster.create(NETWORKS, network('n'));
  await guard.hold(claimed('a'));
  guard.release(keyOf(GROUPS, 'a'));
  await cluster.create(NETWORKS, withFinalizers(network('used')));
  await settled();
  expect(kinds()).toEqual(BOTH);
  // It leaves the caches without an event.
  const { listeners } = cluster;
  cluster.listeners = [];
  await remove(cluster, NETWORKS, 'n');
  cluster.listeners = listeners;
  guard.released(network('n'));
  await remove(cluster, NETWORKS, 'used');
  await clock.advance(CHECKED_MS);
  expect(kinds()).toEqual(['ResourceGroup']);
});

describe('in a split namespace', () => {
  async function split() {
    const namespaces = { split: true };
    const environment = await guardEnvironmentWith({ isSplit: (name) => name === 'default' && namespaces.split }, secret());
    await environment.start();
    return { ...environment, namespaces };
  }

  test('the finalizer goes half a minute after the last user, not before', async () => {
    const { cluster, clock, finalizers, kinds } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    await remove(cluster, GROUPS, 'a');
    await clock.advance(UNUSED_MS - 1);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    expect(kinds()).toEqual(['ResourceGroup']);
    await clock.advance(CHECKED_MS - UNUSED_MS + 1);
    expect(finalizers()).toEqual([]);
    expect(kinds()).toEqual([]);
  });

  test('an object that another replica may claim keeps it, and the half minute begins anew after it', async () => {
    const { cluster, clock, finalizers } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    await remove(cluster, GROUPS, 'a');
    await clock.advance(UNUSED_MS / 2);
    await cluster.create(GROUPS, group('b'));
    await clock.advance(10 * UNUSED_MS);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await remove(cluster, GROUPS, 'b');
    // The last check that has seen the object may be half a minute ago.
    await clock.advance(CHECKED_MS);
    expect(finalizers()).toEqual([]);
  });

  test('a user that comes meanwhile keeps it, and the half minute begins anew after it', async () => {
    const { cluster, clock, finalizers } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    await remove(cluster, GROUPS, 'a');
    await clock.advance(UNUSED_MS - 1_000);
    await cluster.create(GROUPS, claimed('b'));
    await settled();
    await remove(cluster, GROUPS, 'b');
    await clock.advance(UNUSED_MS - 1);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await clock.advance(CHECKED_MS);
    expect(finalizers()).toEqual([]);
  });

  test('the half minute begins anew also after a user that is gone as soon as it is released', async () => {
    const { cluster, clock, finalizers } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    await remove(cluster, GROUPS, 'a');
    await clock.advance(UNUSED_MS - 1_000);
    await cluster.create(GROUPS, claimed('b'));
    await settled();
    // No event shows the object without its finalizer.
    await cluster.delete(GROUPS, 'b', 'default');
    await cluster.patch(GROUPS, 'b', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await clock.advance(UNUSED_MS - 1);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await clock.advance(CHECKED_MS);
    expect(finalizers()).toEqual([]);
  });

  test('a kind that another replica has added stays while its object is not seen yet', async () => {
    const { cluster, clock, guard, kinds } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await guard.hold(network('n'));
    // This replica releases it, as if another one had written the kind.
    guard.release(keyOf(NETWORKS, 'n'));
    await clock.advance(UNUSED_MS - 1);
    expect(kinds()).toEqual(BOTH);
    await cluster.create(NETWORKS, withFinalizers(network('n')));
    await clock.advance(10 * UNUSED_MS);
    expect(kinds()).toEqual(BOTH);
  });

  test('a kind that another replica adds once more stays for another half minute', async () => {
    const { cluster, clock, finalizers, kinds } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    const added = cluster.objects.get('/Secret/default/aso-credential')!.metadata;
    await remove(cluster, GROUPS, 'a');
    await clock.advance(CHECKED_MS);
    expect(finalizers()).toEqual([]);
    await clock.advance(10 * UNUSED_MS);
    const { annotations, finalizers: again } = added;
    await cluster.patch(SECRETS, 'aso-credential', 'default', { metadata: { annotations, finalizers: again } }, 'application/merge-patch+json');
    await clock.advance(UNUSED_MS - 1);
    expect(kinds()).toEqual(['ResourceGroup']);
    await clock.advance(CHECKED_MS);
    expect(finalizers()).toEqual([]);
  });

  test('once the namespace is whole again a Secret without users is released at once', async () => {
    const { cluster, clock, guard, finalizers, namespaces } = await split();
    await cluster.create(GROUPS, claimed('a'));
    await settled();
    await remove(cluster, GROUPS, 'a');
    await clock.advance(5_000);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    namespaces.split = false;
    guard.shareChanged();
    await settled();
    expect(finalizers()).toEqual([]);
  });
});
