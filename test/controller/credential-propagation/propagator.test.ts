import { TARGET, uuid, environment, TestEnvironment } from './environment';
import { SERVICE_ACCOUNTS } from '../../../controller/credential-propagation/service-accounts';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { MANAGED_BY_NAME, OPERATOR_NAMESPACE, WORKLOAD_CLIENT_ID } from '../../../src/azure/annotations';
import { settled } from '../reconcile/fake-clock';
import { IDENTITIES, SECRETS } from '../reconcile/harness';

describe('when', () => {
  const steps = {
    namespace: (w: TestEnvironment) => w.namespace('team-a', 'platform/team-a'),
    identity: (w: TestEnvironment) => w.identity('team-a', TARGET),
  };

  test.each([
    ['namespace', 'identity'],
    ['identity', 'namespace'],
  ] as const)('%s first, %s then: written once Azure has given all the ids', async (first, second) => {
    const w = await environment();
    await steps[first](w);
    await steps[second](w);
    expect(w.writes).toEqual([]);
    await w.made('team-a', 1);
    expect(w.clientId).toBe(uuid(1));
    expect(w.writes).toEqual(['create Secret/aso-credential']);
    expect(w.eventsOf('CredentialPropagated')).toEqual([expect.stringContaining(TARGET)]);
    expect(w.propagator.states).toEqual([{ kind: 'Secret', state: 'propagated' }]);
  });

  test('a namespace that comes after the identity is Ready gets the ids by its event', async () => {
    const w = await environment();
    await w.identity('team-a', TARGET, 1);
    expect(w.eventsOf('CredentialPropagationWaiting')).toEqual([`${TARGET} waits: namespace team-a does not exist yet`]);
    await w.namespace('team-a', 'platform');
    expect(w.clientId).toBe(uuid(1));
  });

  test('consent that comes later, on either side', async () => {
    const w = await environment();
    await w.namespace('team-a');
    await w.identity('team-a', undefined, 1);
    await w.annotate('team-a', TARGET);
    expect(w.find('Secret')).toBeUndefined();
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([
      expect.stringContaining('annotates it with aso.cdk8s.io/accepts-credentials-from: "platform/team-a"'),
    ]);
    await w.accept('team-a', 'platform/team-a');
    expect(w.clientId).toBe(uuid(1));

    const other = await environment();
    await other.namespace('team-a', 'platform');
    await other.identity('team-a', undefined, 1);
    expect(other.find('Secret')).toBeUndefined();
    expect(other.events).toEqual([]);
    await other.annotate('team-a', TARGET);
    expect(other.clientId).toBe(uuid(1));
  });

  test('an identity that was replaced: its new client id, and nothing in between', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', TARGET, 1);
    await w.user('app');
    await w.gone('team-a');
    await w.identity('team-a', TARGET);
    expect(w.clientId).toBe(uuid(1));
    await w.made('team-a', 2);
    expect(w.clientId).toBe(uuid(2));
    expect(w.writes).toEqual(['create Secret/aso-credential', 'replace Secret/aso-credential']);
  });

  test('what somebody has changed or deleted is put right', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', TARGET, 1);
    await w.cluster.replace(SECRETS, { ...w.find('Secret')!, data: { AZURE_CLIENT_ID: 'eA==' } });
    await settled();
    expect(w.clientId).toBe(uuid(1));
    await w.cluster.delete(SECRETS, 'aso-credential', 'team-a');
    await settled();
    expect(w.clientId).toBe(uuid(1));
  });

  test('a start finds nothing to do', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', TARGET, 1);
    const before = [...w.writes];
    await w.start();
    expect(w.writes).toEqual(before);
    expect(w.propagator.states).toEqual([{ kind: 'Secret', state: 'propagated' }]);
    expect(w.eventsOf('CredentialPropagated')).toHaveLength(1);
  });

  test('a process that is killed at any write leaves nothing that the next one does not bring to its end', async () => {
    for (let survived = 0; ; survived += 1) {
      const w = new TestEnvironment();
      let count = 0;
      w.cluster.after = (what) => {
        if (!/Secret|ConfigMap|ServiceAccount/.test(what)) return;
        count += 1;
        if (count === survived + 1) throw new KubernetesError(0, 'Dead', 'the process is gone');
      };
      await w.start();
      await w.namespace('team-a', 'platform');
      await w.cluster
        .create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-a' } })
        .catch(() => undefined);
      await w.identity('team-a', `${TARGET},ConfigMap/team-a/ids,ServiceAccount/team-a/app`, 1);
      const crashed = count > survived;
      w.cluster.after = () => undefined;
      await w.propagator.drain();
      await w.start();
      expect(w.clientId).toBe(uuid(1));
      expect(w.find('ConfigMap', 'ids')?.data).toEqual({ clientId: uuid(1), principalId: uuid(1), tenantId: uuid(9) });
      expect(w.find('ServiceAccount', 'app')?.metadata.annotations?.[WORKLOAD_CLIENT_ID]).toBe(uuid(1));
      expect(w.writes.filter((write) => write.startsWith('create')).sort()).toEqual([
        'create ConfigMap/ids',
        'create Secret/aso-credential',
        'create ServiceAccount/app',
      ]);
      if (!crashed) break;
    }
  });
});

