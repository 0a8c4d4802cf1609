import {
  annotate, answering, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, namespaced, operation, OTHER_SUBSCRIPTION, POLICY, readyGroup, waits,
} from './arrange';
import { inWorld, table } from './table';
import { annotation, FINALIZER, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../engine/objects/annotations';
import { Catalog } from '../../src/catalog';
import { settled } from '../reconcile/fake-clock';
import { BLOBS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, NAMESPACES, object, type World } from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const stored = (world: World) => world.stored(GROUPS, 'rg');
const accepted = { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } };
const ACCOUNT = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;
const blobs = () => object(BLOBS, 'blobs', { owner: { armId: ACCOUNT } });
const readyBlobs = async (world: World) => {
  await world.cluster.create(BLOBS, blobs());
  await world.start();
  expect(world.ready(BLOBS, 'blobs')).toMatchObject({ status: 'True' });
};

table('docs/spec/deletion.md#policy', (row) => {
  const puts = (object_: string | undefined, ofNamespace: string | undefined, byDefault: 'manage' | 'skip', expected: number) => inWorld(async (world) => {
    if (ofNamespace) await world.cluster.create(NAMESPACES, namespaced({ [POLICY]: ofNamespace }));
    await createdGroup(world, object_ ? { [POLICY]: object_ } : undefined, { defaultPolicy: byDefault });
    expect(world.azure.count('PUT')).toBe(expected);
  });
  row('source', 'the object\'s annotation first', puts('manage', 'skip', 'skip', 1));
  row('source', 'then its Namespace\'s', puts(undefined, 'manage', 'skip', 1));
  row('source', 'then the default', puts(undefined, undefined, 'skip', 0));
  row('unknown', 'the default, and a warning in the log', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'whatever' }, { defaultPolicy: 'skip' });
    expect(world.azure.count('PUT')).toBe(0);
    expect(world.warnings).toEqual(['unknown reconcile policy "whatever", using "skip"']);
  }));
  row('unknown', 'of a Namespace too; an unreadable Namespace is the default', inWorld(async (world) => {
    await world.cluster.create(NAMESPACES, namespaced({ [POLICY]: 'whatever' }));
    await createdGroup(world);
    expect(world.azure.count('PUT')).toBe(1);
    expect(world.warnings).toHaveLength(1);
  }));
  row('case', 'counts', puts('Skip', undefined, 'manage', 1));
});

table('docs/spec/deletion.md#policies', (row) => {
  const calls = (policy: string) => async (world: World) => {
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await createdGroup(world, { [POLICY]: policy });
    expect(ready(world)).toMatchObject({ status: 'True' });
    await deleted(world);
    expect(stored(world)).toBeUndefined();
    return [world.azure.count('PUT'), world.azure.count('DELETE')];
  };
  row('manage', 'PUT and DELETE', inWorld(async (world) => expect(await calls('manage')(world)).toEqual([1, 1])));
  row('detach-on-delete', 'PUT, no DELETE', inWorld(async (world) => expect(await calls('detach-on-delete')(world)).toEqual([1, 0])));
  row('skip', 'neither', inWorld(async (world) => expect(await calls('skip')(world)).toEqual([0, 0])));
  row('skip', 'waits for the owner, resolves, claims, reads, exports, is Ready', inWorld(async (world) => {
    const spec = { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.status.location' }] } };
    const child = identity('id', spec);
    await world.cluster.create(IDENTITIES, { ...child, metadata: { ...child.metadata, annotations: { [POLICY]: 'skip' } } });
    await world.start();
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ reason: 'WaitingForOwner' });
    world.azure.resources.set(IDENTITY_ID.toLowerCase(), { body: { location: 'here' }, polls: 0 });
    await world.cluster.create(GROUPS, group());
    await settled();
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
    expect(world.stored(IDENTITIES, 'id')!.metadata).toMatchObject({ finalizers: [FINALIZER], annotations: { [RESOURCE_ID]: IDENTITY_ID } });
    expect(world.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'here' } });
    expect(world.azure.count('PUT', '/id')).toBe(0);
  }));
  row('skip', 'missing in Azure: AzureResourceNotFound, retried Slow', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
});

