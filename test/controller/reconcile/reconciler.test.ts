import { noAnswer } from './fake-azure';
import { settled } from './fake-clock';
import {
  CONFIG_MAPS,
  group,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  IDENTITY_ID,
  inSeparateEnvironments,
  object,
  SECRETS,
  USERS,
  TestEnvironment,
} from './harness';
import { annotation } from '../../../engine/objects/annotations';
import { FINALIZER, LATEST_GENERATION, OPERATOR_NAMESPACE, POLLER_TOKEN, PUT_RECORD, RESOURCE_ID } from '../../../src/azure/annotations';

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

async function readyGroup(): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
}

test('a new object is claimed, sent once and ready', async () => {
  await readyGroup();
  const stored = environment.stored(GROUPS, 'rg')!;
  expect(stored.metadata.finalizers).toEqual([FINALIZER]);
  expect(stored.metadata.annotations).toMatchObject({ [RESOURCE_ID]: GROUP_ID, [OPERATOR_NAMESPACE]: 'aso', [LATEST_GENERATION]: '1' });
  expect(stored.metadata.labels).toEqual({ 'serviceoperator.azure.com/last-reconciled-version': 'test' });
  expect(stored.status).toMatchObject({ location: 'westeurope' });
  // The answer to the PUT shows the status.
  expect(environment.azure.requests).toEqual([`PUT ${GROUP_ID}`]);
  expect(environment.events.map(({ reason }) => reason)).toEqual(['CredentialFrom', 'BeginCreateOrUpdate']);
  // claim, result, status
  expect(environment.cluster.writes).toEqual([
    'create ResourceGroup/rg',
    'patch ResourceGroup/rg',
    'patch ResourceGroup/rg',
    'status ResourceGroup/rg',
  ]);
});

test('the finalizer is stored before the first PUT', async () => {
  const finalizers: unknown[] = [];
  environment.azure.before = ({ method }) => method === 'PUT' && finalizers.push(environment.stored(GROUPS, 'rg')!.metadata.finalizers);
  await readyGroup();
  expect(finalizers).toEqual([[FINALIZER]]);
});

test('a child starts the moment its owner is ready', async () => {
  await environment.cluster.create(IDENTITIES, identity());
  await environment.start();
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({
    status: 'False',
    severity: 'Warning',
    reason: 'WaitingForOwner',
    message: 'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Progress is blocked until the owner is created.',
  });
  expect(environment.stored(IDENTITIES, 'id')!.metadata.finalizers).toBeUndefined();
  environment.azure.polls = 2;
  await environment.cluster.create(GROUPS, group());
  await settled();
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({
    reason: 'WaitingForOwner',
    message: 'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup" is not ready. Progress is blocked until the owner is ready.',
  });
  environment.azure.polls = 0;
  while (environment.ready(GROUPS, 'rg')!.status !== 'True') await environment.clock.advance(100);
  // No time has passed since.
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  const child = environment.stored(IDENTITIES, 'id')!;
  expect(child.metadata.ownerReferences).toEqual([
    {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      name: 'rg',
      uid: environment.stored(GROUPS, 'rg')!.metadata.uid,
    },
  ]);
  expect(child.metadata.labels).toMatchObject({
    'serviceoperator.azure.com/owner-name': 'rg', 'serviceoperator.azure.com/owner-group-kind': 'ResourceGroup.resources.azure.com',
  });
});

test('an operation is polled to its end, with its token on the object', async () => {
  environment.azure.polls = 3;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toContain('/operations/');
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'Reconciling', severity: 'Info' });
  await environment.clock.advance(1_000 + 2_000 + 4_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN)).toBeUndefined();
  expect(environment.azure.count('PUT')).toBe(1);
});

