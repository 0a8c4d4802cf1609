import { POLICY, TransferEnvironment } from './environment';
import { until } from '../../setup/until';

let environment: TransferEnvironment;
beforeEach(async () => {
  environment = await TransferEnvironment.start();
  for (const namespace of ['old', 'new']) await environment.cluster.namespace(namespace);
  await environment.fill('old');
});
afterEach(() => environment.close());

/** Nothing was written to Azure, and the new objects are what the old ones were. */
async function expectTransferred(puts: number, to = environment): Promise<void> {
  await to.handedOver('new');
  await to.ready('new');
  expect(environment.requests('DELETE')).toBe(0);
  expect(environment.requests('PUT')).toBe(puts);
  expect(await environment.names('old')).toEqual([]);
  const group = (await to.cluster.get('ResourceGroup', 'new', 'shop'))!;
  expect(group.metadata.annotations).toMatchObject({ 'example.com/note': 'kept' });
  expect(Object.keys(group.metadata.annotations!)).not.toEqual(expect.arrayContaining([POLICY, 'aso.cdk8s.io/adopt', 'aso.cdk8s.io/transferred-from']));
  expect((await to.cluster.get('UserAssignedIdentity', 'new', 'worker'))!.metadata.annotations).toMatchObject({ [POLICY]: 'manage' });
  expect(await environment.cluster.get('ConfigMap', 'old', 'cdk8s-aso-transfer')).toBeUndefined();
}

test('to another namespace: no PUT, no DELETE, and the role assignment keeps its name', async () => {
  const puts = environment.requests('PUT');
  const plan = await environment.transfer({ toNamespace: 'new' });
  expect([plan.status, plan.writes]).toEqual([0, 0]);
  expect(plan.out).toContain('1. hold: 3 objects of old');
  const { status, out } = await environment.transfer({ toNamespace: 'new', run: true });
  expect([status, out]).toEqual([0, 'Transferred: 3 objects from old to new. Nothing was deleted in Azure.']);
  await expectTransferred(puts);
});

test('to another cluster', async () => {
  const other = await TransferEnvironment.start(environment);
  try {
    await other.cluster.namespace('new');
    const puts = environment.requests('PUT');
    const { status, err } = await environment.transfer({ toKubeconfig: other.kubeconfig, toNamespace: 'new', run: true });
    expect({ status, err }).toMatchObject({ status: 0 });
    await expectTransferred(puts, other);
  } finally {
    await other.close();
  }
});

test('interrupted after one to four writes, again and again', async () => {
  const puts = environment.requests('PUT');
  let ended = 0;
  for (let runs = 0; ; runs += 1) {
    expect(runs).toBeLessThan(60);
    const { status } = await environment.transfer({ toNamespace: 'new', run: true }, (write) => write >= 1 + (runs % 4));
    if (status === 0) break;
    ended += 1;
    expect(environment.requests('DELETE')).toBe(0);
  }
  expect(ended).toBeGreaterThan(5);
  await expectTransferred(puts);
});

test('taken back after each write until it is handed over', async () => {
  const puts = environment.requests('PUT');
  for (let most = 1; most < 9; most += 2) {
    const { status } = await environment.transfer({ toNamespace: 'new', run: true }, (write) => write >= most);
    expect(status).not.toBe(0);
    expect(await undo()).toMatchObject({ status: 0, err: '', out: 'Taken back: 3 objects of old have their policies again.' });
    expect(await environment.names('new')).toEqual([]);
    expect((await environment.cluster.get('UserAssignedIdentity', 'old', 'worker'))!.metadata.annotations).toMatchObject({ [POLICY]: 'manage' });
    expect((await environment.cluster.get('ResourceGroup', 'old', 'shop'))!.metadata.annotations).not.toHaveProperty([POLICY]);
  }
  expect([environment.requests('PUT'), environment.requests('DELETE')]).toEqual([puts, 0]);
});

test('an object whose policy skip was taken away is not removed', async () => {
  await environment.transfer({ toNamespace: 'new', run: true }, (write) => write >= 14);
  await environment.cluster.annotate('ResourceGroup', 'old', 'shop', { [POLICY]: null });
  const { status, err } = await environment.transfer({ toNamespace: 'new', run: true });
  expect(status).toBe(1);
  expect(err).toContain('ResourceGroup shop in old has not the policy skip any more');
  expect(environment.requests('DELETE')).toBe(0);
});

const JOURNAL = ['ConfigMap', 'old', 'cdk8s-aso-transfer'] as const;
const untouched = (puts: number) => expect([environment.requests('PUT'), environment.requests('DELETE')]).toEqual([puts, 0]);
const edit = (namespace: string, spec: object) => {
  const { cluster } = environment;
  return cluster.client.patch(cluster.typeOf('ResourceGroup'), 'shop', namespace, { spec }, 'application/merge-patch+json');
};
const run = (most?: number) => environment.transfer({ toNamespace: 'new', run: true }, most === undefined ? undefined : (write) => write >= most);
const undo = (most?: number) => environment.takenBack({ toNamespace: 'new' }, most === undefined ? undefined : (write) => write >= most);