table('docs/spec/deletion.md#policy-changes', (row) => {
  row('skip', 'leaving it sends the full PUT at once', inWorld(async (world) => {
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await createdGroup(world, { [POLICY]: 'skip' });
    await annotate(world, { [POLICY]: null });
    expect(world.azure.bodies).toEqual([{ location: 'westeurope', name: 'rg' }]);
    expect(annotation(stored(world)!, LATEST_GENERATION)).toBe('1');
  }));
  row('skip', 'entering it reads at once', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [POLICY]: 'skip' });
    expect(world.passes.at(-1)!.actions).toEqual(['read', 'complete']);
  }));
  row('manage and detach-on-delete', 'no pass; read when needed', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [POLICY]: 'detach-on-delete' });
    expect(world.passes).toHaveLength(1);
    await deleted(world);
    expect([stored(world), world.azure.count('DELETE')]).toEqual([undefined, 0]);
  }));
  row('Namespace', 'for objects without an annotation of their own', inWorld(async (world) => {
    await world.cluster.create(NAMESPACES, namespaced({}));
    await readyGroup(world);
    await annotate(world, { [POLICY]: 'skip' }, NAMESPACES, 'default');
    await edit(world, { tags: {} });
    expect(world.azure.count('PUT')).toBe(1);
    await annotate(world, { [POLICY]: null }, NAMESPACES, 'default');
    expect(world.azure.count('PUT')).toBe(2);
  }));
  row('no finalizer', 'and deletionTimestamp: nothing to do', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    await deleted(world, IDENTITIES, 'id');
    expect(world.stored(IDENTITIES, 'id')).toBeUndefined();
    expect(world.azure.requests).toEqual([]);
  }));
});

table('docs/spec/deletion.md#deletion', (row) => {
  row('policy', 'forbids it: the finalizer goes, no call', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [POLICY]: 'detach-on-delete' });
    const before = world.azure.requests.length;
    await deleted(world);
    expect([stored(world), world.azure.requests.length]).toEqual([undefined, before]);
  }));
  row('no finalizer', 'done', inWorld(async (world) => {
    const child = group();
    await world.cluster.create(GROUPS, { ...child, metadata: { ...child.metadata, finalizers: ['somebody.else/finalizer'] } });
    world.credential = undefined;
    await world.start();
    await deleted(world);
    expect(stored(world)!.metadata.finalizers).toEqual(['somebody.else/finalizer']);
    expect(world.passes.at(-1)!.result).toEqual({ kind: 'done' });
  }));
  row('action', 'a delete token: monitor; else begin', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    expect(world.passes.at(-1)!.actions).toEqual(['read', 'delete']);
    operation(world, { body: { status: 'InProgress' } });
    await world.clock.advance(1_000);
    expect(world.passes.at(-1)!.actions).toEqual(['poll']);
  }));
  row('empty result', 'the finalizer goes, those of others stay', inWorld(async (world) => {
    const child = group();
    await world.cluster.create(GROUPS, { ...child, metadata: { ...child.metadata, finalizers: ['somebody.else/finalizer'] } });
    await world.start();
    await deleted(world);
    expect(stored(world)!.metadata.finalizers).toEqual(['somebody.else/finalizer']);
    expect(world.azure.count('DELETE')).toBe(1);
  }));
  row('Deleting', 'after the call', inWorld(async (world) => {
    await readyGroup(world);
    const during: unknown[] = [];
    world.azure.before = ({ method }) => method === 'DELETE' && during.push(ready(world)!.reason);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    expect([...during, ready(world)!.reason]).toEqual(['Succeeded', 'Deleting']);
  }));
  row('error', 'the condition, and event DeleteActionError', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 409, body: failing('ScopeLocked') });
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'ScopeLocked' });
    expect(world.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'DeleteActionError', message: expect.stringContaining('RetryClassification: VerySlow') });
  }));
});

