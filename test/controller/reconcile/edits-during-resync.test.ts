import { FakeCluster } from './fake-cluster';
import { group, GROUPS } from './harness';
import { Budget, preemptible } from '../../../controller/budget';
import { Cluster } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import type { Reconciler } from '../../../controller/reconcile/reconciler';
import type { ObjectId } from '../../../src/object-id';
import { ModelArm } from '../budget/model-arm';
import { VirtualTime } from '../budget/virtual-time';

const OBJECTS = 150;
/** More looks than Azure takes reads: some always wait. */
const SYNC_PERIOD = 4_000;
const BEFORE = 12_000;
const INTERVAL = 500;
const EDITS = 24;

/** Everything is looked at again, all the time; a reconcile is one request. Answers in how many milliseconds each edit is sent. */
async function delaysOfEdits(): Promise<{ readonly delays: number[]; readonly reads: number }> {
  const time = new VirtualTime();
  const arm = new ModelArm(time);
  const budget = new Budget({ clock: time });
  const stored = new FakeCluster();
  const cluster = new Cluster();
  cluster.add(stored.watch(GROUPS));
  const credential = { client: arm.client('p'), tenantId: 't', clientId: 'p', source: 'default/aso-credential' };
  const edited = new Set<string>();
  const reconcile = (key: ObjectId, signal: AbortSignal, priority: 'fresh' | 'resync') => preemptible(signal, async (inner, hold) => {
    const client = budget.clientFor(credential, { namespace: key.namespace, priority, key, onThrottled: hold });
    const method = edited.delete(key.name) ? 'PUT' : 'GET';
    await client.send({ method, url: `/subscriptions/s/resourceGroups/${key.name}` }, inner);
    return SYNC_PERIOD;
  });
  const nothing = () => undefined;
  const reconciler = {
    reconcile,
    nextSync: () => SYNC_PERIOD,
    onLockGranted: nothing,
    onLost: nothing,
    wasDeleted: nothing,
    observeInitial: nothing,
    forget: nothing,
  } as unknown as Reconciler;
  const controller = new Controller({ cluster, reconciler, dependencies: new Dependencies(), clock: time, gate: budget });
  const condition = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'x',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  };
  for (let index = 0; index < OBJECTS; index += 1) {
    const created = await stored.create(GROUPS, group(`g${index}`));
    controller.handle({ type: 'ADDED', object: await stored.replaceStatus(GROUPS, { ...created, status: { conditions: [condition] } }) });
  }
  controller.start();
  await time.run(time.now() + BEFORE);
  const from = arm.received.length;
  const asked: { readonly name: string; readonly at: number }[] = [];
  for (let index = 0; index < EDITS; index += 1) {
    const name = `g${(index * 7) % OBJECTS}`;
    const before = stored.watch(GROUPS).store.get('default', name)!;
    edited.add(name);
    asked.push({ name, at: time.now() });
    controller.handle({ type: 'MODIFIED', object: { ...before, metadata: { ...before.metadata, generation: 2 } }, previous: before });
    await time.run(time.now() + INTERVAL);
  }
  const sent = arm.received.slice(from);
  const stopped = controller.stop();
  await time.run(time.now() + 5_000);
  await stopped;
  budget.stop();
  return {
    delays: asked.map(({ name, at }) => sent.find(({ method, url }) => method === 'PUT' && url.endsWith(`/${name}`))!.at - at),
    reads: sent.filter(({ method }) => method === 'GET').length,
  };
}

test('an edit is sent when the look that is under way has its answer, however many looks wait', async () => {
  const { delays, reads } = await delaysOfEdits();
  // All that Azure takes is used, so looks had to wait.
  expect(reads).toBeGreaterThan(24 * (EDITS * INTERVAL) / 1_000);
  expect(delays).toHaveLength(EDITS);
  // One answer takes 100 ms.
  expect(Math.max(...delays)).toBeLessThanOrEqual(100);
});
