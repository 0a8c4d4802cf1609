import { CredentialWorld } from '../credentials/world';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const ADOPT = 'aso.cdk8s.io/adopt';
const GROUP = ['ResourceGroup', 'moved'] as const;
const IDENTITY = ['UserAssignedIdentity', 'moved-identity'] as const;

async function apply(world: CredentialWorld, namespace: string, annotations: Record<string, string> = {}): Promise<void> {
  await world.object(GROUP[0], namespace, GROUP[1], {}, annotations);
  await world.object(IDENTITY[0], namespace, IDENTITY[1], { owner: { name: GROUP[1] } }, annotations);
  for (const [kind, name] of [GROUP, IDENTITY]) await world.reason('Succeeded', kind, namespace, name);
}

async function release(world: CredentialWorld, namespace: string, policy: string): Promise<void> {
  for (const [kind, name] of [GROUP, IDENTITY]) await world.annotate(kind, namespace, name, { [POLICY]: policy });
}

async function remove(world: CredentialWorld, namespace: string): Promise<void> {
  for (const [kind, name] of [IDENTITY, GROUP]) await world.delete(kind, namespace, name);
  for (const [kind, name] of [IDENTITY, GROUP]) {
    for (let i = 0; i < 200 && await world.get(kind, namespace, name); i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await world.get(kind, namespace, name)).toBeUndefined();
  }
}

const deletions = (world: CredentialWorld) => world.azure.log().filter(({ method }) => method === 'DELETE');
const writes = (world: CredentialWorld) => world.azure.log().filter(({ method }) => method === 'PUT').length;
const creations = (world: CredentialWorld) => world.azure.log().filter(({ created }) => created).length;

async function expectStillManaged(world: CredentialWorld, namespace: string): Promise<void> {
  expect(deletions(world)).toEqual([]);
  expect(creations(world)).toBe(2);
  // What is as the new object wants it is taken over by looking at it.
  expect(writes(world)).toBe(2);
  expect(world.azure.resources().map(({ name }) => name)).toEqual(expect.arrayContaining(['moved', 'moved-identity']));
  for (const [kind, name] of [GROUP, IDENTITY]) expect(await world.ready(kind, namespace, name)).toMatchObject({ status: 'True' });
}

describe.each(['skip', 'detach-on-delete'])('released by %s', (policy) => {
  test('to another cluster: no DELETE reaches Azure, and nothing is made twice', async () => {
    const from = await CredentialWorld.start();
    const to = await CredentialWorld.start({}, {}, from.azure);
    try {
      await Promise.all([from.namespace('old'), to.namespace('old')]);
      from.startController();
      await apply(from, 'old');
      await release(from, 'old', policy);
      to.startController();
      await apply(to, 'old', { [ADOPT]: 'IfPresent' });
      await remove(from, 'old');
      await from.stopController();
      await expectStillManaged(to, 'old');
      // The new cluster manages it: its deletion is one.
      await remove(to, 'old');
      expect(deletions(to).length).toBeGreaterThan(0);
    } finally {
      await to.close();
      await from.close();
    }
  });

  test('to another namespace', async () => {
    const world = await CredentialWorld.start();
    try {
      await world.namespace('old');
      await world.namespace('new');
      world.startController();
      await apply(world, 'old');
      await release(world, 'old', policy);
      await apply(world, 'new', { [ADOPT]: 'IfPresent' });
      await remove(world, 'old');
      await expectStillManaged(world, 'new');
    } finally {
      await world.close();
    }
  });
});

test('without the release the deletion in the old namespace is one: what the sequence is for', async () => {
  const world = await CredentialWorld.start();
  try {
    await world.namespace('old');
    world.startController();
    await apply(world, 'old');
    await remove(world, 'old');
    expect(deletions(world).length).toBeGreaterThan(0);
    expect(world.azure.resources()).toEqual([]);
  } finally {
    await world.close();
  }
});

test('skip first, then manage: the status is filled, and Never and IfPresent do as they say', async () => {
  const id = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/moved';
  const world = await CredentialWorld.start({ existing: [id] });
  try {
    await world.namespace('team');
    world.startController();
    await world.object('ResourceGroup', 'team', 'moved', { tags: { team: 'a' } }, { [POLICY]: 'skip' });
    await world.reason('Succeeded', 'ResourceGroup', 'team', 'moved');
    expect((await world.get('ResourceGroup', 'team', 'moved'))!.status).toMatchObject({ id });
    await world.annotate('ResourceGroup', 'team', 'moved', { [POLICY]: null, [ADOPT]: 'Never' });
    await world.reason('ResourceAlreadyExists', 'ResourceGroup', 'team', 'moved');
    expect(world.requestsOf('moved').filter(({ method }) => method === 'PUT')).toEqual([]);
    await world.annotate('ResourceGroup', 'team', 'moved', { [ADOPT]: 'IfPresent' });
    await world.reason('Succeeded', 'ResourceGroup', 'team', 'moved');
    expect(world.requestsOf('moved').filter(({ method }) => method === 'PUT')).toEqual([{ method: 'PUT', status: 200 }]);
    // What is not there is waited for.
    await world.object('ResourceGroup', 'team', 'absent', {}, { [ADOPT]: 'IfPresent' });
    expect((await world.reason('AzureResourceNotFound', 'ResourceGroup', 'team', 'absent')).message).toContain('keeps this controller from creating it');
    expect(creations(world)).toBe(0);
  } finally {
    await world.close();
  }
});