test('one poll that fails does not send the PUT again', async () => {
  environment.azure.polls = 1;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  let failures = 2;
  environment.azure.intercept = ({ url }) =>
    url.includes('/operations/') && failures-- > 0 ? { status: 503, body: { error: { code: 'ServerBusy', message: 'busy' } } } : undefined;
  await environment.clock.advance(20_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('an operation that Azure forgot is followed by the resource itself', async () => {
  environment.azure.polls = 2;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.azure.intercept = ({ url }) => (url.includes('/operations/') ? { status: 404 } : undefined);
  await environment.clock.advance(60_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('a refusal shows with its code, and is retried by its class', async () => {
  environment.azure.intercept = ({ method }) =>
    method === 'PUT' ? { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no' } } } : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Warning',
    reason: 'AuthorizationFailed',
    message: 'no',
  });
  expect(environment.events.at(-1)).toEqual({
    type: 'Warning',
    reason: 'CreateOrUpdateActionError',
    message: 'Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: no',
  });
  await environment.clock.advance(1_000 + 2_000 + 4_000);
  expect(environment.azure.count('PUT')).toBe(4);
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(8_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('429 waits as long as Azure says', async () => {
  environment.azure.intercept = ({ method }) =>
    method === 'PUT'
      ? { status: 429, headers: { 'retry-after': '42' }, body: { error: { code: 'TooManyRequests', message: 'slow down' } } }
      : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(41_000);
  expect(environment.azure.count('PUT')).toBe(1);
  await environment.clock.advance(1_000);
  expect(environment.azure.count('PUT')).toBe(2);
});

test('an immediate provisioningState Failed is a failure', async () => {
  environment.azure.intercept = ({ method }) =>
    method === 'PUT' ? { status: 200, body: { properties: { provisioningState: 'Failed' } } } : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning' });
});

test('a fatal refusal waits for a trigger or the next sync; a new spec is a trigger', async () => {
  environment.azure.intercept = ({ method }) =>
    method === 'PUT' ? { status: 400, body: { error: { code: 'LocationRequired', message: 'no' } } } : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Error', reason: 'LocationRequired' });
  await environment.clock.advance(3_599_000);
  expect(environment.azure.count('PUT')).toBe(1);
  await environment.clock.advance(1_000);
  expect(environment.azure.count('PUT')).toBe(2);
  environment.azure.intercept = () => undefined;
  await environment.cluster.edit(GROUPS, 'default', 'rg', { location: 'uksouth' });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('a spec that changes while an operation runs is sent after it, whether it succeeds or fails', async () => {
  for (const end of ['Succeeded', 'Failed']) {
    environment = new TestEnvironment();
    environment.azure.polls = 1;
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    await environment.cluster.edit(GROUPS, 'default', 'rg', { location: 'uksouth' });
    environment.azure.intercept = ({ url }) => (url.includes('/operations/') && end === 'Failed' && environment.azure.count('PUT') === 1
      ? { body: { status: 'Failed', error: { code: 'LocationRequired', message: 'fatal' } } } : undefined);
    await settled();
    environment.azure.polls = 0;
    await environment.clock.advance(10_000);
    expect(environment.azure.bodies).toMatchObject([{ location: 'westeurope' }, { location: 'uksouth' }]);
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
    await environment.kill();
  }
});

test('each sync period Azure is looked at, the whole spec is sent where it differs, and the condition does not move', async () => {
  await readyGroup();
  const before = environment.ready(GROUPS, 'rg');
  await environment.clock.advance(3_600_000);
  expect(environment.azure.requests.at(-1)).toBe(`GET ${GROUP_ID}`);
  expect(environment.azure.count('PUT')).toBe(1);
  environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  await environment.clock.advance(3_600_000);
  expect(environment.azure.count('PUT')).toBe(2);
  expect(environment.ready(GROUPS, 'rg')).toEqual(before);
});

test('a missing credential blocks without a finalizer, and a Secret unblocks at once', async () => {
  environment.credential = undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    severity: 'Warning',
    reason: 'CredentialNotFound',
    message: 'global credential not configured',
  });
  expect(environment.stored(GROUPS, 'rg')!.metadata.finalizers).toBeUndefined();
  environment.credential = { subscriptionId: environment.azure.subscriptionId };
  await environment.cluster.create(SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'aso-credential', namespace: 'default' },
    data: {},
  });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('a credential of another subscription is an error, for PUT, skip and DELETE', async () => {
  await readyGroup();
  environment.credential = { subscriptionId: '22222222-2222-2222-2222-222222222222' };
  await environment.cluster.edit(GROUPS, 'default', 'rg', { location: 'uksouth' });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    severity: 'Error',
    reason: 'SubscriptionMismatch',
    message: `SubscriptionID "11111111-1111-1111-1111-111111111111" for "${GROUP_ID}" resource does not match with Client Credential: "22222222-2222-2222-2222-222222222222"`,
  });
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'SubscriptionMismatch' });
  expect(environment.azure.count('PUT')).toBe(1);
  expect(environment.azure.count('DELETE')).toBe(0);
});

test('two controllers do not share an object', async () => {
  await readyGroup();
  await environment.kill();
  await environment.start({ operatorNamespace: 'other' });
  expect(environment.events.at(-1)).toEqual({
    type: 'Warning',
    reason: 'Overlap',
    message: 'Operators in "other" and "aso" are both configured to manage this resource',
  });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('exports are written, kept, and change when Azure changes', async () => {
  await readyGroup();
  const spec = { operatorSpec: { configMaps: { clientId: { name: 'out', key: 'client' } } } };
  let client = 'c1';
  environment.azure.intercept = ({ method, url }) =>
    method === 'GET' && url.startsWith(IDENTITY_ID) ? { body: { id: IDENTITY_ID, properties: { clientId: client } } } : undefined;
  await environment.cluster.create(IDENTITIES, identity('id', spec));
  await settled();
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({
    data: { client: 'c1' },
    metadata: { ownerReferences: [{ uid: environment.stored(IDENTITIES, 'id')!.metadata.uid }] },
  });
  client = 'c2';
  await environment.clock.advance(3_600_000);
  expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { client: 'c2' } });
});

test('a ConfigMap of somebody else is not overwritten', async () => {
  await readyGroup();
  await environment.cluster.create(CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'out', namespace: 'default' },
    data: { mine: 'x' },
  });
  await environment.cluster.create(
    IDENTITIES,
    identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } }),
  );
  await settled();
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
  expect(environment.stored(CONFIG_MAPS, 'out')!.data).toEqual({ mine: 'x' });
});

