import { noAnswer } from './fake-azure';
import { settled } from './fake-clock';
import { BLOBS, group, GROUP_ID, GROUPS, IDENTITIES, identity, inSeparateEnvironments, object, TestEnvironment } from './harness';
import { MARK } from '../../engine/arm/fixtures';

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

async function readyGroup(): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

test('deletion goes to Azure, then the finalizer goes', async () => {
  await readyGroup();
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(environment.azure.resources.size).toBe(0);
  expect(environment.azure.count('DELETE')).toBe(1);
});

test('once the finalizer is gone, a cache that still shows the object starts no second DELETE', async () => {
  await readyGroup();
  const { metadata, ...rest } = environment.stored(GROUPS, 'rg')!;
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  // Meanwhile another client has created another resource of this name.
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'theirs' }, polls: 0 });
  const stale = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  environment.cluster.objects.set(`${GROUPS.group}/ResourceGroup/default/rg`, stale);
  environment.cluster.listeners.forEach((listener) => listener(GROUPS, { type: 'MODIFIED', object: stale }));
  await settled();
  expect(environment.azure.count('DELETE')).toBe(1);
  environment.cluster.objects.clear();
});

test.each(['skip', 'detach-on-delete'])('deletion under %s leaves Azure alone', async (policy) => {
  await readyGroup();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { 'serviceoperator.azure.com/reconcile-policy': policy });
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.azure.resources.size).toBe(1);
});

test.each(['is accepted', 'was taken, and its answer lost'])(
  'a deletion right after a PUT that %s believes no read that shows nothing yet',
  async (end) => {
    let lost = end !== 'is accepted';
    const { azure } = environment;
    azure.intercept = ({ method }) =>
      method === 'GET' ? { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } } : undefined;
    azure.after = ({ method }) => {
      if (method !== 'PUT' || !lost) return;
      lost = false;
      noAnswer();
    };
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    expect(azure.resources.size).toBe(1);
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    expect(azure.resources.size).toBe(0);
    expect(azure.count('DELETE')).toBe(1);
  },
);

test.each([
  ['of Azure: the answer to the DELETE is the only evidence', { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no right to read' } }, headers: MARK }, true],
  ['of Azure, by another id', { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'm' } }, headers: { 'x-ms-routing-request-id': 'r' } }, true],
  ['of a proxy, with a page', { status: 403, text: '<html>Forbidden</html>', headers: { 'content-type': 'text/html' } }, false],
  ['of a proxy, with JSON', { status: 403, body: { code: 'Forbidden', message: 'blocked' } }, false],
  ['of a proxy, empty', { status: 403 }, false],
  ['of a gateway', { status: 503, body: { error: { code: 'ServiceUnavailable', message: 'not now' } } }, false],
])('after a DELETE, a read that is refused: %s', async (_, refusal, isGone) => {
  await readyGroup();
  const { azure } = environment;
  let isDeleted = false;
  azure.intercept = ({ method }) => {
    if (method === 'DELETE') {
      isDeleted = true;
      return { status: 200 };
    }
    return isDeleted ? refusal : undefined;
  };
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg') === undefined).toBe(isGone);
});

test('what somebody has deleted in Azure long after the last PUT needs no DELETE', async () => {
  await readyGroup();
  await environment.clock.advance(45 * 60_000);
  environment.azure.resources.clear();
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(environment.azure.count('DELETE')).toBe(0);
});

test('a deletion that Azure refuses is retried, never fatal', async () => {
  await readyGroup();
  environment.azure.intercept = ({ method }) =>
    method === 'DELETE' ? { status: 400, body: { error: { code: 'PropertyChangeNotAllowed', message: 'no' } } } : undefined;
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'PropertyChangeNotAllowed' });
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(1_000);
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
});

test('a long deletion is polled, and a second DELETE is not sent while Azure is at it', async () => {
  await readyGroup();
  let deleting = true;
  environment.azure.intercept = ({ method }) => {
    if (method === 'DELETE') {
      return { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x', 'retry-after': '3' } };
    }
    return undefined;
  };
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Deleting', message: 'The resource is being deleted' });
  environment.azure.intercept = ({ url }) =>
    url.includes('/operations/') ? { body: { status: deleting ? 'InProgress' : 'Succeeded' } } : undefined;
  await environment.clock.advance(3_000);
  expect(environment.stored(GROUPS, 'rg')).toBeDefined();
  deleting = false;
  environment.azure.resources.clear();
  await environment.clock.advance(60_000);
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(environment.azure.count('DELETE')).toBe(1);
});

test('a kind without DELETE waits for its owner to go', async () => {
  const account = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;
  const spec = { owner: { armId: account } };
  await environment.cluster.create(BLOBS, object(BLOBS, 'blob', spec));
  await environment.start();
  expect(environment.ready(BLOBS, 'blob')).toMatchObject({ status: 'True' });
  await environment.cluster.delete(BLOBS, 'blob', 'default');
  await settled();
  expect(environment.ready(BLOBS, 'blob')).toMatchObject({
    severity: 'Warning',
    reason: 'DeletionNotSupportedInAzure',
    message: "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete' to permit deletion in Kubernetes",
  });
  expect(environment.azure.count('DELETE')).toBe(0);
  environment.azure.resources.clear();
  await environment.clock.advance(2 * 3_600_000);
  expect(environment.stored(BLOBS, 'blob')).toBeUndefined();
});

test('an object that was never claimed is gone at once, without Azure', async () => {
  await environment.cluster.create(IDENTITIES, identity());
  await environment.start();
  await environment.cluster.delete(IDENTITIES, 'id', 'default');
  await settled();
  expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
  expect(environment.azure.requests).toEqual([]);
});