async function editJournal(change: (journal: any) => object): Promise<void> {
  const { client } = environment.cluster;
  const map = (await environment.cluster.get(...JOURNAL))!;
  await client.replace(environment.cluster.typeOf('ConfigMap'), { ...map, data: { journal: JSON.stringify(change(JSON.parse(map.data!.journal!))) } });
}

test.each([4, 8, 12, 15])('the journal is deleted after %d writes: a new run takes the transfer up', async (most) => {
  const puts = environment.requests('PUT');
  expect((await run(most)).status).not.toBe(0);
  await environment.cluster.delete(...JOURNAL);
  // The last write may have been a deletion, which the controller has yet to let go.
  await until('nothing is being deleted', async () => {
    const found = await Promise.all(environment.objects.map(([kind, name]) => environment.cluster.get(kind, 'old', name)));
    return found.every((object) => object?.metadata.deletionTimestamp === undefined);
  });
  expect(await run()).toMatchObject({ status: 0 });
  await expectTransferred(puts);
});

test('the journal is deleted while objects are held: they get their policies again', async () => {
  const puts = environment.requests('PUT');
  expect((await run(6)).status).not.toBe(0);
  await environment.cluster.delete(...JOURNAL);
  expect(await undo()).toMatchObject({ status: 0, out: 'Taken back: 3 objects of old have their policies again.' });
  expect(await environment.names('new')).toEqual([]);
  expect((await environment.cluster.get('UserAssignedIdentity', 'old', 'worker'))!.metadata.annotations).toMatchObject({ [POLICY]: 'manage' });
  for (const [kind, name] of environment.objects) {
    expect((await environment.cluster.get(kind, 'old', name))!.metadata.annotations).not.toHaveProperty(['aso.cdk8s.io/policy-before-transfer']);
  }
  expect(await undo()).toMatchObject({ status: 1, err: 'no transfer of old is under way' });
  untouched(puts);
});

test('an edited journal leads to no other namespace, and to no loss', async () => {
  const puts = environment.requests('PUT');
  await run(9);
  const original = (await environment.cluster.get(...JOURNAL))!.data!.journal!;
  for (const wrong of [
    { fromNamespace: 'new' }, { phase: 'done' }, { begun: 'x' }, { items: [{}] }, { values: ['Secret/../../x'] }, { toServer: 1 },
    { items: [{ ...JSON.parse(original).items[0], type: { ...JSON.parse(original).items[0].type, plural: '../secrets' } }] },
    { items: [{ ...JSON.parse(original).items[0], type: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true } }] },
  ]) {
    await editJournal(() => ({ ...JSON.parse(original), ...wrong }));
    expect(await run()).toMatchObject({ status: 1, writes: 0, err: expect.stringContaining('is no journal of a transfer, or was edited') });
  }
  // As if the copies managed the resources already.
  await editJournal(() => ({ ...JSON.parse(original), phase: 'handed-over' }));
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('in new still has the policy skip, so no object would manage') });
  await editJournal(() => ({ ...JSON.parse(original), phase: 'removed' }));
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('in new still has the policy skip') });
  expect(await environment.names('old')).toHaveLength(3);
  await editJournal(() => JSON.parse(original));
  expect(await run()).toMatchObject({ status: 0 });
  await expectTransferred(puts);
});

test('--undo loses no edit of a copy, and the hand-over none of an old object', async () => {
  const puts = environment.requests('PUT');
  await run(9);
  await edit('new', { tags: { edited: 'yes' } });
  expect(await undo()).toMatchObject({
    status: 1, writes: 0, err: expect.stringContaining('ResourceGroup shop in new was edited (spec.tags), and would be lost: nothing was taken back'),
  });
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('ResourceGroup shop is not the same in new: spec.tags. Nothing was handed over') });
  await edit('new', { tags: null });
  await edit('old', { tags: { edited: 'yes' } });
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('ResourceGroup shop is not the same in new: spec.tags') });
  expect(await environment.names('new')).toHaveLength(3);
  await edit('old', { tags: null });
  // Nothing that was edited while the objects are held is sent.
  untouched(puts);
  expect(await undo()).toMatchObject({ status: 0 });
  // The spec that came back is the one that was last sent: it is read, not sent again.
  untouched(puts);
  expect(environment.cluster.requestsOf('shop').filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('an old object that is not held any more is not handed over, one that was made again is not taken for it', async () => {
  await run(9);
  await environment.cluster.annotate('ResourceGroup', 'old', 'shop', { [POLICY]: null });
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('has not the policy skip any more: two objects would write') });
  await environment.cluster.annotate('ResourceGroup', 'old', 'shop', { [POLICY]: 'skip' });
  await environment.cluster.delete('RoleAssignment', 'old', 'reader');
  await until('the old object is gone', async () => !(await environment.cluster.get('RoleAssignment', 'old', 'reader')));
  await environment.assign('old', { [POLICY]: 'skip' });
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('RoleAssignment reader in old was made again since the transfer began') });
  expect(await undo()).toMatchObject({ status: 1, err: expect.stringContaining('RoleAssignment reader is no longer in old, so its copy in new is the last one') });
  expect(environment.requests('DELETE')).toBe(0);
});

