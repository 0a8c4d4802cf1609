import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, IDENTITIES, identity, inSeparateEnvironments, type TestEnvironment } from './harness';
import { RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';

/** The annotation with the ARM id leads to no resource but the object's own, whoever has written it. */

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const OWN = `${GROUP_ID}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mine`;
const OTHER = `${GROUP_ID}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/theirs`;
const POLLER = 'serviceoperator.azure.com/poller-resume-token';

const annotate = (annotations: Record<string, string | null>) => environment.cluster.annotate(IDENTITIES, 'default', 'mine', annotations);
const requestsOf = (path: string) => environment.azure.requests.filter((request) => request.includes(path));
const remove = async () => {
  await environment.cluster.delete(IDENTITIES, 'mine', 'default');
  await settled();
};

async function ready(): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(IDENTITIES, identity('mine'));
  await environment.start();
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'True' });
  environment.azure.resources.set(OTHER.toLowerCase(), { body: { id: OTHER, location: 'theirs', properties: { principalId: 'p' } }, polls: 0 });
}

/** The owner is gone from the cluster, and its resource stays. */
async function withoutOwner(): Promise<void> {
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'detach-on-delete' });
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
}

test.each([false, true])('the deletion of an object with the id of another resource sends nothing (restarted: %s)', async (restarts) => {
  await ready();
  if (restarts) await environment.kill();
  await annotate({ [RESOURCE_ID]: OTHER });
  if (restarts) await environment.start();
  await remove();
  await environment.clock.advance(3_600_000);
  expect(requestsOf('/theirs')).toEqual([]);
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', message: expect.stringContaining('nothing is deleted in Azure') });
  await annotate({ [RESOURCE_ID]: OWN });
  await environment.clock.advance(600_000);
  expect(environment.stored(IDENTITIES, 'mine')).toBeUndefined();
  expect([...environment.azure.resources.keys()]).toEqual([GROUP_ID.toLowerCase(), OTHER.toLowerCase()]);
});

test('nor does it where the owner is gone: the status tells the own id', async () => {
  await ready();
  await withoutOwner();
  await annotate({ [RESOURCE_ID]: OTHER });
  await remove();
  await environment.clock.advance(3_600_000);
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', message: expect.stringContaining('not certain that') });
  expect(environment.azure.resources.has(OTHER.toLowerCase())).toBe(true);
});

test.each([403, 500])('nor does it where the owner is gone and Azure refuses to read the resource: %i', async (status) => {
  await ready();
  await withoutOwner();
  await annotate({ [RESOURCE_ID]: OTHER });
  const refusal = { status, body: { error: { code: 'AuthorizationFailed', message: 'no right to read' } } };
  environment.azure.intercept = ({ method }) => (method === 'GET' ? refusal : undefined);
  await remove();
  await environment.clock.advance(3_600_000);
  expect(requestsOf('GET').filter((request) => request.endsWith('/theirs')).length).toBeGreaterThan(0);
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', message: expect.stringContaining('no right to read') });
  expect(environment.azure.resources.has(OTHER.toLowerCase())).toBe(true);
});

test('without owner and without a read, an object is not deleted in Azure, and goes where it is let go', async () => {
  await ready();
  await withoutOwner();
  const key = `${IDENTITIES.group}/UserAssignedIdentity/default/mine`;
  environment.cluster.objects.set(key, { ...environment.cluster.objects.get(key)!, status: {} });
  await remove();
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', message: expect.stringContaining('Restore the owner') });
  await annotate({ [RECONCILE_POLICY]: 'detach-on-delete' });
  await settled();
  expect(environment.stored(IDENTITIES, 'mine')).toBeUndefined();
  expect(environment.azure.resources.has(OWN.toLowerCase())).toBe(true);
});

test('an object without owner whose status has the id is deleted in Azure', async () => {
  await ready();
  await withoutOwner();
  await remove();
  expect(environment.stored(IDENTITIES, 'mine')).toBeUndefined();
  expect(environment.azure.resources.has(OWN.toLowerCase())).toBe(false);
});

test('the id of another resource is not read under skip, and nothing of it is exported', async () => {
  await ready();
  await annotate({ [RECONCILE_POLICY]: 'skip', [RESOURCE_ID]: OTHER });
  await environment.clock.advance(3_600_000);
  expect(requestsOf('/theirs')).toEqual([]);
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', severity: 'Error' });
});

test('an operation that somebody has noted leads to no other resource', async () => {
  await ready();
  await environment.kill();
  await annotate({ [RESOURCE_ID]: OTHER, [POLLER]: JSON.stringify({ style: 'body' }), 'serviceoperator.azure.com/poller-resume-id': 'CreateOrUpdatePoller' });
  await environment.start();
  await environment.clock.advance(3_600_000);
  expect(requestsOf('/theirs')).toEqual([]);
});

test('the status has the id as soon as Azure has accepted the PUT, so that the owner may go before a read', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.azure.polls = 3;
  await environment.cluster.create(IDENTITIES, identity('mine'));
  await settled();
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ reason: 'Reconciling' });
  expect(environment.stored(IDENTITIES, 'mine')!.status).toMatchObject({ id: OWN });
});

test('what nothing tells the id of, and no read finds, goes when reads no longer lag, without a DELETE', async () => {
  await ready();
  await withoutOwner();
  await environment.kill();
  const key = `${IDENTITIES.group}/UserAssignedIdentity/default/mine`;
  environment.cluster.objects.set(key, { ...environment.cluster.objects.get(key)!, status: {} });
  environment.azure.resources.delete(OWN.toLowerCase());
  await environment.cluster.delete(IDENTITIES, 'mine', 'default');
  await environment.start();
  expect(environment.ready(IDENTITIES, 'mine')).toMatchObject({ status: 'False', message: expect.stringContaining('not certain that') });
  await environment.clock.advance(60 * 60_000);
  expect(environment.stored(IDENTITIES, 'mine')).toBeUndefined();
  expect(environment.azure.count('DELETE')).toBe(0);
});