table('docs/spec/deletion.md#delete-request', (row) => {
  row('event', 'BeginDelete', inWorld(async (world) => {
    await readyGroup(world);
    await deleted(world);
    expect(world.events.at(-1)).toEqual({ type: 'Normal', reason: 'BeginDelete', message: 'Starting delete of resource' });
  }));
  row('no resource-id', 'done: nothing was created', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [RESOURCE_ID]: null });
    const before = world.azure.requests.length;
    await deleted(world);
    expect([stored(world), world.azure.requests.length]).toEqual([undefined, before]);
  }));
  row('subscription', '(better: a mismatch is a Warning that is tried again)', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = { subscriptionId: OTHER_SUBSCRIPTION };
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'SubscriptionMismatch' });
    world.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
    await world.clock.advance(1_000);
    expect(stored(world)).toBeUndefined();
  }));
  row('GET', '404 is done', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.resources.clear();
    await deleted(world);
    expect([stored(world), world.azure.count('DELETE')]).toEqual([undefined, 0]);
  }));
  row('GET', 'other errors are ignored', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'GET', { status: 500, body: failing('Broken') });
    await deleted(world);
    expect([stored(world), world.azure.count('DELETE')]).toEqual([undefined, 1]);
  }));
  row('GET', '(better: what Azure deletes already is not asked for again)', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'GET', { body: { properties: { provisioningState: 'Deleting' } } });
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Info', reason: 'Deleting' });
    expect(world.azure.count('DELETE')).toBe(0);
  }));
  row('DELETE', '404 is done', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 404, body: failing('ResourceNotFound') });
    await deleted(world);
    expect(stored(world)).toBeUndefined();
  }));
  row('DELETE', 'another refusal is classified, a Warning at most', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 400, body: failing('LocationRequired') });
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'LocationRequired' });
    expect(waits(world).at(-1)).toBe(1_000);
  }));
  row('token', 'with the delete id; requeue after Retry-After', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { ...accepted, headers: { ...accepted.headers, 'retry-after': '33' } });
    await deleted(world);
    expect([annotation(stored(world)!, POLLER_ID), waits(world).at(-1)]).toEqual(['GenericClient.DeleteByID', 33_000]);
  }));
  row('monitor', 'an event each pass, one poll, then the finalizer goes', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    operation(world, { body: { status: 'InProgress' } }, { body: { status: 'Succeeded' } });
    await world.clock.advance(1_000);
    expect(world.events.at(-1)).toEqual({ type: 'Normal', reason: 'MonitorDelete', message: 'Continue monitoring deletion' });
    await world.clock.advance(2_000);
    expect(stored(world)).toBeUndefined();
  }));
  row('monitor', 'a failure clears the token; the next pass begins with the GET', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    operation(world, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
    expect(annotation(stored(world)!, POLLER_TOKEN)).toBeUndefined();
    world.azure.resources.clear();
    await world.clock.advance(1_000);
    expect(stored(world)).toBeUndefined();
  }));
  row('monitor', '(better: a poll that fails keeps the token)', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    operation(world, { status: 503, body: failing('Busy') }, { body: { status: 'Succeeded' } });
    await world.clock.advance(10_000);
    expect(stored(world)).toBeUndefined();
    expect(world.azure.count('DELETE')).toBe(1);
  }));
  row('PUT running', 'the DELETE is sent all the same, its token takes the place', inWorld(async (world) => {
    world.azure.polls = 9;
    await createdGroup(world);
    expect(annotation(stored(world)!, POLLER_ID)).toBe('GenericClient.CreateOrUpdateByID');
    answering(world, 'DELETE', accepted);
    await deleted(world);
    expect(annotation(stored(world)!, POLLER_ID)).toBe('GenericClient.DeleteByID');
  }));
});

