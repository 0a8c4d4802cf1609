import { FakeClock, settled } from './fake-clock';
import { FakeCluster } from './fake-cluster';
import { azure, FEDERATIONS, GROUPS, group, IDENTITIES, identity, NETWORKS, object, ROLES } from './harness';
import { ThrottledError } from '../../../controller/budget';
import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller, type ControllerOptions } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import { isUnderWay } from '../../../controller/reconcile/triggers';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { type ObjectId, objectIdOf } from '../../../src/object-id';

const rg = group();
const id = identity('id', { operatorSpec: { configMaps: { principalId: { name: 'ids', key: 'principalId' } } } });
const role = object(ROLES, 'reader', {
  owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
  principalIdFromConfig: { name: 'ids', key: 'principalId' },
  roleDefinitionReference: { wellKnownName: 'Reader' },
});
const federation = object(FEDERATIONS, 'federation', { owner: { name: 'id' } });
const ranks = (dependencies: Dependencies, ...objects: KubernetesObject[]) => objects.map((of) => dependencies.rankOf(objectIdOf(of)));

describe('ranks of objects', () => {
  test.each([
    ['owners first', [rg, id, role, federation]], ['owners last', [federation, role, id, rg]],
  ])('are the longest chain behind them, by the specs alone: %s', (_, objects) => {
    const dependencies = new Dependencies();
    objects.forEach((each) => dependencies.waits(each));
    expect(ranks(dependencies, rg, id, role, federation)).toEqual([2, 1, 0, 0]);
  });

  test('a ConfigMap that one writes and another reads is a link; who is as wanted waits no more', () => {
    const dependencies = new Dependencies();
    [rg, id, role].forEach((each) => dependencies.waits(each));
    expect(ranks(dependencies, rg, id)).toEqual([2, 1]);
    dependencies.waitsNoMore(objectIdOf(role));
    expect(ranks(dependencies, rg, id)).toEqual([1, 0]);
    dependencies.waitsNoMore(objectIdOf(id));
    expect(ranks(dependencies, rg, id)).toEqual([0, 0]);
  });

  test('count each ten seconds that an operation usually takes as another object', () => {
    const dependencies = new Dependencies();
    const owner = { owner: { name: 'rg' } };
    // 68 and 66 s in Azure; 3 s.
    const server = object(azure('sql', 'v1api20211101', 'servers', 'Server'), 'db', owner);
    const database = object(azure('sql', 'v1api20211101', 'serversdatabases', 'ServersDatabase'), 'db', { owner: { name: 'db' } });
    const network = object(NETWORKS, 'net', owner);
    [rg, server, database, network].forEach((each) => dependencies.waits(each));
    expect(ranks(dependencies, rg, server, database, network)).toEqual([16, 15, 7, 0]);
  });

  test('count the operations of all siblings that Azure writes one after the other', () => {
    const dependencies = new Dependencies();
    const postgres = (plural: string, kind: string, name: string, owner: string) =>
      object(azure('dbforpostgresql', 'v1api20240801', plural, kind), name, { owner: { name: owner } });
    const [server, other] = ['pg', 'other'].map((name) => postgres('flexibleservers', 'FlexibleServer', name, 'rg'));
    // 3, 3 and 14 s in Azure.
    const [one, two] = ['one', 'two'].map((name) => postgres('flexibleserversdatabases', 'FlexibleServersDatabase', name, 'pg'));
    const setting = postgres('flexibleserversconfigurations', 'FlexibleServersConfiguration', 'setting', 'pg');
    const elsewhere = postgres('flexibleserversdatabases', 'FlexibleServersDatabase', 'elsewhere', 'other');
    [server!, other!, one!, two!, setting, elsewhere].forEach((each) => dependencies.waits(each));
    const alone = ranks(dependencies, elsewhere)[0]!;
    expect(alone).toBe(0);
    expect(ranks(dependencies, one!, two!, setting)).toEqual([3, 3, 3]);
    dependencies.waitsNoMore(objectIdOf(setting));
    expect(ranks(dependencies, one!, two!)).toEqual([1, 1]);
    dependencies.waitsNoMore(objectIdOf(one!));
    expect(ranks(dependencies, two!)).toEqual([alone]);
    const moved = { ...two!, metadata: { ...two!.metadata, generation: 2 }, spec: { ...two!.spec, owner: { name: 'other' } } };
    dependencies.waits(moved);
    expect(ranks(dependencies, elsewhere, moved)).toEqual([1, 1]);
  });

  test('follow a spec that changes', () => {
    const dependencies = new Dependencies();
    const withGeneration = (generation: number, owner: string) =>
      ({ ...id, metadata: { ...id.metadata, generation }, spec: { ...id.spec, owner: { name: owner } } });
    const other = group('other');
    dependencies.waits(withGeneration(1, 'rg'));
    dependencies.waits(withGeneration(2, 'other'));
    expect(ranks(dependencies, rg, other)).toEqual([0, 1]);
  });

  test('are not disturbed by specs that make no sense', () => {
    const dependencies = new Dependencies();
    for (const spec of [{ owner: 'x' }, { owner: { name: 3 } }, { owner: null, operatorSpec: { configMaps: [] } }, undefined]) {
      dependencies.waits({ ...id, metadata: { ...id.metadata, generation: Math.random() }, spec: spec as never });
    }
    dependencies.waits(object({ group: 'unknown.example', kind: 'Thing', version: 'v1', plural: 'things', namespaced: true }, 'x', {}));
    expect(ranks(dependencies, rg, id)).toEqual([0, 0]);
  });

  test('tell whose rank has changed', () => {
    const dependencies = new Dependencies();
    const reported: string[] = [];
    dependencies.onRankChanged((text) => reported.push(text));
    dependencies.waits(id);
    expect(reported).toEqual(['resources.azure.com/ResourceGroup/default/rg']);
  });
});