test('a child that came after the check keeps its owner', async () => {
  await run(15);
  await environment.cluster.object('UserAssignedIdentity', 'old', 'late', { owner: { name: 'shop' } });
  await environment.cluster.reason('Succeeded', 'UserAssignedIdentity', 'old', 'late');
  expect(await run()).toMatchObject({
    status: 1, err: expect.stringContaining('UserAssignedIdentity late in old came after the transfer had begun, and would be deleted with the owner, in Azure too'),
  });
  expect(await environment.names('old')).toContain('shop');
  expect(environment.requests('DELETE')).toBe(0);
});

test('a way back that was interrupted is completed, not run', async () => {
  const puts = environment.requests('PUT');
  await run(9);
  expect((await undo(3)).status).not.toBe(0);
  expect(await run()).toMatchObject({ status: 1, writes: 0, err: expect.stringContaining('the transfer is being taken back: complete that with --undo first') });
  expect(await undo()).toMatchObject({ status: 0 });
  expect(await environment.names('new')).toEqual([]);
  untouched(puts);
});

test('two runs, and a run and a way back, at once: one of them goes on', async () => {
  const puts = environment.requests('PUT');
  await run(3);
  const [first, second] = await Promise.all([run(), run()]);
  const errors = [first, second].filter(({ status }) => status !== 0).map(({ err }) => err);
  expect(errors.length).toBeLessThan(3);
  for (const error of errors) expect(error).toContain('was changed or removed meanwhile');
  if (errors.length === 2) await run();
  await expectTransferred(puts);

  await environment.cluster.namespace('third');
  const third = { namespace: 'new', toNamespace: 'third' };
  await environment.transfer({ ...third, run: true }, (write) => write >= 8);
  const both = await Promise.all([environment.transfer({ ...third, run: true }), environment.transfer({ ...third, undo: true })]);
  expect(both.map(({ status }) => status)).not.toEqual([0, 0]);
  untouched(puts);
  const [there, back] = [await environment.names('third'), await environment.names('new')];
  expect(Math.max(there.length, back.length)).toBe(3);
});

test('a policy that a user gives between the check and the hold is kept', async () => {
  await run(1);
  await environment.cluster.annotate('ResourceGroup', 'old', 'shop', { [POLICY]: 'detach-on-delete' });
  expect(await run()).toMatchObject({ status: 1, err: expect.stringContaining('has got another policy since the check (detach-on-delete instead of none)') });
  expect(await undo()).toMatchObject({ status: 0 });
  expect((await environment.cluster.get('ResourceGroup', 'old', 'shop'))!.metadata.annotations).toMatchObject({ [POLICY]: 'detach-on-delete' });
  expect((await environment.cluster.get('UserAssignedIdentity', 'old', 'worker'))!.metadata.annotations).toMatchObject({ [POLICY]: 'manage' });
});

test('a finalizer of another program is named, and the run goes on when it is gone', async () => {
  const puts = environment.requests('PUT');
  const { cluster } = environment;
  const finalizers = async (change: (names: string[]) => string[]) => {
    const object = (await cluster.get('ResourceGroup', 'old', 'shop'))!;
    await cluster.client.replace(cluster.typeOf('ResourceGroup'), { ...object, metadata: { ...object.metadata, finalizers: change(object.metadata.finalizers ?? []) } });
  };
  await finalizers((names) => [...names, 'example.com/keep']);
  const { status, err } = await environment.transfer({ toNamespace: 'new', run: true, timeout: 0.05 });
  expect(status).toBe(1);
  expect(err).toContain('ResourceGroup shop (the finalizer example.com/keep is still there: what has set it has to release the object)');
  await finalizers((names) => names.filter((name) => name !== 'example.com/keep'));
  expect(await run()).toMatchObject({ status: 0 });
  await expectTransferred(puts);
});

test('a controller of the old side that does not run is named: in the hold, and at the end', async () => {
  const other = await TransferEnvironment.start(environment);
  try {
    await other.cluster.namespace('new');
    const puts = environment.requests('PUT');
    const to = (timeout: number) => environment.transfer({ toKubeconfig: other.kubeconfig, toNamespace: 'new', run: true, timeout });
    const token = (value: string | null) =>
      environment.cluster.annotate('ResourceGroup', 'old', 'shop', { 'serviceoperator.azure.com/poller-resume-token': value });
    await environment.cluster.stopController();
    await token('{}');
    expect(await to(0.02)).toMatchObject({
      status: 1, err: expect.stringContaining('without an operation under way: ResourceGroup shop (its controller follows the operation: does it run?)'),
    });
    await token(null);
    expect(await to(0.1)).toMatchObject({ status: 1, err: expect.stringContaining('(its controller has not released it: does it run?)') });
    expect(await environment.names('old')).toHaveLength(3);
    environment.cluster.startController();
    expect(await to(0.5)).toMatchObject({ status: 0 });
    await expectTransferred(puts, other);
  } finally {
    await other.close();
  }
});