table('docs/spec/deletion.md#kinds-without-delete', (row) => {
  row('no resource-id or 404', 'done', inWorld(async (world) => {
    await readyBlobs(world);
    world.azure.resources.clear();
    await deleted(world, BLOBS, 'blobs');
    expect(world.stored(BLOBS, 'blobs')).toBeUndefined();
  }));
  row('condition', 'DeletionNotSupportedInAzure, VerySlow, event NotPossibleInAzure', inWorld(async (world) => {
    await readyBlobs(world);
    await deleted(world, BLOBS, 'blobs');
    const message = "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete'"
      + ' to permit deletion in Kubernetes';
    expect(world.ready(BLOBS, 'blobs')).toMatchObject({ severity: 'Warning', reason: 'DeletionNotSupportedInAzure', message });
    expect(world.events.at(-1)).toEqual({ type: 'Normal', reason: 'NotPossibleInAzure', message });
    expect([waits(world).at(-1), world.azure.count('DELETE')]).toEqual([HOUR, 0]);
  }));
  row('condition', 'detach-on-delete frees it (better: at once)', inWorld(async (world) => {
    await readyBlobs(world);
    await deleted(world, BLOBS, 'blobs');
    await annotate(world, { [POLICY]: 'detach-on-delete' }, BLOBS, 'blobs');
    expect([world.stored(BLOBS, 'blobs'), world.azure.count('DELETE')]).toEqual([undefined, 0]);
  }));
  row('condition', '(better: once the owner object is gone, it is looked at every few seconds)', inWorld(async (world) => {
    await readyGroup(world);
    await world.kill();
    world.azure.resources.set(`${ACCOUNT}/blobServices/default`.toLowerCase(), { body: {}, polls: 0 });
    const annotations = { [RESOURCE_ID]: `${ACCOUNT}/blobServices/default`, 'serviceoperator.azure.com/operator-namespace': 'aso' };
    const orphan = object(BLOBS, 'blobs', { owner: { name: 'gone' } }, annotations);
    await world.cluster.create(BLOBS, { ...orphan, metadata: { ...orphan.metadata, finalizers: [FINALIZER] } });
    await world.cluster.delete(BLOBS, 'blobs', 'default');
    await world.start();
    expect(world.passes.find(({ key }) => key.name === 'blobs')).toMatchObject({ nextIn: 1_000 });
  }));
  row('kinds', 'are those of the catalog without DELETE', () => {
    const without = Catalog.default().allKinds.filter(({ latest }) => latest.isArm && !latest.supports('DELETE')).map(({ group: api, kind }) => `${api.split('.')[0]}/${kind}`);
    expect(without).toHaveLength(26);
    expect(without).toEqual(expect.arrayContaining([
      'storage/StorageAccountsBlobService', 'storage/StorageAccountsQueueService', 'storage/StorageAccountsTableService', 'storage/StorageAccountsFileService',
      'sql/ServersAuditingSetting', 'sql/ServersDatabasesTransparentDataEncryption', 'sql/ServersConnectionPolicy', 'sql/ServersEncryptionProtector',
      'dbformysql/FlexibleServersConfiguration', 'dbforpostgresql/FlexibleServersConfiguration', 'dbformariadb/Configuration',
      'documentdb/SqlDatabaseThroughputSetting', 'insights/PricingPlan', 'appconfiguration/Snapshot', 'quota/Quota',
    ]));
  });
});

table('docs/spec/deletion.md#owners-and-children', (row) => {
  const both = async (world: World) => inReadyGroup(world, IDENTITIES, identity());
  row('owner deleted', 'in Azure, then its finalizer goes; a child finds 404', inWorld(async (world) => {
    await both(world);
    await deleted(world);
    expect(stored(world)).toBeUndefined();
    world.azure.resources.clear();
    await deleted(world, IDENTITIES, 'id');
    expect(world.stored(IDENTITIES, 'id')).toBeUndefined();
    expect(world.azure.count('DELETE', '/id')).toBe(0);
  }));
  row('foreground', 'children do not block the owner', inWorld(async (world) => {
    await both(world);
    expect(world.stored(IDENTITIES, 'id')!.metadata.ownerReferences![0]).not.toHaveProperty('blockOwnerDeletion');
  }));
  row('child while owner', 'independent: its resource-id is enough', inWorld(async (world) => {
    await both(world);
    answering(world, 'DELETE', accepted, `${GROUP_ID}`);
    const giveBack = answering(world, 'DELETE', { status: 200, headers: { 'x-ms-request-id': 'r' } }, 'userAssignedIdentities');
    await deleted(world);
    await deleted(world, IDENTITIES, 'id');
    expect([stored(world) !== undefined, world.stored(IDENTITIES, 'id')]).toEqual([true, undefined]);
    giveBack();
  }));
  row('owner object gone', 'no effect on the deletion', inWorld(async (world) => {
    await both(world);
    await annotate(world, { [POLICY]: 'detach-on-delete' });
    await deleted(world);
    await deleted(world, IDENTITIES, 'id');
    expect(world.stored(IDENTITIES, 'id')).toBeUndefined();
    expect(world.azure.count('DELETE', '/id')).toBe(1);
  }));
  row('owner gone, child not', 'the next PUT fails with ReferenceNotFound', inWorld(async (world) => {
    await both(world);
    await annotate(world, { [POLICY]: 'detach-on-delete' });
    await deleted(world);
    await edit(world, { tags: {} }, IDENTITIES, 'id');
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound' });
  }));
  row('credential missing', 'blocked with a Warning until it returns, or the policy changes', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = undefined;
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'CredentialNotFound' });
    await annotate(world, { [POLICY]: 'skip' });
    expect(stored(world)).toBeUndefined();
  }));
  row('namespace deleted', '(better: the credential Secret stays until its objects are gone: test/reconcile/credential-guard.test.ts)', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = undefined;
    await deleted(world);
    world.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
    await world.clock.advance(1_000);
    expect(stored(world)).toBeUndefined();
  }));
});