const READY = { type: 'Ready', status: 'True' as const, reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 };

/** A controller of which only the order of reconciles counts. */
async function reconcilesOf(
  objects: readonly (readonly [type: ResourceType, object: KubernetesObject, ready?: boolean])[], options: Partial<ControllerOptions> = {},
  reconcile: (name: string) => number | undefined | Promise<never> = () => undefined,
) {
  const stored = new FakeCluster();
  const cluster = new Cluster();
  for (const type of [GROUPS, IDENTITIES, NETWORKS, ROLES, FEDERATIONS]) cluster.add(stored.watch(type));
  const reconciles: string[] = [];
  const reconciler = {
    reconcile: async ({ name }: ObjectId) => {
      reconciles.push(name);
      return reconcile(name);
    },
    nextSync: () => 3_600_000,
    onLockGranted: () => undefined,
    onLost: () => undefined,
    wasDeleted: () => undefined,
    observeInitial: () => undefined,
    forget: () => undefined,
  } as unknown as Reconciler;
  const clock = new FakeClock();
  const controller = new Controller({ cluster, dependencies: new Dependencies(), clock, concurrency: 1, reconciler, ...options });
  for (const [type, each, ready] of objects) {
    const created = await stored.create(type, each);
    controller.handle({
      type: 'ADDED',
      object: ready ? await stored.replaceStatus(type, { ...created, status: { conditions: [READY] } }) : created,
    });
  }
  controller.start();
  await settled();
  /** The object's Ready condition becomes true. */
  const becomesReady = async (type: ResourceType, { metadata }: KubernetesObject) => {
    const previous = (await stored.get(type, metadata.name, metadata.namespace))!;
    const next = await stored.replaceStatus(type, { ...previous, status: { conditions: [READY] } });
    controller.handle({ type: 'MODIFIED', object: next, previous });
    await settled();
  };
  return { reconciles, controller, clock, becomesReady };
}