describe('whose', () => {
  test('identities that another controller has claimed, or none yet, are not propagated', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.identity('theirs', TARGET, 1, { [OPERATOR_NAMESPACE]: 'another' });
    expect(w.writes).toEqual([]);
    expect(w.events).toEqual([]);
  });

  test('a Secret of somebody else is not touched, and is written when it was handed over', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    const foreign = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace: 'team-a' },
      type: 'Opaque',
      data: { AZURE_CLIENT_ID: 'eA==' },
    };
    await w.cluster.create(SECRETS, foreign);
    await w.identity('team-a', TARGET, 1);
    expect(w.find('Secret')?.data).toEqual({ AZURE_CLIENT_ID: 'eA==' });
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([expect.stringContaining('was not written by this controller')]);
    await w.annotate('team-a', null);
    expect(w.find('Secret')?.data).toEqual({ AZURE_CLIENT_ID: 'eA==' });
    await w.annotate('team-a', TARGET);
    const labels = { 'aso.cdk8s.io/managed-by-namespace': 'platform', 'aso.cdk8s.io/managed-by-name': 'team-a' };
    await w.cluster.patch(SECRETS, 'aso-credential', 'team-a', { metadata: { labels } }, 'application/merge-patch+json');
    await settled();
    expect(w.clientId).toBe(uuid(1));
  });

  test('a Secret that only comes to light with the refusal of its creation is not touched either', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SECRETS, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace: 'team-a' },
      type: 'helm.sh/release.v1',
      data: {},
    });
    w.types.Secret!.store = { get: () => undefined, list: () => [] };
    await w.identity('team-a', TARGET, 1);
    expect(w.find('Secret')?.data).toEqual({});
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([expect.stringContaining('was not written by this controller')]);
  });

  test('of two identities with the same target, the first one writes it, and the second one after the first releases it', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.user('app');
    await w.identity('one', TARGET, 1);
    await w.identity('two', TARGET, 2);
    expect(w.clientId).toBe(uuid(1));
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([expect.stringContaining('identity platform/one propagates to it already')]);
    await w.annotate('one', null);
    expect(w.clientId).toBe(uuid(2));
    expect(w.find('Secret')?.metadata.labels?.[MANAGED_BY_NAME]).toBe('two');
    // Never away in between.
    expect(w.writes).toEqual(['create Secret/aso-credential', 'replace Secret/aso-credential']);
  });

  test('namespaces that this controller does not watch get no ids', async () => {
    const w = await environment({ targetNamespaces: ['platform'] });
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', TARGET, 1);
    expect(w.writes).toEqual([]);
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([expect.stringContaining('AZURE_TARGET_NAMESPACES')]);
  });

  test('a malformed annotation is reported once, propagates to the targets that can be read, and takes nothing back', async () => {
    const w = await environment();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', `${TARGET},ConfigMap/team-a/ids`, 1);
    await w.annotate('team-a', `${TARGET},configmap/team-a/ids`);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    expect(w.eventsOf('CredentialPropagationRefused')).toEqual([
      'annotation aso.cdk8s.io/propagate-credentials-to: "configmap/team-a/ids" names the kind configmap: write ConfigMap',
    ]);
    w.propagator.check({ group: IDENTITIES.group, kind: IDENTITIES.kind, namespace: 'platform', name: 'team-a' });
    await settled();
    expect(w.eventsOf('CredentialPropagationRefused')).toHaveLength(1);
    await w.annotate('team-a', TARGET);
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
  });
});