test('a lost answer is looked into before anything is sent again', async () => {
  let lost = 1;
  environment.azure.after = ({ method }) => (method === 'PUT' && lost-- > 0 ? noAnswer() : undefined);
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'UnknownError' });
  await environment.clock.advance(1_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('a conflict with another writer is no second PUT', async () => {
  let meddled = false;
  environment.cluster.before = (what) => {
    if (what !== 'status ResourceGroup' || meddled) return;
    meddled = true;
    void environment.cluster.annotate(GROUPS, 'default', 'rg', { someone: 'else' });
  };
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(5_000);
  expect(meddled).toBe(true);
  expect(environment.errors.splice(0)).toHaveLength(1);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('a resource id that the spec no longer means is not followed', async () => {
  await readyGroup();
  await environment.cluster.edit(GROUPS, 'default', 'rg', { azureName: 'another' });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    severity: 'Error',
    reason: 'Failed',
    message: expect.stringContaining('restore its owner and azureName'),
  });
  expect(environment.azure.count('PUT')).toBe(1);
});

test('kinds that are no ARM resources are left alone, and say so', async () => {
  await environment.cluster.create(USERS, object(USERS, 'u', { owner: { name: 'x' } }));
  await environment.start();
  expect(environment.ready(USERS, 'u')).toMatchObject({
    severity: 'Error',
    reason: 'Failed',
    message: expect.stringContaining('does not reconcile User.dbforpostgresql.azure.com'),
  });
  expect(environment.stored(USERS, 'u')!.metadata).not.toHaveProperty('finalizers');
});

test('no secret and no token is in the record', async () => {
  await readyGroup();
  expect(JSON.parse(annotation(environment.stored(GROUPS, 'rg')!, PUT_RECORD)!)).toEqual({
    digest: expect.stringMatching(/^[\w-]{43}$/),
    at: '2026-01-01T00:00:00.000Z',
    generation: 1,
    answered: true,
    hidden: '',
    known: {},
    unread: true,
  });
});

test('a faster Azure is polled faster, but not faster than it asks for', async () => {
  environment.azure.polls = 3;
  await environment.cluster.create(GROUPS, group());
  await environment.start({ delayScale: 100 });
  await environment.clock.advance(20 + 20 + 40);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  environment.azure.intercept = ({ method }) => (method === 'PUT' ? { status: 429, headers: { 'retry-after': '2' }, body: {} } : undefined);
  await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
  await environment.clock.advance(1_999);
  expect(environment.azure.count('PUT')).toBe(2);
  await environment.clock.advance(1);
  expect(environment.azure.count('PUT')).toBe(3);
});

test('an object of another version than the watched one is read and written in its own', async () => {
  const asked: string[] = [];
  const { cluster } = environment;
  const get = cluster.get.bind(cluster);
  cluster.get = async (type, name, namespace) => {
    asked.push(type.version);
    const found = await get(type, name, namespace);
    // A field that the watched version does not have.
    return found && { ...found, spec: { ...found.spec, tags: { only: 'here' } } };
  };
  const written = jest.spyOn(cluster, 'replaceStatus');
  await cluster.create(GROUPS, { ...group(), apiVersion: 'resources.azure.com/v20200601' });
  await environment.start();
  expect(asked).toEqual(['v20200601']);
  expect(environment.azure.bodies).toMatchObject([{ tags: { only: 'here' } }]);
  expect(written.mock.calls.map(([type, sent]) => [type.version, sent.apiVersion])).toEqual([
    ['v20200601', 'resources.azure.com/v20200601'],
  ]);
});