describe('the controller', () => {
  test('begins with the objects that most others wait for, in whatever order they come', async () => {
    const network = object(NETWORKS, 'network', { owner: { name: 'rg' } });
    const { reconciles, controller } = await reconcilesOf([[FEDERATIONS, federation], [NETWORKS, network], [IDENTITIES, id], [GROUPS, rg]]);
    await controller.stop();
    expect(reconciles.slice(0, 2)).toEqual(['rg', 'id']);
    expect([...reconciles].sort()).toEqual(['federation', 'id', 'network', 'rg']);
  });

  test('says of few objects at once that their owner is not Ready, and their owner wakes the others', async () => {
    const owned = Array.from({ length: 20 }, (_, index) => object(NETWORKS, `network-${index}`, { owner: { name: 'rg' } }));
    const free = object(NETWORKS, 'free', { owner: { armId: '/subscriptions/s/resourceGroups/elsewhere' } });
    const forever = () => new Promise<never>(() => undefined);
    const { reconciles, controller, becomesReady } = await reconcilesOf(
      [...owned.map((each) => [NETWORKS, each] as const), [NETWORKS, free], [GROUPS, rg]], { concurrency: 100 }, forever,
    );
    expect(reconciles).toHaveLength(2 + 4);
    expect(reconciles).toEqual(expect.arrayContaining(['rg', 'free']));
    expect(controller.load).toMatchObject({ waiting: 16, running: 6 });
    await becomesReady(GROUPS, rg);
    expect(controller.load).toMatchObject({ waiting: 0, running: 22 });
  });

  test('sends back what waits for Azure, of objects that go until their reconciles have ended, and of all at its end', async () => {
    const events: string[] = [];
    const gate = {
      isOpen: () => true,
      onOpen: () => undefined,
      sendBack: (concerns: (object: ObjectId) => boolean) => {
        events.push(`sends back ${['goes', 'stays'].filter((name) => concerns({ ...objectIdOf(rg), name })).join(' and ')}`);
        return () => void events.push('goes on');
      },
    };
    const { controller } = await reconcilesOf([], { gate });
    await controller.ended(({ name }) => name === 'goes');
    expect(events).toEqual(['sends back goes', 'goes on']);
    await controller.drain();
    expect(events.slice(2)).toEqual(['sends back goes and stays']);
  });

  test('makes no reconcile of an object that the driftDetection confirms, one where it does not or fails, and none less of what is not settled', async () => {
    const confirms = async ({ name }: ObjectId) => {
      if (name === 'fails') throw new Error('no answer');
      return name !== 'doubt';
    };
    const driftDetection = { confirms, nextIn: (_: ObjectId, period: number) => period, reconcileFailed: () => undefined };
    const { reconciles, controller } = await reconcilesOf([
      [GROUPS, group('confirmed'), true], [GROUPS, group('doubt'), true], [GROUPS, group('fails'), true], [GROUPS, group('new')],
    ], { driftDetection });
    expect([...reconciles].sort()).toEqual(['doubt', 'fails', 'new']);
    // The confirmed one is looked at again, after the sync period.
    expect(controller.load.delayed).toBe(1);
    await controller.stop();
  });

  test('tells drift detection of a reconcile that has ended with an error, and of no throttled one', async () => {
    const failed: string[] = [];
    const driftDetection = {
      confirms: async () => false,
      nextIn: (_: ObjectId, period: number) => period,
      reconcileFailed: ({ name }: ObjectId) => void failed.push(name),
    };
    const { controller } = await reconcilesOf([[GROUPS, group('lost')], [GROUPS, group('throttled')]], { driftDetection }, (name) => {
      return Promise.reject(name === 'lost' ? new Error('the record is not stored') : new ThrottledError('reads', 1_000));
    });
    expect(failed).toEqual(['lost']);
    await controller.stop();
  });

  test('an edit does not wait for what the driftDetection finds out', async () => {
    let answer = (_: boolean) => undefined as void;
    const confirms = () => new Promise<boolean>((resolve) => (answer = resolve));
    const driftDetection = { confirms, nextIn: (_: ObjectId, period: number) => period, reconcileFailed: () => undefined };
    const { reconciles, controller } = await reconcilesOf([[GROUPS, group('edited'), true]], { driftDetection });
    expect(reconciles).toEqual([]);
    const edited = { ...group('edited'), metadata: { ...group('edited').metadata, generation: 2 } };
    controller.handle({ type: 'MODIFIED', object: edited, previous: group('edited') });
    await settled();
    expect(reconciles).toEqual(['edited']);
    // The result no longer matters.
    answer(true);
    await settled();
    expect([reconciles, controller.load.delayed]).toEqual([['edited'], 0]);
    await controller.stop();
  });

  test('an edit does not wait for the room that a look at the same object waits for', async () => {
    const changed: string[] = [];
    let giveUp = () => undefined as void;
    const gate = {
      isOpen: () => true,
      onOpen: () => undefined,
      changed: ({ name }: ObjectId) => {
        changed.push(name);
        giveUp();
      },
    };
    let count = 0;
    const { reconciles, controller } = await reconcilesOf([[GROUPS, group('edited'), true]], { gate }, () => {
      if ((count += 1) > 1) return undefined;
      return new Promise((_, reject) => (giveUp = () => reject(new ThrottledError('reads', 5_000))));
    });
    expect([reconciles, changed]).toEqual([['edited'], []]);
    const edited = { ...group('edited'), metadata: { ...group('edited').metadata, generation: 2 } };
    controller.handle({ type: 'MODIFIED', object: edited, previous: group('edited') });
    await settled();
    expect([reconciles, changed]).toEqual([['edited', 'edited'], ['edited']]);
    // Nothing is left of the wait that the reconcile before was to have.
    expect(controller.load).toEqual({ waiting: 0, delayed: 0, running: 0 });
    // A reconcile that does not run has nothing to give up.
    controller.handle({ type: 'MODIFIED', object: { ...edited, metadata: { ...edited.metadata, generation: 3 } }, previous: edited });
    await settled();
    expect([reconciles, changed]).toEqual([['edited', 'edited', 'edited'], ['edited']]);
    await controller.stop();
  });

  test('keeps reconciles back that the gate refuses, until it opens', async () => {
    let open = false;
    let opens = () => undefined as void;
    const { reconciles, controller, clock } = await reconcilesOf([[GROUPS, group('refused')], [IDENTITIES, id]], {
      gate: { isOpen: ({ name }) => open || name !== 'refused', onOpen: (listener) => (opens = listener) },
    });
    expect(reconciles).toEqual(['id']);
    open = true;
    opens();
    await clock.advance(200);
    await settled();
    expect(reconciles).toEqual(['id', 'refused']);
    await controller.stop();
  });

  test('begins a throttled reconcile anew as soon as the gate opens, and where there is none after a while; it is no error', async () => {
    const errors: unknown[] = [];
    for (const gated of [true, false]) {
      let open = true;
      let opens = () => undefined as void;
      const gate = { isOpen: () => open, onOpen: (listener: () => void) => void (opens = listener) };
      let count = 0;
      const options = { ...(gated ? { gate } : {}), onError: (_: ObjectId, error: unknown) => void errors.push(error) };
      const { reconciles, controller, clock } = await reconcilesOf([[GROUPS, rg]], options, () => {
        if ((count += 1) > 1) return undefined;
        open = false;
        throw new ThrottledError('reads', 5_000);
      });
      expect(reconciles).toEqual(['rg']);
      open = true;
      opens();
      await clock.advance(gated ? 200 : 5_000);
      await settled();
      expect(reconciles).toEqual(['rg', 'rg']);
      await controller.stop();
    }
    expect(errors).toEqual([]);
  });

  test('counts failures of an object by itself: one of the same name and another kind is not slowed by them', async () => {
    const delays: Record<string, number[]> = {};
    const { controller, clock } = await reconcilesOf([[GROUPS, group('same')], [NETWORKS, object(NETWORKS, 'same', {})]], {
      onError: ({ kind }, _, delay) => (delays[kind] ??= []).push(delay),
    }, () => {
      throw new Error('no answer');
    });
    await clock.advance(3_000);
    await settled();
    await controller.stop();
    expect(Object.keys(delays).sort()).toEqual(['ResourceGroup', 'VirtualNetwork']);
    expect(delays.VirtualNetwork).toEqual(delays.ResourceGroup);
    expect(delays.ResourceGroup![0]).toBeLessThanOrEqual(1_000);
  });
});

describe('what goes on', () => {
  const condition = { type: 'Ready', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const withReady = (generation: number, ...conditions: object[]) =>
    ({ ...rg, metadata: { ...rg.metadata, generation }, status: { conditions } }) as KubernetesObject;
  test.each([
    ['nothing is known yet', withReady(1), true],
    ['an operation runs', withReady(1, { ...condition, status: 'False', severity: 'Info', observedGeneration: 1 }), true],
    ['a change of what was Ready', withReady(2, { ...condition, status: 'True', observedGeneration: 1 }), true],
    ['a change of what had failed', withReady(2, { ...condition, status: 'False', severity: 'Error', observedGeneration: 1 }), true],
    ['it is Ready', withReady(1, { ...condition, status: 'True', observedGeneration: 1 }), false],
    ['it has failed', withReady(1, { ...condition, status: 'False', severity: 'Warning', observedGeneration: 1 }), false],
    ['it is gone', undefined, false],
  ])('%s: its next reconcile is fresh or only a look', (_, of, expected) => expect(isUnderWay(of)).toBe(expected));
});
