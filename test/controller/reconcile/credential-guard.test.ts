import { claimed, guardEnvironment as environment, network, secret } from './credential-guard-environment';
import { settled } from './fake-clock';
import { GROUPS, group, SECRETS } from './harness';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, CREDENTIAL_FROM, CREDENTIAL_USED_BY, OPERATOR_NAMESPACE } from '../../../src/azure/annotations';

test('a credential is kept while a claimed object uses it, and goes with the last one', async () => {
  const { cluster, finalizers, start } = await environment(secret());
  await start();
  await cluster.create(GROUPS, claimed('a'));
  await cluster.create(GROUPS, claimed('b'));
  await settled();
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);

  await cluster.delete(SECRETS, 'aso-credential', 'default');
  await settled();
  for (const name of ['a', 'b']) {
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await cluster.delete(GROUPS, name, 'default');
    await settled();
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]); // the object is still there: its finalizer says so
    await cluster.patch(GROUPS, name, 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }
  expect(finalizers()).toBeUndefined();
});

test('only the Secret that an object uses is kept, with the finalizers of others', async () => {
  const { cluster, finalizers, start } = await environment(secret(), secret('own', ['example.com/other']), secret('unrelated'));
  await start();
  await cluster.create(GROUPS, claimed('a', { [CREDENTIAL_FROM]: 'own' }));
  await settled();
  expect(finalizers('own')).toEqual(['example.com/other', CREDENTIAL_FINALIZER]);
  expect(finalizers()).toBeUndefined();
  expect(finalizers('unrelated')).toBeUndefined();

  await cluster.annotate(GROUPS, 'default', 'a', { [CREDENTIAL_FROM]: null });
  await settled();
  expect(finalizers('own')).toEqual(['example.com/other']);
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
});

test('unclaimed objects, and those of another controller, do not count', async () => {
  const { cluster, finalizers, start } = await environment(secret());
  await start();
  await cluster.create(GROUPS, group('unclaimed'));
  await cluster.create(GROUPS, claimed('foreign', { [OPERATOR_NAMESPACE]: 'another' }));
  await settled();
  expect(finalizers()).toBeUndefined();
});

test('a kind that objects of another controller need stays, and is not written to and fro', async () => {
  const { metadata, ...rest } = secret('aso-credential', [CREDENTIAL_FINALIZER]);
  const annotations = { [CREDENTIAL_USED_BY]: `${GROUPS.kind}.${GROUPS.group}` };
  const { cluster, clock, finalizers, kinds, patches, start } = await environment({ ...rest, metadata: { ...metadata, annotations } });
  await cluster.create(GROUPS, claimed('foreign', { [OPERATOR_NAMESPACE]: 'another' }));
  await start();
  await clock.advance(120_000);
  expect([finalizers(), kinds(), patches()]).toEqual([[CREDENTIAL_FINALIZER], [GROUPS.kind], 0]);
});

test('a Secret without marks, which an older version has written, stays for objects of another controller', async () => {
  const { cluster, clock, finalizers, patches, start } = await environment(secret('aso-credential', [CREDENTIAL_FINALIZER]));
  await cluster.create(GROUPS, claimed('foreign', { [OPERATOR_NAMESPACE]: 'another' }));
  await start();
  await clock.advance(120_000);
  expect([finalizers(), patches()]).toEqual([[CREDENTIAL_FINALIZER], 0]);
});

test('a credential that arrives after its users is kept too', async () => {
  const { cluster, finalizers, start } = await environment();
  await start();
  await cluster.create(GROUPS, claimed('a'));
  await cluster.create(SECRETS, secret());
  await settled();
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
});

test('nothing is released before all objects are known', async () => {
  const { clock, finalizers, groups, start } = await environment(secret('aso-credential', [CREDENTIAL_FINALIZER]));
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]); // not started: the users may not have been listed yet
  Object.defineProperty(groups, 'hasSynced', { value: false, configurable: true });
  await start();
  await clock.advance(5_000);
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
  Object.defineProperty(groups, 'hasSynced', { value: true });
  await clock.advance(30_000);
  expect(finalizers()).toEqual([]);
});

