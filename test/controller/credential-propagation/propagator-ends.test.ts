import { TARGET, uuid, environment, TestEnvironment } from './environment';
import { SERVICE_ACCOUNTS } from '../../../controller/credential-propagation/service-accounts';
import { KubernetesError, type KubernetesObject, type ObjectMeta } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, MANAGED_BY_NAME, MANAGED_BY_NAMESPACE, WORKLOAD_CLIENT_ID } from '../../../src/azure/annotations';
import { settled } from '../reconcile/fake-clock';
import { IDENTITIES } from '../reconcile/harness';

describe('taking back', () => {
  async function propagated(): Promise<TestEnvironment> {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SERVICE_ACCOUNTS, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'app', namespace: 'team-a', annotations: { own: 'x' } },
    });
    await w.identity('team-a', `${TARGET},ConfigMap/team-a/ids,ServiceAccount/team-a/app`, 1);
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations).toMatchObject({ own: 'x', [WORKLOAD_CLIENT_ID]: uuid(1) });
    return w;
  }
  const ways: [string, (w: TestEnvironment) => Promise<void>][] = [
    ['the giver takes its consent back', (w) => w.annotate('team-a', null)],
    ['the receiver takes its consent back', (w) => w.accept('team-a', null)],
    ['the identity is gone', (w) => w.gone('team-a')],
  ];

  test.each(ways)('%s: everything that nobody uses goes', async (_, end) => {
    const w = await propagated();
    await end(w);
    expect(w.find('Secret')).toBeUndefined();
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
    expect(w.find('ServiceAccount', 'app')?.metadata).toMatchObject({ annotations: { own: 'x' }, labels: {} });
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations).toEqual({ own: 'x' });
  });

  test.each(ways)('%s: a credential stays, as it is, until the last object that uses it is gone', async (_, end) => {
    const w = await propagated();
    await w.user('one');
    await w.user('two');
    await end(w);
    await w.userGone('one');
    expect(w.clientId).toBe(uuid(1));
    expect(w.find('Secret')?.metadata.deletionTimestamp).toBeUndefined();
    expect(w.eventsOf('CredentialKept')).toEqual([expect.stringContaining('stays until no object of its namespace uses it')]);
    await w.userGone('two');
    expect(w.find('Secret')).toBeUndefined();
  });

  // Another writer is faster than the deletion, which was decided by what was there before.
  const hands: [string, (object: KubernetesObject) => KubernetesObject][] = [
    ['another identity has it now', (object) => changed(object, { labels: { [MANAGED_BY_NAMESPACE]: 'platform', [MANAGED_BY_NAME]: 'other' } })],
    ['nothing marks it any more', (object) => changed(object, { labels: {} })],
    ['it was made anew', (object) => changed(object, { uid: 'uid-of-the-new-one', labels: {} })],
  ];
  const changed = (object: KubernetesObject, metadata: Partial<ObjectMeta>): KubernetesObject => ({
    ...object, metadata: { ...object.metadata, ...metadata, resourceVersion: 'of-another-writer' },
  });

  test.each([['Secret', 'aso-credential'], ['ConfigMap', 'ids'], ['ServiceAccount', 'app']].flatMap(([kind = '', name = '']) => (
    hands.map(([what, change]) => [kind, name, what, change] as const)
  )))('%s %s: %s, just before it would be taken back', async (kind, name, _, change) => {
    const w = await propagated();
    let isChanged = false;
    w.cluster.before = (what) => {
      if (isChanged || what !== `${kind === 'ServiceAccount' ? 'patch' : 'delete'} ${kind}`) return;
      isChanged = true;
      w.cluster.objects.set(`/${kind}/team-a/${name}`, change(w.find(kind, name)!));
    };
    await w.annotate('team-a', null);
    await w.clock.advance(120_000);
    expect(isChanged).toBe(true);
    expect(w.find(kind, name)?.metadata).toMatchObject({ resourceVersion: 'of-another-writer' });
    expect(w.find(kind, name)?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('a Secret that is protected just before it would be taken back is not marked for deletion', async () => {
    const w = await propagated();
    let isChanged = false;
    w.cluster.before = (what) => {
      if (isChanged || what !== 'delete Secret') return;
      isChanged = true;
      w.cluster.objects.set('/Secret/team-a/aso-credential', changed(w.find('Secret')!, { finalizers: [CREDENTIAL_FINALIZER] }));
      // The object that uses it from now on.
      void w.user('one');
    };
    await w.annotate('team-a', null);
    await w.clock.advance(120_000);
    expect(isChanged).toBe(true);
    expect(w.find('Secret')?.metadata.deletionTimestamp).toBeUndefined();
    expect(w.clientId).toBe(uuid(1));
  });

  test('an identity that is being deleted still propagates: its resource may be there for long', async () => {
    const w = await propagated();
    await w.cluster.delete(IDENTITIES, 'team-a', 'platform');
    await settled();
    expect(w.find('Secret')).toBeDefined();
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
  });

  test.each(ways.slice(0, 1).concat([['the identity is gone', (w: TestEnvironment) => w.gone('team-a')]]))(
    '%s while no controller runs',
    async (_, end) => {
      const w = await propagated();
      await w.propagator.drain();
      w.cluster.listeners = [];
      await end(w);
      expect(w.find('Secret')).toBeDefined();
      await w.start();
      expect(w.find('Secret')).toBeUndefined();
      expect(w.find('ConfigMap', 'ids')).toBeUndefined();
    },
  );

  test('nothing is taken back as long as identities, or what uses the credential, are not all listed', async () => {
    const w = await propagated();
    await w.propagator.drain();
    w.cluster.listeners = [];
    await w.gone('team-a');
    w.types.UserAssignedIdentity!.hasSynced = false;
    await w.start();
    await w.clock.advance(10_000);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    w.types.UserAssignedIdentity!.hasSynced = true;
    w.types.ResourceGroup!.hasSynced = false;
    await w.clock.advance(10_000);
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
    expect(w.find('Secret')).toBeDefined();
    w.types.ResourceGroup!.hasSynced = true;
    await w.clock.advance(10_000);
    expect(w.find('Secret')).toBeUndefined();
  });

  test('a cluster that stops to serve the kind of identities takes nothing with it', async () => {
    const w = await propagated();
    const identity = w.cluster.objects.get('managedidentity.azure.com/UserAssignedIdentity/platform/team-a')!;
    w.propagator.handle({ type: 'DELETED', object: identity, previous: identity });
    w.known.remove(IDENTITIES);
    await settled();
    expect(w.find('Secret')).toBeDefined();
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
  });

  test('identities of namespaces that are not watched are not taken for gone', async () => {
    const first = await propagated();
    const w = new TestEnvironment({ targetNamespaces: ['team-a'] });
    for (const name of ['aso-credential']) w.cluster.objects.set(`/Secret/team-a/${name}`, first.find('Secret', name)!);
    await w.start();
    expect(w.find('Secret')).toBeDefined();
  });
});

describe('without rights', () => {
  test.each(['create Secret', 'delete Secret'])('%s is refused: reported once, tried again, and no other target waits', async (verb) => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    let denied = true;
    w.cluster.before = (what) => {
      if (denied && what === verb) throw new KubernetesError(403, 'Forbidden', 'secrets is forbidden: User "aso" cannot do that');
    };
    await w.identity('team-a', `${TARGET},ConfigMap/team-a/ids`, 1);
    if (verb === 'delete Secret') await w.annotate('team-a', 'ConfigMap/team-a/ids');
    await w.clock.advance(300_000);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([
      expect.stringContaining('cannot do that; give it the rights for credential propagation'),
    ]);
    denied = false;
    await w.clock.advance(120_000);
    expect(w.find('Secret') !== undefined).toBe(verb === 'create Secret');
  });

  test('service accounts that may not be read: reported, and written when they may', async () => {
    const w = await environment();
    w.forbidden = true;
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-a' } });
    await w.identity('team-a', `${TARGET},ServiceAccount/team-a/app`, 1);
    expect(w.clientId).toBe(uuid(1));
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([expect.stringContaining('may not list service accounts; give it the rights')]);
    w.forbidden = false;
    await w.accountsChanged();
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations?.[WORKLOAD_CLIENT_ID]).toBe(uuid(1));
  });

  test('a namespace that ends in the middle is waited for', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    w.cluster.before = (what) => {
      if (what === 'create Secret') {
        throw new KubernetesError(403, 'Forbidden', 'unable to create new content in namespace team-a because it is being terminated');
      }
    };
    await w.identity('team-a', TARGET, 1);
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([]);
    expect(w.eventsOf('CredentialPropagationWaiting')).toEqual([`${TARGET} waits: namespace team-a is not there, or is being deleted`]);
  });

  test('a refused target is reported again after half an hour, when a reconcile of the identity ends', async () => {
    const w = await environment();
    await w.namespace('team-a');
    await w.identity('team-a', TARGET, 1);
    const key = { group: IDENTITIES.group, kind: IDENTITIES.kind, namespace: 'platform', name: 'team-a' };
    for (const expected of [1, 1, 2]) {
      w.propagator.check(key);
      await settled();
      expect(w.eventsOf('CredentialPropagationRefused')).toHaveLength(expected);
      await w.clock.advance(20 * 60_000);
    }
  });
});
