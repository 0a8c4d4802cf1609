import { POLICY, TransferEnvironment } from './environment';

let environment: TransferEnvironment;
beforeEach(async () => {
  environment = await TransferEnvironment.start();
  for (const namespace of ['old', 'new']) await environment.cluster.namespace(namespace);
  await environment.fill('old');
});
afterEach(() => environment.close());

/** Nothing was written to Azure, and the new objects are what the old ones were. */
async function expectTransferred(puts: number, to = environment): Promise<void> {
  expect(environment.requests('DELETE')).toBe(0);
  expect(environment.requests('PUT')).toBe(puts);
  expect(await environment.names('old')).toEqual([]);
  await to.ready('new');
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
    expect(await environment.transfer({ toNamespace: 'new', undo: true })).toMatchObject({ status: 0, err: '', out: 'Taken back: 3 objects of old have their policies again.' });
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