test('a write that fails is tried again, and told of unless somebody else was faster', async () => {
  const { cluster, clock, errors, finalizers, start } = await environment(secret());
  await start();
  const failures = [new KubernetesError(409, 'Conflict', 'changed'), new KubernetesError(503, 'ServiceUnavailable', 'later')];
  cluster.before = (what) => {
    const failure = what === 'patch Secret' ? failures.shift() : undefined;
    if (failure) throw failure;
  };
  await cluster.create(GROUPS, claimed('a'));
  await settled();
  expect(finalizers()).toBeUndefined();
  await clock.advance(10_000);
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
  expect(errors.map(String)).toEqual([expect.stringContaining('later')]);
});

test('after a write that succeeds the next one that fails is tried again as soon as the first was', async () => {
  const { cluster, clock, finalizers, start } = await environment(secret());
  await start();
  let failures = 6;
  cluster.before = (what) => {
    if (what === 'patch Secret' && (failures -= 1) >= 0) throw new KubernetesError(503, 'ServiceUnavailable', 'later');
  };
  await cluster.create(GROUPS, claimed('a'));
  await clock.advance(600_000);
  expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
  failures = 1;
  await cluster.delete(GROUPS, 'a', 'default');
  await cluster.patch(GROUPS, 'a', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
  await clock.advance(2_000);
  expect(finalizers()).toEqual([]);
});

test('a finalizer that another writer adds just before the write is kept', async () => {
  const { cluster, clock, finalizers, start } = await environment(secret());
  await start();
  const patch = cluster.patch.bind(cluster);
  jest.spyOn(cluster, 'patch').mockImplementationOnce(async (...write) => {
    await patch(SECRETS, 'aso-credential', 'default', { metadata: { finalizers: ['example.com/other'] } }, 'application/merge-patch+json');
    return patch(...write);
  });
  await cluster.create(GROUPS, claimed('a'));
  await settled();
  expect(finalizers()).toContain('example.com/other');
  await clock.advance(10_000);
  expect(finalizers()).toEqual(['example.com/other', CREDENTIAL_FINALIZER]);
});

test('a write that has waited for its turn does not go beside that of an object that is about to be claimed', async () => {
  const { cluster, clock, guard, finalizers, kinds, patches, start } = await environment(secret());
  await start();
  // So many that the next one waits.
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await cluster.create(GROUPS, claimed(name));
    await settled();
    await cluster.delete(GROUPS, name, 'default');
    await cluster.patch(GROUPS, name, 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }
  await cluster.create(GROUPS, claimed('late'));
  await settled();
  expect([patches(), finalizers()]).toEqual([10, []]);

  let [atOnce, most] = [0, 0];
  const patch = cluster.patch.bind(cluster);
  jest.spyOn(cluster, 'patch').mockImplementation(async (...write) => {
    most = Math.max(most, atOnce += 1);
    await clock.sleep(60_000);
    return patch(...write).finally(() => (atOnce -= 1));
  });
  const held = guard.hold(network('n'));
  await clock.advance(200_000);
  await held;
  expect([most, kinds()]).toEqual([1, ['ResourceGroup', 'VirtualNetwork']]);
});

describe('who is about to be claimed', () => {
  const KEY = { group: GROUPS.group, kind: GROUPS.kind, namespace: 'default', name: 'a' };

  test('waits until its credential is kept, and keeps it until the informers tell', async () => {
    const { cluster, guard, finalizers, start } = await environment(secret());
    await start();
    await guard.hold(group('a'));
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await cluster.delete(SECRETS, 'aso-credential', 'default');
    await settled();
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await cluster.create(GROUPS, claimed('a'));
    guard.release(KEY);
    await settled();
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await cluster.patch(GROUPS, 'a', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await cluster.delete(GROUPS, 'a', 'default');
    await settled();
    expect(finalizers()).toBeUndefined();
  });

  test('and is not claimed after all: the credential is let go', async () => {
    const { guard, finalizers, start } = await environment(secret());
    await start();
    await guard.hold(group('a'));
    guard.release(KEY);
    await settled();
    expect(finalizers()).toEqual([]);
  });

  test('is not claimed where the credential cannot be kept', async () => {
    const { cluster, guard, start } = await environment(secret('aso-credential', ['example.com/other']));
    await start();
    cluster.before = (what) => {
      if (what === 'patch Secret') throw new KubernetesError(0, 'Unreachable', 'the connection was cut');
    };
    await expect(guard.hold(group('a'))).rejects.toThrow('cut');
    cluster.before = () => undefined;
    await cluster.delete(SECRETS, 'aso-credential', 'default');
    await expect(guard.hold(group('a'))).rejects.toThrow('Secret "default/aso-credential" is being deleted');
  });

  test('does not trust a cache that a write without an answer has left in doubt', async () => {
    const { cluster, clock, guard, finalizers, start } = await environment(secret('aso-credential', [CREDENTIAL_FINALIZER]));
    // The finalizer is removed without an event.
    const { listeners } = cluster;
    const seen = cluster.objects.get('/Secret/default/aso-credential')!;
    cluster.after = (what) => {
      if (what === 'patch Secret') throw new KubernetesError(0, 'Unreachable', 'the answer is lost');
    };
    cluster.listeners = [];
    await start();
    expect(finalizers()).toEqual([]);
    const real = cluster.objects.get('/Secret/default/aso-credential')!;
    const stale = jest.spyOn(cluster.objects, 'get').mockReturnValueOnce(seen);
    cluster.after = () => undefined;
    cluster.listeners = listeners;
    await guard.hold(group('a'));
    stale.mockRestore();
    expect(real.metadata.finalizers).toEqual([]);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    await clock.advance(60_000);
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
  });

  test('is in doubt until the Secret has been read, however often the read fails', async () => {
    const { cluster, guard, finalizers, start } = await environment(secret());
    await start();
    cluster.after = (what) => {
      if (what === 'patch Secret') throw new KubernetesError(0, 'Unreachable', 'the answer is lost');
    };
    const read = jest.spyOn(cluster, 'get').mockRejectedValue(new KubernetesError(503, 'ServiceUnavailable', 'not now'));
    for (let tries = 0; tries < 3; tries += 1) await expect(guard.hold(group('a'))).rejects.toThrow('not now');
    cluster.after = () => undefined;
    read.mockRestore();
    await guard.hold(group('a'));
    expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
  });

  describe('where the controller may not write Secrets', () => {
    /** The objects `a` and `b` have been let through although their credential is not kept. */
    async function refused() {
      const made = await environment(secret());
      let isRefused = true;
      made.cluster.before = (what) => {
        if (what === 'patch Secret' && isRefused) throw new KubernetesError(403, 'Forbidden', 'not yours');
      };
      await made.start();
      // The first attempt is that of the event of the user, the second that of the claim.
      await made.guard.hold(group('a')).then(() => made.guard.hold(group('b')));
      return { ...made, allow: () => (isRefused = false) };
    }

    test('goes on, and says so once', async () => {
      const { cluster, errors } = await refused();
      expect(new Set(errors.map(String))).toEqual(new Set([expect.stringContaining('not yours')]));
      expect(cluster.writes.filter((write) => write.startsWith('patch'))).toEqual([]);
    });

    test('waits again for a Secret that replaces the one that could not be written', async () => {
      const { cluster, finalizers, guard } = await refused();
      let isDown = true;
      cluster.before = (what) => {
        if (what === 'patch Secret' && isDown) throw new KubernetesError(503, 'ServiceUnavailable', 'not now');
      };
      await cluster.delete(SECRETS, 'aso-credential', 'default');
      await cluster.create(SECRETS, secret());
      await expect(guard.hold(group('c'))).rejects.toThrow('not now');
      isDown = false;
      await guard.hold(group('c'));
      expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
    });

    test('waits again once the Secret could be written', async () => {
      const { allow, clock, cluster, finalizers, guard } = await refused();
      allow();
      await clock.advance(60_000);
      expect(finalizers()).toEqual([CREDENTIAL_FINALIZER]);
      cluster.before = (what) => {
        if (what === 'patch Secret') throw new KubernetesError(503, 'ServiceUnavailable', 'not now');
      };
      // A kind with which the Secret is not marked yet.
      await expect(guard.hold(network('n'))).rejects.toThrow('not now');
    });
  });
});
