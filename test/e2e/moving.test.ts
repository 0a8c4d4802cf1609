import { CredentialEnvironment } from '../engine/credentials/environment';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const ADOPT = 'aso.cdk8s.io/adopt';
const GROUP = ['ResourceGroup', 'moved'] as const;
const IDENTITY = ['UserAssignedIdentity', 'moved-identity'] as const;

async function apply(environment: CredentialEnvironment, namespace: string, annotations: Record<string, string> = {}): Promise<void> {
  await environment.object(GROUP[0], namespace, GROUP[1], {}, annotations);
  await environment.object(IDENTITY[0], namespace, IDENTITY[1], { owner: { name: GROUP[1] } }, annotations);
  for (const [kind, name] of [GROUP, IDENTITY]) await environment.reason('Succeeded', kind, namespace, name);
}

async function release(environment: CredentialEnvironment, namespace: string, policy: string): Promise<void> {
  for (const [kind, name] of [GROUP, IDENTITY]) await environment.annotate(kind, namespace, name, { [POLICY]: policy });
}

async function remove(environment: CredentialEnvironment, namespace: string): Promise<void> {
  for (const [kind, name] of [IDENTITY, GROUP]) await environment.delete(kind, namespace, name);
  for (const [kind, name] of [IDENTITY, GROUP]) {
    for (let i = 0; i < 200 && (await environment.get(kind, namespace, name)); i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await environment.get(kind, namespace, name)).toBeUndefined();
  }
}

const deletions = (environment: CredentialEnvironment) => environment.azure.log().filter(({ method }) => method === 'DELETE');
const writes = (environment: CredentialEnvironment) => environment.azure.log().filter(({ method }) => method === 'PUT').length;
const creations = (environment: CredentialEnvironment) => environment.azure.log().filter(({ created }) => created).length;

async function expectStillManaged(environment: CredentialEnvironment, namespace: string): Promise<void> {
  expect(deletions(environment)).toEqual([]);
  expect(creations(environment)).toBe(2);
  // A resource that already matches the new object is adopted with a read.
  expect(writes(environment)).toBe(2);
  expect(environment.azure.resources().map(({ name }) => name)).toEqual(expect.arrayContaining(['moved', 'moved-identity']));
  for (const [kind, name] of [GROUP, IDENTITY]) expect(await environment.ready(kind, namespace, name)).toMatchObject({ status: 'True' });
}

describe.each(['skip', 'detach-on-delete'])('released by %s', (policy) => {
  test('to another cluster: no DELETE reaches Azure, and nothing is made twice', async () => {
    const from = await CredentialEnvironment.start();
    const to = await CredentialEnvironment.start({}, {}, from.azure);
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
    const environment = await CredentialEnvironment.start();
    try {
      await environment.namespace('old');
      await environment.namespace('new');
      environment.startController();
      await apply(environment, 'old');
      await release(environment, 'old', policy);
      await apply(environment, 'new', { [ADOPT]: 'IfPresent' });
      await remove(environment, 'old');
      await expectStillManaged(environment, 'new');
    } finally {
      await environment.close();
    }
  });
});

test('without the release the deletion in the old namespace is one: what the sequence is for', async () => {
  const environment = await CredentialEnvironment.start();
  try {
    await environment.namespace('old');
    environment.startController();
    await apply(environment, 'old');
    await remove(environment, 'old');
    expect(deletions(environment).length).toBeGreaterThan(0);
    expect(environment.azure.resources()).toEqual([]);
  } finally {
    await environment.close();
  }
});

test('skip first, then manage: the status is filled, and Never and IfPresent do as they say', async () => {
  const id = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/moved';
  const environment = await CredentialEnvironment.start({ existing: [id] });
  try {
    await environment.namespace('team');
    environment.startController();
    await environment.object('ResourceGroup', 'team', 'moved', { tags: { team: 'a' } }, { [POLICY]: 'skip' });
    await environment.reason('Succeeded', 'ResourceGroup', 'team', 'moved');
    expect((await environment.get('ResourceGroup', 'team', 'moved'))!.status).toMatchObject({ id });
    await environment.annotate('ResourceGroup', 'team', 'moved', { [POLICY]: null, [ADOPT]: 'Never' });
    await environment.reason('ResourceAlreadyExists', 'ResourceGroup', 'team', 'moved');
    expect(environment.requestsOf('moved').filter(({ method }) => method === 'PUT')).toEqual([]);
    await environment.annotate('ResourceGroup', 'team', 'moved', { [ADOPT]: 'IfPresent' });
    await environment.reason('Succeeded', 'ResourceGroup', 'team', 'moved');
    expect(environment.requestsOf('moved').filter(({ method }) => method === 'PUT')).toEqual([{ method: 'PUT', status: 200 }]);
    // The object waits for a resource that does not exist.
    await environment.object('ResourceGroup', 'team', 'absent', {}, { [ADOPT]: 'IfPresent' });
    expect((await environment.reason('AzureResourceNotFound', 'ResourceGroup', 'team', 'absent')).message).toContain(
      'keeps this controller from creating it',
    );
    expect(creations(environment)).toBe(0);
  } finally {
    await environment.close();
  }
});
