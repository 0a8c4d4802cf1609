import { noAnswer } from './fake-azure';
import { settled } from './fake-clock';
import { BLOBS, group, GROUP_ID, GROUPS, IDENTITIES, identity, inWorldsOfTheirOwn, object, World } from './harness';

let world: World;
inWorldsOfTheirOwn((made) => (world = made));

async function readyGroup(): Promise<void> {
  await world.cluster.create(GROUPS, group());
  await world.start();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

test('deletion goes to Azure, then the finalizer goes', async () => {
  await readyGroup();
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  expect(world.azure.resources.size).toBe(0);
  expect(world.azure.count('DELETE')).toBe(1);
});

test('once the finalizer is gone, a cache that still shows the object starts no second DELETE', async () => {
  await readyGroup();
  const { metadata, ...rest } = world.stored(GROUPS, 'rg')!;
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  // Meanwhile somebody has made another resource of this name.
  world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'theirs' }, polls: 0 });
  const stale = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  world.cluster.objects.set(`${GROUPS.group}/ResourceGroup/default/rg`, stale);
  world.cluster.listeners.forEach((listener) => listener(GROUPS, { type: 'MODIFIED', object: stale }));
  await settled();
  expect(world.azure.count('DELETE')).toBe(1);
  world.cluster.objects.clear();
});

test.each(['skip', 'detach-on-delete'])('deletion under %s leaves Azure alone', async (policy) => {
  await readyGroup();
  await world.cluster.annotate(GROUPS, 'default', 'rg', { 'serviceoperator.azure.com/reconcile-policy': policy });
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  expect(world.azure.count('DELETE')).toBe(0);
  expect(world.azure.resources.size).toBe(1);
});

test.each(['is accepted', 'was taken, and its answer lost'])('a deletion right after a PUT that %s believes no read that shows nothing yet', async (end) => {
  let lost = end !== 'is accepted';
  const { azure } = world;
  azure.intercept = ({ method }) => (method === 'GET' ? { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } } : undefined);
  azure.after = ({ method }) => {
    if (method !== 'PUT' || !lost) return;
    lost = false;
    noAnswer();
  };
  await world.cluster.create(GROUPS, group());
  await world.start();
  expect(azure.resources.size).toBe(1);
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  expect(azure.resources.size).toBe(0);
  expect(azure.count('DELETE')).toBe(1);
});

test('what somebody has deleted in Azure long after the last PUT needs no DELETE', async () => {
  await readyGroup();
  await world.clock.advance(45 * 60_000);
  world.azure.resources.clear();
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  expect(world.azure.count('DELETE')).toBe(0);
});

test('a deletion that Azure refuses is retried, never fatal', async () => {
  await readyGroup();
  world.azure.intercept = ({ method }) => (method === 'DELETE' ? { status: 400, body: { error: { code: 'PropertyChangeNotAllowed', message: 'no' } } } : undefined);
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Warning', reason: 'PropertyChangeNotAllowed' });
  world.azure.intercept = () => undefined;
  await world.clock.advance(1_000);
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
});

test('a long deletion is polled, and a second DELETE is not sent while Azure is at it', async () => {
  await readyGroup();
  let deleting = true;
  world.azure.intercept = ({ method }) => {
    if (method === 'DELETE') return { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x', 'retry-after': '3' } };
    return undefined;
  };
  await world.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Deleting', message: 'The resource is being deleted' });
  world.azure.intercept = ({ url }) => (url.includes('/operations/') ? { body: { status: deleting ? 'InProgress' : 'Succeeded' } } : undefined);
  await world.clock.advance(3_000);
  expect(world.stored(GROUPS, 'rg')).toBeDefined();
  deleting = false;
  await world.clock.advance(60_000);
  expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  expect(world.azure.count('DELETE')).toBe(1);
});

test('a kind without DELETE waits for its owner to go', async () => {
  const account = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;
  const spec = { owner: { armId: account } };
  await world.cluster.create(BLOBS, object(BLOBS, 'blob', spec));
  await world.start();
  expect(world.ready(BLOBS, 'blob')).toMatchObject({ status: 'True' });
  await world.cluster.delete(BLOBS, 'blob', 'default');
  await settled();
  expect(world.ready(BLOBS, 'blob')).toMatchObject({
    severity: 'Warning',
    reason: 'DeletionNotSupportedInAzure',
    message: "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete' to permit deletion in Kubernetes",
  });
  expect(world.azure.count('DELETE')).toBe(0);
  world.azure.resources.clear();
  await world.clock.advance(2 * 3_600_000);
  expect(world.stored(BLOBS, 'blob')).toBeUndefined();
});

test('an object that was never claimed is gone at once, without Azure', async () => {
  await world.cluster.create(IDENTITIES, identity());
  await world.start();
  await world.cluster.delete(IDENTITIES, 'id', 'default');
  await settled();
  expect(world.stored(IDENTITIES, 'id')).toBeUndefined();
  expect(world.azure.requests).toEqual([]);
});
