import { FakeClock, settled } from './fake-clock';
import { FakeCluster } from './fake-cluster';
import { GROUPS, IDENTITIES, NAMESPACES, group, identity } from './harness';
import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import type { KubernetesObject, ObjectEvent } from '../../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, ALLOWS_CREDENTIAL_EXPORTS, CREDENTIAL_REQUIRED, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { objectIdOf } from '../../../src/object-id';

const condition = (status: 'True' | 'False') => ({
  type: 'Ready',
  status,
  reason: 'x',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
});

function fakeReconciler(reconcile: (key: ReturnType<typeof objectIdOf>) => Promise<number | undefined | void>): Reconciler {
  const nothing = () => undefined;
  const listeners = { onLockGranted: nothing, onLost: nothing };
  const events = { forget: nothing, wasDeleted: nothing, observeInitial: nothing };
  return { reconcile, ...listeners, ...events, lookAgain: nothing } as unknown as Reconciler;
}

/** The owner becomes Ready in the middle of the first reconcile of what it owns; answers how many reconciles that makes. */
async function reconcilesAfter(endOfFirst: (cluster: FakeCluster, object: KubernetesObject) => Promise<void>): Promise<number> {
  const stored = new FakeCluster();
  const cluster = new Cluster();
  for (const type of [GROUPS, IDENTITIES]) cluster.add(stored.watch(type));
  const owner = await stored.create(GROUPS, group());
  const owned = await stored.create(IDENTITIES, identity());
  const dependencies = new Dependencies();
  let reconciles = 0;
  const reconcile = async (key: ReturnType<typeof objectIdOf>): Promise<number | undefined> => {
    if (key.kind !== owned.kind) return undefined;
    reconciles += 1;
    dependencies.add(key, objectIdOf(owner), 'object');
    if (reconciles > 1) return undefined;
    await stored.replaceStatus(GROUPS, { ...owner, status: { conditions: [condition('True')] } });
    await endOfFirst(stored, owned);
    return 3_600_000;
  };
  const reconciler = fakeReconciler(reconcile);
  const controller = new Controller({ cluster, dependencies, clock: new FakeClock(), concurrencyPerKind: 4, reconciler });
  stored.listeners = [(_, event) => controller.handle(event)];
  controller.start();
  controller.handle({ type: 'ADDED', object: owned });
  await settled();
  await controller.stop();
  return reconciles;
}

describe('what an object waits for comes while its reconcile runs', () => {
  test('a reconcile that has seen it and ends Ready is not repeated: nothing is sent twice', async () => {
    expect(
      await reconcilesAfter(
        async (cluster, object) =>
          void (await cluster.replaceStatus(IDENTITIES, { ...object, status: { conditions: [condition('True')] } })),
      ),
    ).toBe(1);
  });

  test('a reconcile that has not seen it is repeated at once', async () => {
    expect(
      await reconcilesAfter(
        async (cluster, object) =>
          void (await cluster.replaceStatus(IDENTITIES, { ...object, status: { conditions: [condition('False')] } })),
      ),
    ).toBe(2);
  });

  test('a reconcile that fails is repeated at once', async () => {
    expect(await reconcilesAfter(async () => {
      throw new Error('no answer');
    })).toBe(2);
  });
});

test('after a start, what is not Ready goes first: a controller that dies again and again gets on all the same', async () => {
  const stored = new FakeCluster();
  const cluster = new Cluster();
  cluster.add(stored.watch(GROUPS));
  const reconciles: string[] = [];
  const reconciler = fakeReconciler(async ({ name }) => void reconciles.push(name));
  const controller = new Controller({
    cluster,
    dependencies: new Dependencies(),
    clock: new FakeClock(),
    concurrencyPerKind: 1,
    reconciler,
  });
  for (const [name, status] of [
    ['ready', 'True'],
    ['failed', 'False'],
    ['also-ready', 'True'],
    ['new', undefined],
  ] as const) {
    const created = await stored.create(GROUPS, group(name));
    const object = status ? await stored.replaceStatus(GROUPS, { ...created, status: { conditions: [condition(status)] } }) : created;
    controller.handle({ type: 'ADDED', object });
  }
  controller.start();
  await settled();
  await controller.stop();
  expect(reconciles).toEqual(['failed', 'new', 'ready', 'also-ready']);
});

describe('the fix that a refused credential names wakes its objects', () => {
  /** The names of the groups that are reconciled again after the change. */
  async function reconciledAfter(change: (controller: Controller) => void): Promise<string[]> {
    const stored = new FakeCluster();
    const cluster = new Cluster();
    for (const type of [GROUPS, NAMESPACES]) cluster.add(stored.watch(type));
    const reconciles: string[] = [];
    const reconciler = fakeReconciler(async ({ name }) => void reconciles.push(name));
    const clock = new FakeClock();
    const controller = new Controller({ cluster, dependencies: new Dependencies(), clock, concurrencyPerKind: 4, reconciler });
    for (const [name, namespace, reason, annotations] of [
      ['refused', 'shop', 'CredentialInvalid', { [RECONCILE_POLICY]: 'detach-on-delete' }],
      ['failed', 'shop', 'Failed', {}],
      ['elsewhere', 'other', 'CredentialInvalid', {}],
    ] as const) {
      const made = group(name);
      const object = await stored.create(GROUPS, { ...made, metadata: { ...made.metadata, namespace, annotations } });
      await stored.replaceStatus(GROUPS, { ...object, status: { conditions: [{ ...condition('False'), reason }] } });
    }
    controller.identityReleased();
    controller.start();
    await settled();
    reconciles.length = 0;
    change(controller);
    await settled();
    await controller.stop();
    return reconciles.sort();
  }

  const namespace = (annotations: Readonly<Record<string, string>>) => (
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', annotations } }
  );
  const changed = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): ObjectEvent => (
    { type: 'MODIFIED', object: namespace(after), previous: namespace(before) }
  );

  test.each([ACCEPTS_CREDENTIALS_FROM, ALLOWS_CREDENTIAL_EXPORTS, CREDENTIAL_REQUIRED])('%s of a Namespace', async (key) => {
    expect(await reconciledAfter((controller) => controller.handle(changed({}, { [key]: 'platform/id' })))).toEqual(['failed', 'refused']);
    expect(await reconciledAfter((controller) => controller.handle(changed({ [key]: 'platform/id' }, {})))).toEqual(['failed', 'refused']);
  });

  test('other annotations of a Namespace wake none', async () => {
    expect(await reconciledAfter((controller) => controller.handle(changed({}, { team: 'a' })))).toEqual([]);
  });

  test('an identity that is withheld no more', async () => {
    expect(await reconciledAfter((controller) => controller.identityReleased())).toEqual(['elsewhere', 'refused']);
  });
});
